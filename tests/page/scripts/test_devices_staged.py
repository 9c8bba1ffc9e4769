"""Another catalog for documents that are there."""

from __future__ import annotations

import json
from typing import Any

from stockade.engines.values import InitScript, World
from stockade.page.scripts import script
from tests.page.scripts.test_devices import CATALOG, run, staged
from tests.support.tabs import Tab
from tests.support.waiting import until

ASK = "navigator.usb.requestDevice({ filters: [] }).then((d) => d.productName, (e) => e.name)"
NOTHING: dict[str, Any] = {"usb": [], "hid": [], "bluetooth": []}


async def test_what_is_staged_later_is_found_and_still_reported(tab: Tab) -> None:
    heard = await staged(tab, NOTHING)
    assert await run(tab, ASK) == "NotFoundError"
    source = f"({script('devices_staged')})('token', {json.dumps(CATALOG)})"
    await tab.page.context.add_script(InitScript(source, World.MAIN))
    assert await run(tab, ASK) == "Scale"
    await tab.page.reload(until="load")
    assert await run(tab, ASK) == "Scale"
    await until(lambda: len(heard) == 3)
    assert [each["outcome"] for each in heard] == ["no-match", "granted", "granted"]


async def test_a_page_that_overrides_it_only_fools_itself(tab: Tab) -> None:
    await staged(tab, NOTHING)
    await run(tab, "USB.prototype.requestDevice = function () { throw new Error('mine') }")
    source = f"({script('devices_staged')})('token', {json.dumps(CATALOG)})"
    await tab.page.context.add_script(InitScript(source, World.MAIN))
    asked = "navigator.hid.requestDevice({ filters: [] }).then((found) => found.length)"
    assert await run(tab, asked) == 1
