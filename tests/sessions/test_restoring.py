"""What a profile kept is put in place, and what is of no use is out of the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stockade.engines.port import Context
from stockade.engines.values import StorageKey
from stockade.files.profiles import Profile, Profiles
from stockade.page.kept_storage import written_databases, written_items
from stockade.sessions import restoring
from stockade.sessions.restoring import restore
from stockade.workspace import Workspace
from tests.sessions.ground import ALICE

SHOP = StorageKey("https://shop.example")
NEWS = StorageKey("https://news.example")
JAR = b'{"cookies":[{"name":"a","value":"1","domain":"shop.example","path":"/","expires":-1}]}'


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    profile = Profiles(lambda: Workspace.open(tmp_path)).open(ALICE, "work")
    yield profile
    profile.close()


async def test_what_is_of_no_use_is_set_aside(context: Context, profile: Profile) -> None:
    profile.write("cookies", b"[]")
    profile.write("rubbish", b"{}")
    profile.write(*written_items(SHOP, {"tea": "green"}))
    profile.write(*written_databases(SHOP, [{"name": "no", "version": -1, "stores": []}]))
    restored = await restore(profile, context)
    assert (restored.parts, restored.in_part) == ({}, {SHOP})
    assert profile.read() == {}
    # What could be put back is there.
    assert restored.items == {SHOP: {"tea": "green"}}
    async with context.storeroom() as room:
        assert await room.call(SHOP, "() => localStorage.tea") == "green"


async def test_what_there_is_no_time_for_stays_where_it_is(
    context: Context, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "_SECONDS", 0)
    profile.write("cookies", JAR)
    profile.write(*written_items(NEWS, {"tea": "green"}))
    kept = profile.read()
    restored = await restore(profile, context)
    assert (restored.parts, restored.items) == (kept, {})
    assert [what for what, _ in restored.missing] == ["storage of https://news.example"]
    assert [each.name for each in await context.cookies()] == ["a"]
