"""Matches name the edition of their rules; fingerprints and positions in the journal; what closed a match."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("edition", sa.Integer, nullable=False, server_default="1"))
    op.add_column("matches", sa.Column("closed", sa.Text))
    op.add_column("matches", sa.Column("position", sa.Text))
    op.add_column("journal", sa.Column("check", sa.String(16), nullable=False, server_default=""))
    op.add_column("journal", sa.Column("position", sa.Text))


def downgrade() -> None:
    for table, column in (
        ("journal", "position"),
        ("journal", "check"),
        ("matches", "position"),
        ("matches", "closed"),
        ("matches", "edition"),
    ):
        op.drop_column(table, column)
