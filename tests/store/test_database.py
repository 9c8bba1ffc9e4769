"""A database is opened by its URL; what goes wrong there is told without telling secrets."""

from __future__ import annotations

import asyncio
import gc
import traceback
from typing import Any

import pytest
from sqlalchemy import Select, column, func, insert, select, table, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from stockade.errors import StoreFailed
from stockade.store.database import Database
from stockade.store.schema import tenants
from stockade.store.tenants import TenantRecord, Tenants
from tests.store.connections import writing
from tests.support.leaks import descriptors
from tests.support.soak import Soak

SECRET = "hunter2hunter2"


def told(error: BaseException) -> str:
    """Everything that a log could show of an error."""
    shown = [*traceback.format_exception(error), repr(error)]
    if isinstance(error, StoreFailed):
        shown.append(str(error.as_dict()))
    return "".join(shown)


async def names(database: Database) -> list[str]:
    return [tenant.name for tenant in await Tenants(database).list()]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "stockade.db",
        "/var/stockade.db",
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite://host/path",
        "SQLITE:///x",
        "file:///x.db",
        f"mysql://root:{SECRET}@localhost/db",
        f"postgresql+psycopg2://root:{SECRET}@localhost/db",
        f"postgresql:/root:{SECRET}@localhost/db",
        SECRET,
        f"\0{SECRET}",
    ],
)
async def test_what_is_no_url_of_ours_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(StoreFailed) as caught:
        await Database.open(url)
    assert "sqlite:///" in caught.value.hint
    assert SECRET not in told(caught.value)


async def test_a_write_is_kept_whole_or_not_at_all(database: Database) -> None:
    async def rename(connection: AsyncConnection) -> None:
        await connection.execute(update(tenants).values(name="other"))

    async def stumble(connection: AsyncConnection) -> None:
        await rename(connection)
        raise RuntimeError

    async def contradict(connection: AsyncConnection) -> None:
        await rename(connection)
        await connection.execute(insert(tenants).values(name="without a time"))

    with pytest.raises(RuntimeError):
        await database.write(stumble)
    with pytest.raises(IntegrityError):
        await database.write(contradict)
    assert await names(database) == ["local"]
    await database.write(rename)
    assert await names(database) == ["other"]


async def test_a_write_gives_back_what_its_work_does(database: Database) -> None:
    count = select(func.count()).select_from(tenants)
    assert await database.write(lambda connection: connection.scalar(count)) == 1


async def test_a_reader_is_not_held_up_by_a_writer(database: Database) -> None:
    async with writing(database) as connection, asyncio.timeout(10):
        await connection.execute(update(tenants).values(name="other"))
        assert await names(database) == ["local"]
    assert await names(database) == ["other"]


async def test_writers_wait_for_each_other(database: Database) -> None:
    outcomes = await asyncio.gather(
        *(Tenants(database).create(f"t{number}") for number in range(30))
    )
    assert all(isinstance(outcome, TenantRecord) for outcome in outcomes)
    assert len(await names(database)) == 31


async def test_a_fault_of_the_database_is_typed_and_hides_values(database: Database) -> None:
    wrong: Select[Any] = (
        select(column("x")).select_from(table("nothing")).where(column("x") == SECRET)
    )
    for call in (
        lambda: database.fetch(wrong),
        lambda: database.write(lambda connection: connection.execute(wrong)),
    ):
        with pytest.raises(StoreFailed) as caught:
            await call()
        assert SECRET not in told(caught.value)
    assert await names(database) == ["local"]


async def test_a_closed_database_has_let_everything_go(url: str) -> None:
    before = descriptors()
    for _ in range(3):
        database = await Database.open(url)
        await asyncio.gather(*(names(database) for _ in range(8)))
        await database.close()
        await database.close()
    assert descriptors() == before


async def test_a_failed_open_has_let_everything_go(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stockade.store.database.up_to_date", fail)
    before = descriptors()
    with pytest.raises(KeyboardInterrupt):
        await Database.open(url)
    assert descriptors() == before


async def test_what_was_begun_is_finished_though_its_caller_is_cancelled(
    database: Database,
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(connection: AsyncConnection) -> None:
        begun.set()
        await go_on.wait()
        await connection.execute(update(tenants).values(name="other"))

    async with asyncio.TaskGroup() as group:
        task = group.create_task(database.write(slow))
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert await names(database) == ["local"]
        go_on.set()
        await database.close()
    assert await names(database) == ["other"]


async def test_what_fails_after_its_caller_is_gone_disturbs_nobody(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(connection: AsyncConnection) -> None:
        begun.set()
        await go_on.wait()
        await connection.execute(insert(tenants).values(name=None))

    async with asyncio.TaskGroup() as group:
        task = group.create_task(database.write(slow))
        await begun.wait()
        task.cancel()
    go_on.set()
    await database.close()
    gc.collect()
    assert caplog.text == ""
    assert await names(database) == ["local"]


async def test_calls_cancelled_at_any_moment_lose_no_connection(
    database: Database, soak: Soak
) -> None:
    for number in range(soak.rounds(1000)):
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(Tenants(database).create(f"t{number}-{part}"))
                for part in range(3)
            ]
            for _ in range(soak.random.randrange(60)):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
    async with asyncio.timeout(30):
        await asyncio.gather(*(names(database) for _ in range(20)))
        await Tenants(database).create("last")
        while database._under_way:
            await asyncio.wait(database._under_way)
    assert "last" in await names(database)
    assert database._reader.pool.checkedout() == 0  # type: ignore[attr-defined]


async def test_writers_that_wait_leave_connections_to_readers(database: Database) -> None:
    begun, release = asyncio.Event(), asyncio.Event()

    async def slow(connection: AsyncConnection) -> None:
        begun.set()
        await release.wait()
        await connection.execute(update(tenants).values(name="local"))

    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(database.write(slow))
        await begun.wait()
        try:
            async with asyncio.timeout(5):
                assert await names(database) == ["local"]
        finally:
            release.set()
