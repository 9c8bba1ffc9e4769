"""A database, and the one way to read and write it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from stockade.errors import StoreFailed
from stockade.store.backend import Backend
from stockade.store.migrate import migrate, up_to_date
from stockade.store.postgres import postgres
from stockade.store.sqlite import sqlite

__all__ = ["Database"]

_SQLITE = {"sqlite", "sqlite+aiosqlite"}
_POSTGRES = {"postgres", "postgresql", "postgresql+asyncpg"}


class Database:
    """Connections to one database. Whatever goes wrong there is a `StoreFailed`."""

    def __init__(self, backend: Backend) -> None:
        self._reader = backend.engine
        self._writer = backend.engine.execution_options(**backend.writing)
        self._explain = backend.explain

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to the database at `url`; an older schema, or none, is brought up to date."""
        database = cls(_backend(url))
        try:
            async with database.reading() as connection:
                ready = await connection.run_sync(up_to_date)
            if not ready:
                async with database.writing() as connection:
                    await connection.run_sync(migrate)
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """End every connection."""
        await self._reader.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to look something up with; each statement stands alone."""
        async with self._typed(), self._reader.begin() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: all of it is kept, or after an error nothing.

        Raises:
            IntegrityError: what was written contradicts what is there.
        """
        async with self._typed(), self._writer.begin() as connection:
            yield connection

    @asynccontextmanager
    async def _typed(self) -> AsyncIterator[None]:
        try:
            yield
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
