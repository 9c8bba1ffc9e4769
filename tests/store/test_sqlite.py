"""SQLite: private files, real transactions, faults with a remedy."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from stockade.errors import StoreFailed
from stockade.store import sqlite as module
from stockade.store.database import Database
from stockade.store.tenants import Tenants
from tests.store.connections import reading, writing


async def pragma(database: Database, name: str) -> object:
    async with reading(database) as connection:
        return await connection.scalar(text(f"PRAGMA {name}"))


async def failure(url: str) -> StoreFailed:
    with pytest.raises(StoreFailed) as caught:
        await Database.open(url)
    assert caught.value.hint
    return caught.value


def modes(folder: Path) -> dict[str, int]:
    return {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in folder.iterdir()}


async def test_every_file_is_private(tmp_path: Path, sqlite_url: str) -> None:
    umask = os.umask(0)
    try:
        async with await Database.open(sqlite_url) as database:
            await Tenants(database).create("acme")
            assert modes(tmp_path) == {
                "stockade.db": 0o600,
                "stockade.db-shm": 0o600,
                "stockade.db-wal": 0o600,
            }
    finally:
        os.umask(umask)
    assert modes(tmp_path) == {"stockade.db": 0o600}


async def test_a_file_that_was_open_to_others_is_closed_to_them(
    tmp_path: Path, sqlite_url: str
) -> None:
    (tmp_path / "stockade.db").touch(mode=0o666)
    (tmp_path / "stockade.db").chmod(0o666)
    async with await Database.open(sqlite_url):
        assert modes(tmp_path)["stockade.db"] == 0o600


async def test_every_connection_is_set_up(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        expected = {
            "journal_mode": "wal",
            "foreign_keys": 1,
            "busy_timeout": 5000,
            "synchronous": 2,
        }
        for name, value in expected.items():
            found = await asyncio.gather(*(pragma(database, name) for _ in range(6)))
            assert set(found) == {value}


@pytest.mark.parametrize("name", ["a b?c=1#d%20.db", "é\u4e2d.db", "file:x.db", "x@y:z.db"])
async def test_any_path_is_a_url(tmp_path: Path, name: str) -> None:
    async with await Database.open(f"sqlite:///{tmp_path / name}"):
        assert name in {entry.name for entry in tmp_path.iterdir()}


async def test_the_drivers_own_url_will_do(tmp_path: Path) -> None:
    async with await Database.open(f"sqlite+aiosqlite:///{tmp_path / 'x.db'}"):
        assert (tmp_path / "x.db").exists()


async def test_home_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with await Database.open("sqlite:///~/x.db"):
        assert (tmp_path / "x.db").exists()


async def test_memory_is_one_database_for_all_connections() -> None:
    async with await Database.open("sqlite:///:memory:") as database:
        await asyncio.gather(*(Tenants(database).create(f"t{number}") for number in range(5)))
        assert len(await Tenants(database).list()) == 6


async def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "none" / "x.db", tmp_path / "file" / "x.db"):
        assert str(path) in (await failure(f"sqlite:///{path}")).message
    for text_ in ("a\0b", "\ud800", "~nobody-of-that-name/x.db"):
        assert "cannot be read" in (await failure(f"sqlite:///{text_}")).message


async def test_a_file_of_another_kind_is_refused_and_left_alone(
    tmp_path: Path, sqlite_url: str
) -> None:
    content = b"this is a letter, not a database" * 100
    (tmp_path / "stockade.db").write_bytes(content)
    assert "not an SQLite database" in (await failure(sqlite_url)).message
    assert (tmp_path / "stockade.db").read_bytes() == content


async def test_a_damaged_database_is_told_from_a_busy_one(tmp_path: Path, sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        await Tenants(database).create("acme")
    path = tmp_path / "stockade.db"
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)
    assert "damaged" in (await failure(sqlite_url)).message


async def test_a_database_that_another_holds_is_reported(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BUSY_SECONDS", 0.01)
    async with await Database.open(sqlite_url) as database:
        other = sqlite3.connect(tmp_path / "stockade.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match="another program holds"):
            await Tenants(database).create("acme")
        assert len(await Tenants(database).list()) == 1
        other.execute("COMMIT")
        other.close()
        await Tenants(database).create("acme")


async def test_a_transaction_that_reads_before_it_writes_waits_its_turn(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        async with writing(database) as connection:
            await connection.execute(text("CREATE TABLE counter (value INTEGER)"))
            await connection.execute(text("INSERT INTO counter VALUES (0)"))

        async def count() -> None:
            async with writing(database) as connection:
                value = await connection.scalar(text("SELECT value FROM counter"))
                await connection.execute(
                    text("UPDATE counter SET value = :value"), {"value": (value or 0) + 1}
                )

        await asyncio.gather(*(count() for _ in range(40)))
        async with reading(database) as connection:
            assert await connection.scalar(text("SELECT value FROM counter")) == 40


async def fill(database: Database) -> None:
    async with writing(database) as connection:
        await connection.execute(text("PRAGMA max_page_count = 1"))
        await connection.execute(text("INSERT INTO big VALUES (zeroblob(1000000))"))


async def test_a_full_disk_is_reported(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        async with writing(database) as connection:
            await connection.execute(text("CREATE TABLE big (x)"))
        with pytest.raises(StoreFailed, match="disk is full"):
            await fill(database)
        assert len(await Tenants(database).list()) == 1
