"""The tables of the database.  A change here comes with a migration (``migrations/versions``)."""

from __future__ import annotations

import sqlalchemy as sa

meta = sa.MetaData()

matches = sa.Table(
    "matches",
    meta,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("setup", sa.Text, nullable=False),  # JSON, the head of a record
    sa.Column("luck", sa.String(16), nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("replay", sa.Boolean, nullable=False),
    sa.Column("maker", sa.String(64), nullable=False),  # hash of a key
    sa.Column("request", sa.String(64), nullable=False),
    sa.Column("started", sa.String(32), nullable=False),
    # what a list of matches shows, written together with each row of the journal
    sa.Column("moved", sa.String(32), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("shown", sa.Integer),  # rows that spectators noticed; null: all
    sa.Column("turn", sa.Integer),  # the seat to decide; null: over
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Column("winner", sa.Integer),  # a seat; null: drawn, or not over
    sa.Column("pledge", sa.Text),  # JSON: an action that was begun with own dice and must be gone on with
    sa.Column("edition", sa.Integer, nullable=False, server_default="1"),  # of the rules that it is played by
    sa.Column("closed", sa.Text),  # JSON: why it cannot be gone on with; see ``editions.Closed``
    sa.Column("position", sa.Text),  # JSON: the state after the last row
    sa.Column("fairness", sa.Text),  # JSON: what its dice follow from; see ``honesty``. null: the seed only
    sa.UniqueConstraint("maker", "request"),
)

seats = sa.Table(
    "seats",
    meta,
    sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("holder", sa.String(64), index=True),  # hash of a key; null: open, or a bot
    sa.Column("bot", sa.String(32), nullable=False),
    sa.Column("name", sa.String(80), nullable=False),
)

journal = sa.Table(
    "journal",
    meta,
    sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # no two commands can be the same row
    sa.Column("seat", sa.Integer),  # null: the set-up
    # an action as text; "" the set-up, "undo" takes back, "edition 1" goes on from a position of edition 1,
    # "contribute TEXT" is what a player adds to the dice
    sa.Column("do", sa.Text, nullable=False),
    sa.Column("dice", sa.Text, nullable=False),  # JSON
    sa.Column("request", sa.String(64), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("check", sa.String(16), nullable=False, server_default=""),  # fingerprint of the state after it
    sa.Column("noticed", sa.Integer),  # bits of those who noticed it (``counting``); null: everybody
    sa.Column("position", sa.Text),  # JSON: that state; of every 50th row, and where a match was resumed
    sa.UniqueConstraint("match_id", "request"),
)

secrets = sa.Table(
    "secrets",
    meta,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(128), nullable=False),
)
