"""Calls into pages: values, failures, handles."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from stockade.engines.events import ConsoleMessage
from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.errors import DeadlineExceeded, NavigationRace, ScriptFailed
from tests.support.site import Site


@pytest.mark.parametrize(
    "value", [None, True, 0, -3, 2.5, "", "täxt\u2028", [1, [2]], {"a": {"b": [None]}}]
)
async def test_json_goes_in_and_out(page: Page, value: Any) -> None:
    assert await page.main_frame.call("(x) => x", value) == value


async def test_numbers_json_does_not_know(page: Page) -> None:
    frame = page.main_frame
    assert math.isnan(await frame.call("() => NaN"))
    assert await frame.call("() => -Infinity") == -math.inf
    assert await frame.call("() => 2n ** 70n") == 2**70
    assert await frame.call("() => undefined") is None


async def test_promises_are_awaited_and_throws_are_typed(page: Page) -> None:
    frame = page.main_frame
    assert await frame.call("async (x) => x + 1", 1) == 2
    for code in ("() => { throw new TypeError('bad'); }", "async () => { throw Error('bad'); }"):
        with pytest.raises(ScriptFailed) as caught:
            await frame.call(code)
        assert "bad" in caught.value.message
    with pytest.raises(ScriptFailed):
        await frame.call("() => { throw 'a string'; }")
    with pytest.raises(ScriptFailed):
        await frame.call("this is not code")


async def test_a_call_that_never_ends_ends_by_its_deadline(page: Page) -> None:
    with pytest.raises(DeadlineExceeded):
        await page.main_frame.call("() => new Promise(() => {})", timeout=0.05)
    assert await page.main_frame.call("() => 1") == 1


async def test_a_navigation_ends_the_call(either_page: Page, site: Site) -> None:
    page = either_page
    site.page("/", "<title>Here</title>")
    async with asyncio.timeout(5):
        started = asyncio.Event()
        page.events.on(ConsoleMessage, lambda _: started.set())
        waiting = asyncio.gather(
            page.main_frame.call("() => new Promise(() => { console.log('started'); })"),
            return_exceptions=True,
        )
        await started.wait()
        await page.navigate(site.url("/"))
        [error] = await waiting
    assert isinstance(error, NavigationRace)


async def test_worlds_share_the_document_and_nothing_else(either_page: Page) -> None:
    frame = either_page.main_frame
    await frame.call("() => { globalThis.mine = 1; document.title = 'shared'; }")
    assert await frame.call("() => globalThis.mine", world=World.MAIN) is None
    assert await frame.call("() => document.title", world=World.MAIN) == "shared"
    assert await frame.call("() => globalThis.mine") == 1


async def test_handles(page: Page) -> None:
    frame = page.main_frame
    await frame.call("() => { document.body.innerHTML = '<i>a</i><i>b</i>'; }")
    every = await frame.call_handle("() => [...document.querySelectorAll('i')]")
    items = await every.items()
    assert [await item.call("function () { return this.textContent; }") for item in items] == [
        "a",
        "b",
    ]
    assert await items[0].call("function (x) { return x; }", 5) == 5
    assert await items[0].closed_shadow_root() is None
    await every.dispose()
    with pytest.raises(ScriptFailed):
        await frame.call_handle("() => 5")


@pytest.mark.parametrize("how", ["script", "markup"])
async def test_closed_shadow_roots(page: Page, site: Site, how: str) -> None:
    if how == "markup":
        body = "<div id=h><template shadowrootmode=closed><b>in</b></template></div>"
    else:
        body = (
            "<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<b>in</b>'</script>"
        )
    site.page("/", body)
    await page.navigate(site.url("/"))
    host = await page.main_frame.call_handle("() => document.getElementById('h')")
    root = await host.closed_shadow_root()
    assert root is not None
    assert await root.call("function () { return this.innerHTML; }") == "<b>in</b>"
    assert await host.call("function (root) { return root.host === this; }", root) is True
