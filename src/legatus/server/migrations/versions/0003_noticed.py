"""Rows say who noticed them: what one side does in secret is not in the numbers of the others."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("shown", sa.Integer))
    op.add_column("journal", sa.Column("noticed", sa.Integer))


def downgrade() -> None:
    op.drop_column("journal", "noticed")
    op.drop_column("matches", "shown")
