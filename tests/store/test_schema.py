"""What the tables hold comes back as it was, from both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import insert, select, update

from stockade.errors import StoreFailed
from stockade.policy.principal import LOCAL_TENANT as PRINCIPALS_TENANT
from stockade.policy.principal import Role
from stockade.store.database import Database
from stockade.store.schema import LOCAL_TENANT, ROLES, tenants
from tests.store.connections import writing

FIRST = datetime(1, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)


def test_roles_and_tenant_are_those_of_the_policy() -> None:
    assert list(ROLES) == [str(role) for role in Role]
    assert LOCAL_TENANT == PRINCIPALS_TENANT


async def test_a_moment_comes_back_the_same_and_in_utc(database: Database) -> None:
    for moment in (
        datetime(2031, 5, 6, 7, 8, 9, 123456, tzinfo=UTC),
        datetime(2031, 5, 6, 7, 8, 9, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        FIRST,
        LAST,
    ):
        async with writing(database) as connection:
            await connection.execute(update(tenants).values(created_at=moment))
            kept = await connection.scalar(select(tenants.c.created_at))
        assert kept == moment
        assert kept is not None
        assert kept.tzinfo is UTC


async def test_moments_are_compared_in_time_not_as_text(database: Database) -> None:
    moments = [
        FIRST,
        datetime(999, 1, 1, tzinfo=UTC),
        datetime(2031, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=2))),
        datetime(2031, 1, 1, 0, 0, tzinfo=UTC),
        datetime(2031, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
        LAST,
    ]
    async with writing(database) as connection:
        for number, moment in enumerate(moments):
            row = {"name": str(number), "created_at": moment}
            await connection.execute(insert(tenants).values(row))
        for limit in moments:
            earlier = await connection.scalars(
                select(tenants.c.created_at).where(
                    tenants.c.created_at <= limit, tenants.c.name != "local"
                )
            )
            assert set(earlier) == {moment for moment in moments if moment <= limit}


async def test_a_moment_without_a_zone_is_not_kept(database: Database) -> None:
    with pytest.raises(StoreFailed):
        async with writing(database) as connection:
            await connection.execute(update(tenants).values(created_at=datetime(2031, 1, 1)))  # noqa: DTZ001
