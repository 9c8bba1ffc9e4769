"""Tenants."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import Conflict, InvalidArgument
from stockade.store.database import Database
from stockade.store.tenants import Tenants, is_tenant_name


@pytest.fixture
def tenants(database: Database) -> Tenants:
    return Tenants(database)


async def test_the_local_tenant_is_built_in(tenants: Tenants) -> None:
    (local,) = await tenants.list()
    assert local.name == "local"
    assert timedelta() <= datetime.now(UTC) - local.created_at < timedelta(minutes=5)
    assert local.created_at.tzinfo is UTC


async def test_a_tenant_is_added_once(tenants: Tenants) -> None:
    made = await tenants.create("acme")
    assert made in await tenants.list()
    with pytest.raises(Conflict):
        await tenants.create("acme")
    with pytest.raises(Conflict):
        await tenants.create("local")
    assert [tenant.name for tenant in await tenants.list()] == ["acme", "local"]


async def test_of_several_at_once_one_wins(tenants: Tenants) -> None:
    outcomes = await asyncio.gather(
        *(tenants.create("acme") for _ in range(8)), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict"] * 7 + [
        "TenantRecord"
    ]


async def test_names_that_could_not_stand_in_a_path_are_refused(tenants: Tenants) -> None:
    for name in ("", "-a", "A", "a b", "a/b", "..", "a.b", "a_b", "a" * 64, "é", "a\n", "\0", "١"):
        with pytest.raises(InvalidArgument) as caught:
            await tenants.create(name)
        assert repr(name) not in caught.value.message
    assert len(await tenants.list()) == 1


async def test_names_may_be_short_or_long(tenants: Tenants) -> None:
    for name in ("a", "0", "a-b-", "a" * 63):
        assert (await tenants.create(name)).name == name


@given(st.text(max_size=70))
def test_every_name_is_one_plain_word(name: str) -> None:
    if is_tenant_name(name):
        assert name.isascii()
        assert name == name.lower().strip("._/ \n\0")
        assert 0 < len(name) < 64
