"""A database, and the one way to read and write it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar

from sqlalchemy import Row, Select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stockade.errors import StoreFailed
from stockade.store.backend import Backend
from stockade.store.migrate import migrate, up_to_date
from stockade.store.postgres import postgres
from stockade.store.sqlite import sqlite

__all__ = ["Database"]

_SQLITE = {"sqlite", "sqlite+aiosqlite"}
_POSTGRES = {"postgres", "postgresql", "postgresql+asyncpg"}

T = TypeVar("T")


class Database:
    """Connections to one database. Whatever goes wrong there is a `StoreFailed`.

    What was begun is finished, also when the caller is cancelled: a connection that is torn from
    its work cannot be used again, and one that is torn from its opening is never closed.
    """

    def __init__(self, backend: Backend) -> None:
        self._reader = backend.engine
        self._writer = backend.engine.execution_options(**backend.writing)
        self._explain = backend.explain
        # Whoever waits here holds no connection, which others may need for reading.
        self._turn = asyncio.Semaphore(backend.writers)
        self._under_way: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to the database at `url`; an older schema, or none, is brought up to date."""
        database = cls(_backend(url))
        try:
            async with database._connected(database._reader) as connection:
                ready = await connection.run_sync(up_to_date)
            if not ready:
                async with database._connected(database._writer) as connection:
                    await connection.run_sync(migrate)
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """Finish what is under way and end every connection."""
        if self._under_way:
            await asyncio.wait(self._under_way)
        await self._reader.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def fetch(self, wanted: Select[Any]) -> Sequence[Row[Any]]:
        """The rows that are asked for."""

        async def work() -> Sequence[Row[Any]]:
            async with self._connected(self._reader) as connection:
                rows: Sequence[Row[Any]] = (await connection.execute(wanted)).all()
                return rows

        return await self._finished(work())

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do `work` in a transaction: all of it is kept, or after an error nothing.

        Raises:
            IntegrityError: what was written contradicts what is there.
        """

        async def transaction() -> T:
            async with self._turn, self._connected(self._writer) as connection:
                return await work(connection)

        return await self._finished(transaction())

    async def _finished(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    @asynccontextmanager
    async def _connected(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        try:
            async with engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise self._explain(error.orig or error) from error
        except (SQLAlchemyError, OSError) as error:
            raise StoreFailed("the database does not answer") from error


def _backend(url: str) -> Backend:
    scheme, _, rest = url.partition("://")
    if scheme in _SQLITE and len(rest) > 1 and rest.startswith("/"):
        return sqlite(rest[1:])
    if scheme in _POSTGRES:
        return postgres(f"postgresql://{rest}")
    raise StoreFailed(
        "that is not the URL of a database",
        hint="Write sqlite:////path/to/file.db or postgresql://user:password@host:5432/name.",
    )
