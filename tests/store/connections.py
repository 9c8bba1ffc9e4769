"""Connections for a test to look into a database with, beside what is tested."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from sqlalchemy.ext.asyncio import AsyncConnection

from stockade.store.database import Database


def reading(database: Database) -> AbstractAsyncContextManager[AsyncConnection]:
    return database._connected(database._reader)


def writing(database: Database) -> AbstractAsyncContextManager[AsyncConnection]:
    return database._connected(database._writer)
