"""The shape of every answer."""

from __future__ import annotations

import json
from typing import Any

from tests.support.tabs import Tab


async def raw(tab: Tab, name: str) -> Any:
    return json.loads(
        await tab.page.main_frame.call("(name) => stockade.call(name, { base: 40 })", name)
    )


async def expose(tab: Tab, name: str, body: str) -> None:
    await tab.page.main_frame.call(
        f"() => {{ const {{ Agent }} = stockade.modules; Agent.expose('{name}', {body}); }}"
    )


async def test_values_promises_failures_and_faults(tab: Tab) -> None:
    await tab.show("")
    await expose(tab, "value", "() => ({ x: 1 })")
    await expose(tab, "nothing", "() => undefined")
    await expose(tab, "later", "async () => 5")
    await expose(tab, "refused", "() => Agent.fail('not_found', 'none', { n: 0 })")
    await expose(tab, "broken", "() => null.x")
    await expose(tab, "broken_later", "async () => null.x")
    assert await raw(tab, "value") == {"ok": {"x": 1}, "next": 40}
    assert (await raw(tab, "nothing"))["ok"] is None
    assert (await raw(tab, "later"))["ok"] == 5
    refused = {"code": "not_found", "message": "none", "details": {"n": 0}}
    assert (await raw(tab, "refused"))["error"] == refused
    for name in ("broken", "broken_later", "unknown"):
        assert (await raw(tab, name))["error"]["code"] == "agent_fault"


async def test_a_method_has_one_owner(tab: Tab) -> None:
    await tab.show("")
    thrown = await tab.page.main_frame.call(
        "() => { try { stockade.modules.Agent.expose('arm', () => 1); return false; }"
        " catch { return true; } }"
    )
    assert thrown is True
