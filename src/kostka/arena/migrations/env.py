"""Runs the migrations on the connection that the store hands over."""

from alembic import context

from kostka.arena.store import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema,
    render_as_batch=True,
)
context.run_migrations()
