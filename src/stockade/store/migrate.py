"""Bringing the schema of a database up to date."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    column,
    insert,
    inspect,
    select,
    table,
    text,
)

from stockade.errors import StoreFailed
from stockade.store.migrations import HEAD, VERSION_TABLE
from stockade.store.schema import LOCAL_TENANT, metadata, tenants

__all__ = ["migrate", "up_to_date", "upgrade"]

_LOCK: Final = int.from_bytes(b"stockade")
_LOCK_WAIT = "30s"


def up_to_date(connection: Connection) -> bool:
    """Whether the schema is the one this program was written for."""
    stored = _stored(connection)
    if stored is not None and stored > HEAD:
        raise StoreFailed(
            "the database was made by a newer version of stockade",
            hint="Upgrade stockade, or restore the backup from before its upgrade.",
        )
    return stored == HEAD


def _stored(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: str | None = connection.scalar(
        select(column("version_num")).select_from(table(VERSION_TABLE))
    )
    return version


def migrate(connection: Connection) -> None:
    """Bring the schema up to date, in the transaction that `connection` is in."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_WAIT}'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    # On SQLite the transaction is itself the lock. Either way another may have been faster.
    if up_to_date(connection):
        return
    if inspect(connection).get_table_names():
        upgrade(connection)
    else:
        _create(connection)


def _create(connection: Connection) -> None:
    """Make the newest schema where there is none; a first start need not load a history."""
    metadata.create_all(connection)
    connection.execute(insert(tenants).values(name=LOCAL_TENANT, created_at=datetime.now(UTC)))
    version = Table(
        VERSION_TABLE,
        MetaData(),
        Column("version_num", String(32), nullable=False),
        PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
    )
    version.create(connection)
    connection.execute(insert(version).values(version_num=HEAD))


def upgrade(connection: Connection) -> None:
    """Go through every version that is missing."""
    # A server that finds its schema in order has no use for these.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "stockade.store:migrations")
    command.upgrade(config, HEAD)
