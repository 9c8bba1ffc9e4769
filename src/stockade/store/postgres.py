"""Postgres, over asyncpg, which is an extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sqlalchemy.ext.asyncio import create_async_engine

from stockade.errors import StoreFailed
from stockade.store.backend import Backend
from stockade.store.schema import in_force, key_names

__all__ = ["postgres"]

_CONNECT_SECONDS = 10.0
_ANSWER_SECONDS = 60.0
_CONNECTIONS = 5
_MORE_AT_NEED = 10


def postgres(url: str) -> Backend:
    """The database at `url`, in which the options of libpq's own URLs work."""
    try:
        driver = import_module("asyncpg")
    except ModuleNotFoundError:
        raise StoreFailed(
            "Postgres needs a package that is not installed",
            hint="Install it with: pip install 'stockade[postgres]'",
        ) from None

    async def connect() -> Any:
        try:
            return await driver.connect(
                url, timeout=_CONNECT_SECONDS, command_timeout=_ANSWER_SECONDS
            )
        except (ValueError, OverflowError):
            # The driver quotes what it could not read, and that may be half a password.
            raise StoreFailed(
                "the URL of the database cannot be read",
                hint="Write postgresql://user:password@host:5432/name, with %40 for an @ in them.",
            ) from None
        except (OSError, driver.PostgresError, driver.InterfaceError) as error:
            raise _explain(error) from None

    key_names.dialect_options["postgresql"]["where"] = in_force
    engine = create_async_engine(
        # The driver gets the URL from us, so that nothing else ever holds the password.
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_size=_CONNECTIONS,
        max_overflow=_MORE_AT_NEED,
        pool_timeout=_CONNECT_SECONDS,
        pool_pre_ping=True,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
    )
    writing = {"isolation_level": "READ COMMITTED"}
    return Backend(engine, writing, _explain, writers=_CONNECTIONS)


_FAULTS = (
    ("28", "Postgres does not accept the user or the password", "Look at the URL of the database."),
    ("3D", "Postgres has no database of that name", "Make it with createdb, or correct the URL."),
    ("53", "Postgres has no room for more", "Look at its connections, memory and disk."),
    ("57", "Postgres is being stopped or started", "Repeat the call in a moment."),
    ("42501", "Postgres does not let this user do that", "Let the user own its database."),
    ("55P03", "another server is changing the schema", "Wait until it is done, then start again."),
    ("25006", "Postgres can only be read", "Name the primary server in the URL."),
    ("08", "Postgres cannot be reached", "Look whether it runs, and at the URL of the database."),
)
"""By the beginning of the SQLSTATE."""


def _explain(error: BaseException) -> StoreFailed:
    state = getattr(error, "sqlstate", None) or ("08000" if isinstance(error, OSError) else "")
    for beginning, message, hint in _FAULTS:
        if state.startswith(beginning):
            return StoreFailed(message, hint=hint)
    return StoreFailed(
        f"Postgres failed ({state or type(error).__name__})", hint="Its own log says why."
    )
