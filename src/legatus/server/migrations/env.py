"""Alembic's entry: ``Store`` hands its connection over."""

from alembic import context

from legatus.server.tables import meta

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=meta)
with context.begin_transaction():
    context.run_migrations()
