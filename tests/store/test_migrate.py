"""The schema is brought up to date once, when it has to be, and never backwards."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from stockade.errors import StoreFailed
from stockade.store import migrate as module
from stockade.store.database import Database
from stockade.store.keys import Keys
from stockade.store.migrate import migrate, up_to_date, upgrade
from stockade.store.migrations import HEAD, VERSION_TABLE
from stockade.store.schema import metadata
from tests.store.connections import reading, writing
from tests.support.postgres import Postgres

OPEN = """
import asyncio, sys
from stockade.store.database import Database
from stockade.store.tenants import Tenants

async def main():
    sys.stdin.readline()
    async with await Database.open(sys.argv[1]) as database:
        print(len(await Tenants(database).list()), "alembic" in sys.modules, flush=True)

print("ready", flush=True)
asyncio.run(main())
"""


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection,
        opts={"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True},
    )
    return list(compare_metadata(context, metadata))


@asynccontextmanager
async def opener(url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Another process that opens the database when it is told to."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OPEN, url, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def said(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


def looks(connection: Connection) -> str:
    """Everything an inspector knows of our tables."""
    known = inspect(connection)
    found = {
        name: (
            [
                (each["name"], str(each["type"]), each["nullable"])
                for each in known.get_columns(name)
            ],
            known.get_pk_constraint(name),
            known.get_foreign_keys(name),
            known.get_check_constraints(name),
            known.get_indexes(name),
            known.get_unique_constraints(name),
        )
        for name in sorted(known.get_table_names())
    }
    return json.dumps(found, default=str, indent=1)


async def test_all_versions_together_give_the_schema_of_a_new_database(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reading(database) as connection:
        assert await connection.run_sync(differences) == []
        assert await connection.run_sync(tables) == {*metadata.tables, VERSION_TABLE}
        new = await connection.run_sync(looks)
        tenant = (await connection.execute(text("SELECT name FROM tenants"))).all()
    async with writing(database) as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
    monkeypatch.setattr(module, "_create", upgrade)
    async with await Database.open(url) as grown, reading(grown) as connection:
        assert await connection.run_sync(differences) == []
        assert await connection.run_sync(looks) == new
        assert (await connection.execute(text("SELECT name FROM tenants"))).all() == tenant
        stored = await connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
        assert stored == HEAD


async def test_a_difference_would_be_seen(database: Database) -> None:
    async with writing(database) as connection:
        await connection.execute(text("DROP INDEX uq_keys_name"))
        await connection.execute(text("ALTER TABLE keys ADD COLUMN surprise INTEGER"))
        assert len(await connection.run_sync(differences)) == 2


def test_the_head_is_the_newest_version_and_numbers_rise() -> None:
    config = Config()
    config.set_main_option("script_location", "stockade.store:migrations")
    versions = list(ScriptDirectory.from_config(config).walk_revisions())
    assert versions[0].revision == HEAD
    numbers = [version.revision for version in reversed(versions)]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]
    assert all(Path(version.path).name.startswith(f"v{version.revision}_") for version in versions)


async def test_a_schema_in_order_is_left_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await Database.open(url) as database:
        record, _ = await Keys(database).create(name="one", role="agent")
    monkeypatch.setattr("stockade.store.database.migrate", None)
    async with await Database.open(url) as database:
        assert await Keys(database).list() == (record,)


async def test_migrating_twice_changes_nothing(database: Database) -> None:
    record, _ = await Keys(database).create(name="one", role="agent")
    async with writing(database) as connection:
        await connection.run_sync(migrate)
        assert await connection.run_sync(up_to_date)
    assert await Keys(database).list() == (record,)


async def test_alembic_is_only_loaded_when_it_is_needed(sqlite_url: str) -> None:
    for expected in ("1 False", "1 False", "1 True"):
        if expected == "1 True":
            Path(sqlite_url.removeprefix("sqlite:///")).unlink()
            with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
                connection.execute(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32))")
            connection.close()
        async with opener(sqlite_url) as process:
            assert await said(process) == "ready"
            assert process.stdin is not None
            process.stdin.write(b"\n")
            assert await said(process) == expected


async def test_a_newer_schema_is_refused_and_left_alone(url: str) -> None:
    async with await Database.open(url) as database:
        for version in ("0003", "9999", "later"):
            async with writing(database) as connection:
                await connection.execute(
                    text(f"UPDATE {VERSION_TABLE} SET version_num = '{version}'")
                )
            with pytest.raises(StoreFailed, match="newer") as caught:
                await Database.open(url)
            assert "Upgrade" in caught.value.hint
        async with reading(database) as connection:
            assert await connection.run_sync(differences) == []


async def test_a_version_that_fails_leaves_nothing_behind(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of another program are in the way of the second table, not of the first."""
    with monkeypatch.context() as patch:
        patch.setattr("stockade.store.database.migrate", lambda _: None)
        async with await Database.open(url) as database, writing(database) as connection:
            await connection.execute(text("CREATE TABLE keys (id INTEGER)"))
    with pytest.raises(StoreFailed):
        await Database.open(url)
    with monkeypatch.context() as patch:
        patch.setattr("stockade.store.database.migrate", lambda _: None)
        async with await Database.open(url) as database, writing(database) as connection:
            assert await connection.run_sync(tables) == {"keys"}
            await connection.execute(text("DROP TABLE keys"))
    async with await Database.open(url) as database, reading(database) as connection:
        assert await connection.run_sync(up_to_date)


async def test_servers_that_start_at_once_migrate_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrades = []
    created = module._create

    def counted(connection: Connection) -> None:
        upgrades.append(connection)
        created(connection)

    monkeypatch.setattr(module, "_create", counted)
    databases = await asyncio.gather(*(Database.open(url) for _ in range(6)))
    assert len(upgrades) == 1
    for database in databases:
        async with reading(database) as connection:
            assert await connection.run_sync(up_to_date)
        await database.close()


async def test_processes_that_start_at_once_all_find_the_schema(url: str) -> None:
    async with opener(url) as one, opener(url) as two, opener(url) as three:
        processes = (one, two, three)
        for process in processes:
            assert await said(process) == "ready"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")
        for process in processes:
            assert (await said(process)).startswith("1 ")


async def test_a_server_waits_for_one_that_is_migrating(
    postgres: Postgres, postgres_url: str
) -> None:
    other = await asyncpg.connect(postgres_url)
    try:
        async with asyncio.TaskGroup() as group, asyncio.timeout(30):
            transaction = other.transaction()
            await transaction.start()
            await other.execute(f"SELECT pg_advisory_xact_lock({module._LOCK})")
            opening = group.create_task(Database.open(postgres_url))
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while await postgres.execute(waiting) != [(1,)]:
                assert not opening.done()
            await transaction.rollback()
        await opening.result().close()
    finally:
        await other.close()


async def test_the_wait_for_another_ends(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOCK_WAIT", "20ms")
    other = await asyncpg.connect(postgres_url)
    try:
        await other.execute(f"SELECT pg_advisory_lock({module._LOCK})")
        with pytest.raises(StoreFailed, match="another server is changing the schema"):
            await Database.open(postgres_url)
    finally:
        await other.close()
