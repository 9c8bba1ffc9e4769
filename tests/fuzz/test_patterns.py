"""Patterns that would take for ever where they were tried with every way to match: each ends, and the
server goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.callers import Caller
from tests.support.websocket import WebSocket

LONG = "a" * 300
STARS = {
    "one letter": "*a" * 24 + "*b",
    "two stars each": "**a" * 24 + "**b",
    "letters of all kinds": "*a*?*.*a" * 8 + "*b",
}
RESPONSE = {"body": "made up"}
CLICK = {"tool": "click", "args": {"selector": "button"}}
TAKING: dict[str, tuple[str, dict[str, Any]]] = {
    "ws_read": ("urlPattern", {}),
    "network_read": ("urlPattern", {}),
    "route": ("urlPattern", RESPONSE),
    "route_queue": ("urlPattern", {"responses": [RESPONSE]}),
    "unroute": ("urlPattern", {}),
    "ws_intercept": ("pattern", {"response": "echo"}),
    "ws_unintercept": ("pattern", {}),
    "sw_intercept_fetch": ("pattern", {"response": RESPONSE}),
    "sw_unintercept_fetch": ("pattern", {}),
    "caches_list": ("urlPattern", {"cacheName": "c"}),
    "asset_export": ("urlPattern", {}),
}


async def echo(socket: WebSocket) -> None:
    while (message := await socket.receive()) is not None:
        await socket.send(message)


@pytest.fixture
async def long(mighty: Caller) -> Caller:
    """Somebody at a page whose addresses are long."""
    site = mighty.site
    site.websocket(f"/{LONG}", echo)
    site.page(f"/{LONG}.txt", "answer")
    await mighty.show(
        f"""<button onclick="fetch('/{LONG}.txt')">Ask</button><script>
        const socket = new WebSocket('ws://' + location.host + '/{LONG}');
        socket.onopen = () => socket.send('hello');
        caches.open('c').then((cache) => cache.add('/{LONG}.txt'))
          .then(() => {{ document.body.insertAdjacentHTML('beforeend', '<p>Ready'); }});
        </script>""",
        path=f"/{LONG}",
    )
    await mighty.ok("wait_for", text="Ready")
    return mighty


@pytest.mark.parametrize("kind", STARS)
@pytest.mark.parametrize("tool", TAKING)
async def test_any_pattern_ends(long: Caller, tool: str, kind: str) -> None:
    name, more = TAKING[tool]
    # One that fits has the request held, and the others asked about it in whatever order.
    for pattern in (STARS[kind], f"*{LONG}*", STARS[kind]):
        await long.reply(tool, **{name: pattern}, **more)
    await long.ok("click", selector="button")
    await long.ok("tabs")


@pytest.mark.parametrize("kind", STARS)
async def test_any_pattern_to_wait_for_ends(long: Caller, kind: str) -> None:
    told = await long.reply(
        "act_and_wait_for_network",
        action=CLICK,
        match={"urlPattern": STARS[kind]},
        timeoutMs=1000,
    )
    assert not told.ok
    await long.ok("tabs")
