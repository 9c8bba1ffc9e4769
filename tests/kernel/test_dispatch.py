"""Dispatch: every stage refuses what it must, in order, and lets the rest through."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from stockade.config import load
from stockade.masking.search import Hit, Search
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.server import running_kernel
from tests.support.callers import Caller
from tests.support.site import Site


async def test_a_tool_must_exist_be_shown_and_be_allowed(caller: Caller) -> None:
    assert (await caller.refused("nonsense"))["code"] == "unknown_tool"
    shown = replace(caller, toolsets=frozenset({"core"}))
    refusal = await shown.refused("upload_file", selector="x", content="")
    assert (refusal["code"], refusal["toolset"]) == ("tool_not_enabled", "forms")
    reader = caller.another(policy=Policy(capabilities=frozenset({Capability.READ})))
    refusal = await reader.refused("click", ref="e1")
    assert (refusal["code"], refusal["requiredCapability"]) == ("capability_disabled", "action")


@pytest.mark.parametrize(
    "arguments",
    [
        {"url": 5},
        {"url": None},
        {},
        {"url": "http://a", "extra": 1},
        {"url": "http://a", "timeoutMs": "soon"},
        {"url": "http://a", "session": {"deep": []}},
        {"url": "x" * 70_000},
    ],
    ids=lambda given: str(given)[:30],
)
async def test_arguments_are_checked_and_never_echoed(
    caller: Caller, arguments: dict[str, Any]
) -> None:
    refusal = await caller.refused("navigate", **arguments)
    assert refusal["code"] == "invalid_argument"
    assert "xxxx" not in str(refusal)
    assert refusal["error"].startswith("navigate: ")


async def test_tools_without_a_session_accept_one_and_ignore_it(caller: Caller) -> None:
    sessionless = [
        each for each in caller.kernel.registry if "session" not in each.arguments.model_fields
    ]
    assert {"list_sessions", "close_sessions", "plugins_list"} <= {x.name for x in sessionless}
    operator = caller.another(role=Role.OPERATOR)
    for tool in sessionless:
        told = (await operator.reply(tool.name, session="no-such-session")).text
        assert "session: " not in told, told
        assert "unknown_session" not in told, told
    assert (await caller.ok("list_sessions", session="work"))["sessions"] == []
    assert (await caller.ok("close_sessions", prefix="x", session="work"))["closed"] == []


async def test_a_value_is_not_in_the_complaint(caller: Caller) -> None:
    refusal = await caller.refused("fill", ref="e1", value=["hunter2-secret"])
    assert "hunter2" not in str(refusal)


async def test_deep_and_odd_json_is_refused_in_words(caller: Caller) -> None:
    deep: Any = []
    for _ in range(2000):
        deep = [deep]
    for value in (deep, {"a": deep}, float("nan"), "\ud800", "\x00"):
        refusal = await caller.refused("click", ref=value)
        assert refusal["code"] == "invalid_argument"
        await caller.refused("batch", calls=[{"tool": "click", "args": {"ref": value}}])


async def test_another_tenants_session_is_as_if_it_were_not_there(caller: Caller) -> None:
    await caller.ok("open_session", session="mine")
    stranger = caller.another(tenant="other")
    theirs = await stranger.refused("tabs", session="mine")
    assert theirs == await stranger.refused("tabs", session="none")
    assert theirs["code"] == "session_not_found"


async def test_a_deadline_ends_the_work(caller: Caller) -> None:
    await caller.show("<p>Here")
    caller.site.page("/slow", "late", delay=asyncio.Event())
    refusal = await caller.refused("navigate", url=caller.site.url("/slow"), timeoutMs=300)
    assert (refusal["code"], refusal["retryable"]) == ("timeout", True)
    # The navigation is given up: while it waits for its site, the page hears nothing.
    assert "Here" in await caller.text("snapshot")
    caller.site.page("/links", "<a href='/slow'>Go</a><p>Links")
    await caller.ok("navigate", url=caller.site.url("/links"))
    # What an action set off goes on until it is in the way of another call.
    await caller.refused("click", selector="role=link", timeoutMs=300)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await caller.reply("snapshot")
    assert "Links" in await caller.text("snapshot")


async def test_one_tab_serves_its_callers_in_turn(caller: Caller) -> None:
    await caller.show("<input aria-label=A>")
    done = await asyncio.gather(
        *(caller.reply("type", selector="label=A", text=letter * 3) for letter in "abc")
    )
    assert all(reply.ok for reply in done)
    assert done[-1].data is not None
    assert done[-1].data["element"]["value"] == "aaabbbccc"


@pytest.fixture
async def narrow(tmp_path: Path, site: Site) -> AsyncIterator[Caller]:
    """A kernel where waiting ends soon."""
    settings = load(
        workspace=tmp_path, queue_wait=0.2, tab_wait=0.2, calls_per_user=2, call_deadline=3
    )
    async with running_kernel(settings) as kernel:
        yield Caller(kernel, Principal("key1"), site)


async def test_a_full_queue_says_so(narrow: Caller) -> None:
    await narrow.show("<p>Here")
    narrow.site.page("/slow", "late", delay=asyncio.Event())
    async with asyncio.TaskGroup() as group:
        waiting = [
            group.create_task(narrow.reply("wait_for", text="never", timeoutMs=2500))
            for _ in range(3)
        ]
    codes = [reply.error.code for task in waiting if (reply := task.result()).error is not None]
    assert sorted(codes) == ["busy", "busy", "timeout"]


async def test_a_cancelled_call_gives_back_what_it_held(narrow: Caller) -> None:
    await narrow.show("<p>Here")
    for _ in range(4):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await narrow.reply("wait_for", text="never")
    assert (await narrow.reply("snapshot")).ok


async def test_a_page_that_blocks_itself_is_freed_by_the_deadline(mighty: Caller) -> None:
    await mighty.show("<button onclick='for (;;);'>Hang</button>")
    refusal = await mighty.refused("click", selector="role=button", timeoutMs=500)
    assert refusal["code"] == "timeout"
    assert "Hang" in await mighty.text("snapshot")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.4):
            await mighty.reply("click", selector="role=button")
    assert "Hang" in await mighty.text("snapshot"), "nor does it matter who gives up"
    mighty.site.page("/load", "<p>Begun<script>for (;;);</script>")
    refusal = await mighty.refused("navigate", url=mighty.site.url("/load"), timeoutMs=500)
    assert refusal["code"] == "timeout"
    assert "Begun" in await mighty.text("snapshot")


async def test_scripts_that_never_end_leave_the_tab_usable(mighty: Caller) -> None:
    await mighty.show("<button onclick='this.textContent = 2'>Go</button>")
    for endless in (
        "(async () => { for (;;) await null })()",
        "(async () => { for (;;) await new Promise((done) => setTimeout(done)) })()",
        "new Worker(URL.createObjectURL(new Blob(['for (;;);']))), new Promise(() => {})",
    ):
        assert (await mighty.refused("eval_js", expr=endless, timeoutMs=100))["code"] == "timeout"
        assert (await mighty.ok("eval_js", expr="1 + 1"))["value"] == 2
    assert (await mighty.ok("click", selector="role=button"))["ok"]


async def test_masking_covers_results_and_refusals(caller: Caller) -> None:
    caller.kernel.masker.add("PIN", "swordfish-9")
    await caller.show("<title>swordfish-9</title><button>swordfish-9</button>")
    for tool, arguments in (
        ("snapshot", {}),
        ("find", {"query": "swordfish-9"}),
        ("tabs", {}),
        ("click", {"selector": "role=button[name=swordfish-9x]"}),
        ("text_search", {"text": "swordfish-9"}),
    ):
        reply = await caller.reply(tool, **arguments)
        assert "swordfish" not in reply.text, tool
        assert "swordfish" not in str(reply.data), tool


async def test_calls_that_run_out_of_time_one_after_the_other_are_told(caller: Caller) -> None:
    await caller.show("<button>Go</button>")
    for _ in range(2):
        late = await caller.refused("click", selector="button", timeoutMs=1)
        assert (late["code"], "sessionWedged" in late) == ("timeout", False)
    late = await caller.refused("click", selector="button", timeoutMs=1)
    assert late["sessionWedged"] is True
    assert "new one" in late["sessionWedgedHint"]
    assert (await caller.ok("click", selector="button"))["ok"]
    for _ in range(4):
        waited = await caller.refused("wait_for", text="Never", timeoutMs=60)
        assert (waited["code"], "sessionWedged" in waited) == ("timeout", False)


async def test_a_wrong_value_is_told_with_its_argument_alone(caller: Caller) -> None:
    refusal = await caller.refused("snapshot", mode="wrong")
    assert refusal == {
        "ok": False,
        "error": "snapshot: mode: Input should be 'full' or 'interactive'",
        "code": "invalid_argument",
        "retryable": False,
        "failure": {"source": "caller"},
    }
    refusal = await caller.refused("snapshot", modus="full")
    assert "snapshot takes session, tab, " in refusal["hint"]
    assert refusal["error"].count("modus") == 1


async def test_much_that_is_wrong_is_told_in_no_time(caller: Caller) -> None:
    wrong = {f"name{number}": number for number in range(50_000)}
    began = time.thread_time()
    refusal = await caller.refused("snapshot", **wrong)
    assert time.thread_time() - began < 2
    assert "more than 100 things are wrong" in refusal["error"]
    assert "snapshot takes session, tab, " in refusal["hint"]


async def test_whose_doing_a_failure_is_and_whether_to_try_again(caller: Caller) -> None:
    """By what happened: nothing that may have reached the page is to be repeated."""
    await caller.show("<button onclick='for (;;);'>Hang</button><button disabled>Later</button>")
    told = {
        "the wrong kind": await caller.refused("fill", selector="text=Hang", value="x"),
        "a wrong selector": await caller.refused("click", selector="#none"),
        "not now": await caller.refused("click", selector="text=Later", timeoutMs=500),
        "never there": await caller.refused("wait_for", text="never", timeoutMs=100),
        "reached": await caller.refused("click", selector="text=Hang", timeoutMs=1500),
    }
    assert {
        what: (each["failure"]["source"], each["retryable"]) for what, each in told.items()
    } == {
        "the wrong kind": ("caller", False),
        "a wrong selector": ("caller", False),
        "not now": ("app", True),
        "never there": ("app", True),
        "reached": ("app", False),
    }


async def test_a_hint_names_what_its_client_was_shown(caller: Caller) -> None:
    few = replace(caller, toolsets=frozenset({"core"}))
    refusal = await few.refused("click", named="nothing")
    assert refusal["hint"] == "list_named_refs (toolset web) shows the names."
    refusal = await caller.refused("click", named="nothing")
    assert refusal["hint"] == "list_named_refs shows the names."


def _tangled(size: int) -> str:
    """Text with escapes of every kind within each other, in HTML."""
    chosen = random.Random(7)
    kinds = [
        "%25%34%31",
        "&amp;#65;",
        "\\u0041\\x41",
        "=41=42",
        "aGVsbG8gd29ybGQgaGVsbG8",
        "41 42 43 ",
    ]
    return "".join(chosen.choice(kinds) for _ in range(size // 10))


async def test_a_text_that_is_hard_to_mask_keeps_nobody_waiting(mighty: Caller) -> None:
    await mighty.ok("register_secret", name="TOKEN", value="correct horse battery")
    await mighty.show(f"<p>{_tangled(1_000_000)}")
    clock = asyncio.get_running_loop().time
    answered = [clock()]
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(mighty.reply("page_text"))
        while not reading.done():
            await mighty.ok("list_sessions")
            answered.append(clock())
    assert reading.result().ok
    longest = max(after - before for before, after in pairwise(answered))
    assert longest < (answered[-1] - answered[0]) / 4


HARD = {
    "escapes within each other": "%25%34%31&amp;#65;=41=42",
    "base64": "Y29ycmVjdCBob3JzZSBiYXR0ZXI",
    "numbers": "99 111 114 114 101 99 116 32 ",
    "letters that stand for many": "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}",
    "letters with much between them": "c\u200bo\u200br\u200b",
    "parts of it": "correct horse batter correct hors ",
    "signs of markup": "&lt;b&gt;c&lt;/b&gt;",
    "all of it": "correct horse battery ",
}
READ: dict[str, tuple[str, dict[str, Any]]] = {
    "snapshot": ("<p>TEXT</p>", {"maxResultTokens": 20_000}),
    "text_search": ("<p>TEXT</p>", {"text": "nowhere"}),
    "localstorage_get": ("<script>localStorage.long = `TEXT`</script>", {"key": "long"}),
    "console_read": ("<script>console.log(`TEXT`)</script>", {}),
    "eval_js": ("<p>TEXT</p>", {"expr": "document.body.innerText"}),
    "tabs": ("<script>document.title = `TEXT`</script>", {}),
    "page_text": ("<p>TEXT</p>", {}),
}


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        *(("page_text", kind) for kind in HARD),
        *((tool, "escapes within each other") for tool in READ if tool != "page_text"),
    ],
)
async def test_no_long_text_is_masked_in_the_loop(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch, tool: str, kind: str
) -> None:
    """Whatever a page makes up, whichever tool tells of it."""
    await mighty.ok("register_secret", name="TOKEN", value="correct horse battery")
    html, given = READ[tool]
    text = HARD[kind] * (300_000 // len(HARD[kind]))
    hits, loop, within = Search.hits, threading.get_ident(), list[int]()

    def noted(search: Search, text: str, *, parted: bool | None = None) -> list[Hit]:
        if threading.get_ident() == loop:
            within.append(len(text))
        return hits(search, text, parted=parted)

    monkeypatch.setattr(Search, "hits", noted)
    await mighty.show(html.replace("TEXT", text))
    await mighty.reply(tool, **given)
    assert max(within, default=0) < 32_768


async def test_a_deadline_ends_masking_too(mighty: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    await mighty.ok("register_secret", name="TOKEN", value="correct horse battery")
    await mighty.show(f"<p>{_tangled(4_000_000)}")
    hasty = mighty.kernel.settings.model_copy(update={"call_deadline": 1.5})
    monkeypatch.setattr(mighty.kernel, "settings", hasty)
    assert (await mighty.refused("page_text"))["code"] == "timeout"
    assert (await mighty.reply("tabs")).ok
