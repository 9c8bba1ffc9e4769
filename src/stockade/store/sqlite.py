"""SQLite: one file, private to its owner."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiosqlite
from sqlalchemy import URL, AsyncAdaptedQueuePool, Connection, event
from sqlalchemy.ext.asyncio import create_async_engine

from stockade.errors import StoreFailed
from stockade.store.backend import Backend

__all__ = ["sqlite"]

_WRITING = "stockade_writing"
_MEMORY = ":memory:"
_FAULTS = (
    ("SQLITE_BUSY", "another program holds the database", "End it, then repeat the call."),
    ("SQLITE_NOTADB", "the file is not an SQLite database", "Move it away, or restore a backup."),
    ("SQLITE_CORRUPT", "the database is damaged", "Restore a backup."),
    ("SQLITE_READONLY", "the database cannot be written", "Its directory must be yours to write."),
    ("SQLITE_CANTOPEN", "the database cannot be opened", "Its directory must exist and be yours."),
    ("SQLITE_FULL", "the disk is full", "Make room, then repeat the call."),
    ("SQLITE_IOERR", "the disk failed", "Look at the system's log."),
)
_BUSY_SECONDS = 5.0
_CONNECTIONS = 4


def sqlite(path: str) -> Backend:
    """The database in the file at `path`, which is made if need be."""
    if path != _MEMORY:
        path = _private(path)
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=path),
        # Transactions begin when we say so: the driver's own way leaves reads and DDL outside.
        connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None},
        poolclass=AsyncAdaptedQueuePool,
        pool_size=1 if path == _MEMORY else _CONNECTIONS,
        max_overflow=0,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "connect", _on_connect)
    event.listen(engine.sync_engine, "begin", _on_begin)
    return Backend(engine, {_WRITING: True}, _explain, writers=1)


def _private(text: str) -> str:
    """The path of a file that only its owner can read; what SQLite puts beside it follows suit."""
    try:
        path = Path(text).expanduser()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreFailed(
            f"the database {text} cannot be opened: {error.strerror}",
            hint="Its directory must exist, and both must be yours to write.",
        ) from None
    except (ValueError, RuntimeError):
        raise StoreFailed(
            "the path of the database cannot be read", hint="Write it in full, from the root."
        ) from None
    try:
        if os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    except OSError as error:
        raise StoreFailed(
            f"the database {path} cannot be closed to others: {error.strerror}",
            hint="It must belong to the user that runs the server.",
        ) from None
    finally:
        os.close(descriptor)
    return str(path)


def _on_connect(connection: Any, record: Any) -> None:
    del record
    cursor = connection.cursor()
    for setting in ("foreign_keys=ON", "trusted_schema=OFF"):
        cursor.execute(f"PRAGMA {setting}")
    # Of several that open a new database at once, one changes it and the others need not wait:
    # it stays so for good, and until then the older way is only slower.
    with suppress(aiosqlite.OperationalError):
        cursor.execute("PRAGMA journal_mode=WAL")
    cursor.close()


def _on_begin(connection: Connection) -> None:
    if connection.get_execution_options().get(_WRITING):
        # One that first reads and then writes would otherwise fail at once, without waiting, if
        # another wrote in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _explain(error: BaseException) -> StoreFailed:
    match error:
        case aiosqlite.Error(sqlite_errorname=code):
            pass
        case _:
            code = type(error).__name__
    for beginning, message, hint in _FAULTS:
        if code.startswith(beginning):
            return StoreFailed(message, hint=hint)
    return StoreFailed(f"the database failed ({code})")
