"""Matches name what their dice follow from: scheme and contributions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("fairness", sa.Text))


def downgrade() -> None:
    op.drop_column("matches", "fairness")
