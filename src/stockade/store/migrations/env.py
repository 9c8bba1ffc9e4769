"""Run by Alembic, with the connection that `migrate.py` hands it."""

from alembic import context

from stockade.store.migrations import VERSION_TABLE
from stockade.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
