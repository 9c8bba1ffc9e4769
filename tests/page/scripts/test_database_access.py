"""Ways to databases that are there."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import ScriptFailed
from stockade.page.scripts import script
from tests.support.tabs import Tab

BUILD = "database => database.createObjectStore('s')"


async def work(tab: Tab, body: str) -> Any:
    function = f"async () => {{ const access = ({script('database_access')})(); {body} }}"
    return await tab.page.main_frame.call(function)


async def test_looking_makes_nothing(tab: Tab) -> None:
    await tab.show("<p>hello")
    with pytest.raises(ScriptFailed, match="no database"):
        await work(tab, "await access.using('a', { patience: 1000 }, () => 1);")
    assert await work(tab, "return access.list();") == []


async def test_what_is_made_is_found(tab: Tab) -> None:
    await tab.show("<p>hello")
    options = f"{{ patience: 1000, version: 2, upgrade: {BUILD} }}"
    await work(tab, f"await access.using('a', {options}, () => 1);")
    assert await work(tab, "return access.list();") == [{"name": "a", "version": 2}]
    stores = "return access.using('a', { patience: 1000 }, database => access.names(database));"
    assert await work(tab, stores) == ["s"]
    with pytest.raises(ScriptFailed, match="no store"):
        await work(
            tab,
            "await access.using('a', { patience: 1000 }, database => access.store(database, 'x'));",
        )


async def test_nothing_stays_open(tab: Tab) -> None:
    await tab.show("<p>hello")
    options = f"{{ patience: 1000, version: 1, upgrade: {BUILD} }}"
    await work(
        tab,
        f"try {{ await access.using('a', {options}, () => {{ throw 1; }}); }} catch {{}}",
    )
    deleted = await tab.main(
        "() => new Promise((resolve) => { const request = indexedDB.deleteDatabase('a');"
        " request.onblocked = () => resolve(false); request.onsuccess = () => resolve(true); })"
    )
    assert deleted is True


async def test_patience_ends(tab: Tab) -> None:
    await tab.show("<p>hello")
    await tab.main(
        "() => new Promise((resolve) => { const request = indexedDB.open('busy', 1);"
        " request.onupgradeneeded = () => { const store = request.result.createObjectStore('a');"
        " const again = () => { store.get(1).onsuccess = again; }; again(); resolve(); }; })"
    )
    with pytest.raises(ScriptFailed, match="does not let it go"):
        await work(tab, "await access.using('busy', { patience: 50 }, () => 1);")
