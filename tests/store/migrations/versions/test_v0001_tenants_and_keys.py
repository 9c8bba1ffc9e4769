"""The first version of the schema keeps its promises by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from stockade.store.database import Database
from stockade.store.schema import keys, tenants
from tests.store.connections import reading, writing

NOW = datetime.now(UTC)


def row(**given: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "tenant": "local",
        "name": "one",
        "role": "agent",
        "secret_hash": b"x",
        "origins": [],
        "created_at": NOW,
        **given,
    }


async def add(database: Database, **given: Any) -> None:
    async with writing(database) as connection:
        await connection.execute(insert(keys).values(row(**given)))


async def test_what_makes_no_sense_is_refused(database: Database) -> None:
    await add(database, id="0", name="zero")
    wrong: list[dict[str, Any]] = [
        {"role": "king"},
        {"role": ""},
        {"tenant": "nobody"},
        {"name": None},
        {"secret_hash": None},
        {"created_at": None},
        {"id": "0", "name": "other"},
        {"name": "zero"},
    ]
    for given in wrong:
        with pytest.raises(IntegrityError):
            await add(database, **given)
    async with reading(database) as connection:
        assert list(await connection.scalars(select(keys.c.id))) == ["0"]


async def test_revoked_keys_may_share_a_name(database: Database) -> None:
    for number in range(3):
        await add(database, id=str(number), revoked_at=NOW)
    await add(database, id="live")
    with pytest.raises(IntegrityError):
        await add(database, id="another")


async def test_a_tenant_with_keys_stays(database: Database) -> None:
    await add(database)
    with pytest.raises(IntegrityError):
        async with writing(database) as connection:
            await connection.execute(delete(tenants))
