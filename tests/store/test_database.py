"""A database is opened by its URL; what goes wrong there is told without telling secrets."""

from __future__ import annotations

import asyncio
import traceback

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import IntegrityError

from stockade.errors import StoreFailed
from stockade.store.database import Database
from stockade.store.schema import tenants
from stockade.store.tenants import TenantRecord, Tenants
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
    for error in (RuntimeError, IntegrityError):
        with pytest.raises(error):  # noqa: PT012
            async with database.writing() as connection:
                await connection.execute(update(tenants).values(name="other"))
                if error is RuntimeError:
                    raise RuntimeError
                await connection.execute(insert(tenants).values(name="without a time"))
        assert await names(database) == ["local"]


async def test_a_reader_is_not_held_up_by_a_writer(database: Database) -> None:
    async with database.writing() as connection, asyncio.timeout(10):
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
    with pytest.raises(StoreFailed) as caught:
        async with database.reading() as connection:
            await connection.execute(
                text("SELECT * FROM nothing WHERE x = :secret"), {"secret": SECRET}
            )
    assert SECRET not in told(caught.value)


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


async def test_a_cancelled_call_leaves_the_database_usable(database: Database, soak: Soak) -> None:
    """Cancelled at any point: nothing is half done, no connection is lost."""

    async def work(name: str) -> None:
        await Tenants(database).create(name)
        async with database.writing() as connection:
            first = await connection.scalar(select(tenants.c.created_at))
            row = {"name": f"{name}-b", "created_at": first}
            await connection.execute(insert(tenants).values(row))

    for number in range(soak.rounds(1000)):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work(f"t{number}-{part}")) for part in range(3)]
            for _ in range(soak.random.randrange(60)):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
    async with asyncio.timeout(30):
        await asyncio.gather(*(names(database) for _ in range(20)))
        await Tenants(database).create("last")
    assert "last" in await names(database)
