"""The next result is a failure that says what the page asked for: of every kind, and once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.kernel.results import Reply
from stockade.sessions.asked import Asked, raise_in
from stockade.surfaces.mcp.content import result_of
from stockade.surfaces.v1.calls import told
from tests.support.callers import Caller

EVENTS = {
    "dialog": Asked("dialog", "confirm", "Sure?", "http://a", "dismissed"),
    "permission": Asked("permission", "camera", "camera", "http://a", "raise"),
    "notification": Asked("notification", "Buy", "Buy: now", "http://a", "raise"),
    "fs-picker": Asked("fs-picker", "input", "input", "http://a", "raise"),
}


def shown(reply: Reply) -> tuple[dict[str, Any], str]:
    """As REST and MCP tell it, where it must be a failure."""
    rest = json.loads(bytes(told(reply).body))
    spoken = result_of(reply, "2025-11-25")
    assert (rest["ok"], spoken.is_error) == (False, True)
    return rest, "\n".join(getattr(each, "text", "") for each in spoken.content)


@pytest.mark.parametrize("event", list(EVENTS))
async def test_data_text_and_lists(caller: Caller, event: str) -> None:
    await caller.show("<button>Go</button><script>console.log('line')</script>")
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    asked = EVENTS[event]
    for tool, given in (
        ("find", {"query": "Go"}),
        ("snapshot", {}),
        ("console_read", {}),
        ("verify_visible", {"selector": "button"}),
        ("screenshot", {}),
        ("hover", {"selector": "button", "mode": "none"}),
    ):
        raise_in(tab, asked)
        reply = await caller.reply(tool, **given)
        rest, spoken = shown(reply)
        assert rest["code"] == "page_asked", tool
        kind = "confirm" if event == "dialog" else event
        failure = rest["failure"]
        assert (failure["source"], failure["kind"], failure["text"]) == ("app", kind, asked.text)
        assert rest["hint"]
        assert asked.text in spoken
        if tool == "hover":
            assert "nothing was done" in rest["error"]
            assert reply.error is not None
        assert (await caller.reply(tool, **given)).ok, tool


async def test_a_batch_stops_and_a_failure_of_its_own_says_both(caller: Caller) -> None:
    await caller.show("<button>Go</button>")
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    raise_in(tab, EVENTS["permission"])
    calls = [{"tool": "find", "args": {"query": "Go"}}, {"tool": "snapshot"}]
    done = await caller.reply("batch", calls=calls)
    assert done.data is not None
    assert (done.data["ok"], done.data["failedAt"], len(done.data["results"])) == (False, 0, 1)
    assert done.data["results"][0]["result"]["failure"]["text"] == "camera"
    raise_in(tab, EVENTS["permission"])
    failed = await caller.reply("verify_visible", selector="#none")
    assert failed.data is not None
    assert failed.data["raised"]["text"] == "camera"
    assert (await caller.reply("snapshot")).ok


async def test_who_is_refused_may_insist(caller: Caller) -> None:
    """A page that never stops asking keeps nobody from acting, or from leaving."""
    await caller.show("<button>Go</button>")
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    outcomes = []
    for _ in range(4):
        raise_in(tab, EVENTS["permission"])
        reply = await caller.reply("hover", selector="button")
        outcomes.append((reply.ok, reply.error is None))
    assert outcomes == [(False, False), (False, True)] * 2
    raise_in(tab, EVENTS["permission"])
    left = await caller.reply("navigate", url=caller.site.page("/next", "<title>Next</title>"))
    assert (left.ok, left.error) == (False, None)
    assert tab.url.endswith("/next")
