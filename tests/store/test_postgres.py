"""Postgres: the password stays with the driver, lost connections are replaced."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from stockade.errors import StoreFailed
from stockade.store import postgres as module
from stockade.store.database import Database
from stockade.store.tenants import Tenants
from tests.store.connections import reading, writing
from tests.store.test_database import told
from tests.support.postgres import Postgres

SECRET = "hunter2hunter2"


async def failure(url: str) -> StoreFailed:
    with pytest.raises(StoreFailed) as caught:
        await Database.open(url)
    assert caught.value.hint
    assert SECRET not in told(caught.value)
    return caught.value


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
async def test_every_usual_scheme_will_do(postgres_url: str, scheme: str) -> None:
    url = postgres_url.replace("postgresql", scheme, 1)
    async with await Database.open(url) as database:
        assert len(await Tenants(database).list()) == 1


async def test_the_usual_options_will_do(postgres_url: str) -> None:
    url = f"{postgres_url}&sslmode=disable&application_name=stockade"
    async with await Database.open(url) as database, reading(database) as connection:
        assert await connection.scalar(text("SHOW application_name")) == "stockade"


async def test_without_the_driver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    error = await failure(f"postgresql://u:{SECRET}@localhost/x")
    assert "stockade[postgres]" in error.hint


async def test_a_wrong_password_is_refused_without_being_told(postgres: Postgres) -> None:
    error = await failure(postgres.url(password=SECRET))
    assert "user or the password" in error.message


async def test_an_unknown_database_or_user_is_refused(postgres: Postgres) -> None:
    error = await failure(postgres.url().replace("@/postgres", "@/nothing"))
    assert "no database of that name" in error.message
    error = await failure(postgres.url().replace("//stockade:", "//nobody:"))
    assert "user or the password" in error.message


async def test_a_server_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        error = await failure(f"postgresql://u:{SECRET}@127.0.0.1:{port}/x")
    assert "cannot be reached" in error.message
    for place in (f"@/x?host={tmp_path}", "@name.invalid/x"):
        error = await failure(f"postgresql://u:{SECRET}{place}")
        assert "cannot be reached" in error.message


async def test_a_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u:{SECRET}@127.0.0.1:{silent.getsockname()[1]}/x?sslmode=disable"
        assert "cannot be reached" in (await failure(url)).message


@pytest.mark.parametrize(
    "rest",
    [
        f"u:{SECRET}@h:{SECRET}/x",
        f"u:a@b:{SECRET}@h:1/x",
        f"u:{SECRET}@127.0.0.1:99999/x",
        f"u:{SECRET}@[::1/x",
        f"u:{SECRET}@h/x?sslmode={SECRET}",
        f"u:{SECRET}\0@127.0.0.1:1/x",
    ],
)
async def test_a_url_that_makes_no_sense_is_refused_without_being_told(rest: str) -> None:
    await failure(f"postgresql://{rest}")


async def test_an_option_that_is_unknown_is_refused(postgres_url: str) -> None:
    await failure(f"{postgres_url}&nonsense={SECRET}")


async def test_nobody_else_holds_the_password(postgres: Postgres, postgres_url: str) -> None:
    async with await Database.open(postgres_url) as database:
        engine = database._reader
        assert postgres.password not in f"{engine!r} {engine.url!r} {engine.url} {engine.pool!r}"


async def test_lost_connections_are_replaced(postgres: Postgres, postgres_url: str) -> None:
    url = f"{postgres_url}&application_name=lost"
    async with await Database.open(url) as database:
        await asyncio.gather(*(Tenants(database).list() for _ in range(5)))
        ended = await postgres.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lost'"
        )
        assert ended
        assert len(await Tenants(database).list()) == 1


async def lose_the_connection(postgres: Postgres, database: Database) -> None:
    async with writing(database) as connection:
        backend = await connection.scalar(text("SELECT pg_backend_pid()"))
        await postgres.execute(f"SELECT pg_terminate_backend({backend})")
        await connection.execute(text("SELECT 1"))


async def test_a_connection_lost_during_a_call_is_reported(
    postgres: Postgres, postgres_url: str
) -> None:
    async with await Database.open(postgres_url) as database:
        with pytest.raises(StoreFailed, match="Postgres"):
            await lose_the_connection(postgres, database)
        await Tenants(database).create("acme")


async def test_a_user_that_may_not_make_tables_is_reported(
    postgres: Postgres, postgres_url: str
) -> None:
    await postgres.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    schema = postgres_url.rpartition("=")[2]
    try:
        await postgres.execute(f"GRANT USAGE ON SCHEMA {schema} TO guest")
        url = postgres_url.replace(f"stockade:{postgres.password}", "guest:guest")
        error = await failure(url)
        assert "does not let this user" in error.message
    finally:
        await postgres.execute("DROP OWNED BY guest")
        await postgres.execute("DROP ROLE guest")


async def test_a_server_that_can_only_be_read_is_reported(postgres_url: str) -> None:
    error = await failure(f"{postgres_url}&default_transaction_read_only=on")
    assert "can only be read" in error.message
