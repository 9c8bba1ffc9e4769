"""Scripts of the caller's own."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.support.callers import Caller


async def value(caller: Caller, expr: str, **arguments: Any) -> Any:
    return (await caller.ok("eval_js", expr=expr, **arguments))["value"]


class TestEval:
    @pytest.mark.parametrize(
        ("expr", "expected"),
        [
            ("1 + 1", 2),
            ("document.title", "Shop"),
            ("const a = 2; a * 21", 42),
            ("let n = 0; for (let i = 0; i < 4; i++) n += i; n", 6),
            ("return document.title", "Shop"),
            ("if (true) { return 'early' } 'late'", "early"),
            ("() => 7", 7),
            ("async () => { await null; return 8 }", 8),
            ("function () { return 9 }", 9),
            ("{ a: 1, b: [true, null] }", {"a": 1, "b": [True, None]}),
            ("await new Promise(done => setTimeout(done, 1, 'later'))", "later"),
            ("Promise.resolve({ x: 1 })", {"x": 1}),
            ("undefined", None),
            ("'half \\ud83d'.length", 6),
            ("'👋 ' + prices[0]", "👋 4.2"),
        ],
    )
    async def test_expressions_and_statements(
        self, mighty: Caller, expr: str, expected: Any
    ) -> None:
        await mighty.show("<title>Shop</title><script>var prices = [4.2]</script>")
        assert await value(mighty, expr) == expected

    @pytest.mark.parametrize(
        ("expr", "expected"),
        [
            ("NaN", "NaN"),
            ("[Infinity, 10n]", ["Infinity", "10n"]),
            ("new Map([['a', 1]])", {"[Map]": [["a", 1]]}),
            ("new Set([1, 2])", {"[Set]": [1, 2]}),
            ("/a+/g", "/a+/g"),
            ("new Date(0)", "1970-01-01T00:00:00.000Z"),
            ("({ f() {} })", {"f": "[function f]"}),
            ("Symbol('s')", "[Symbol(s)]"),
            ("document.querySelector('button')", '[<button class="buy">]'),
            ("document.querySelectorAll('button')", ['[<button class="buy">]'] * 2),
            ("[new Error('no')]", [{"error": "Error", "message": "no"}]),
            ("const c = { own: 1 }; c.self = c; c", {"own": 1, "self": "[circular]"}),
            ("new Uint8Array([1, 2])", [1, 2]),
            ("new URLSearchParams('a=1&b=2')", {"a": "1", "b": "2"}),
            ("new WeakMap()", "[WeakMap]"),
        ],
    )
    async def test_what_json_cannot_hold_is_described(
        self, mighty: Caller, expr: str, expected: Any
    ) -> None:
        await mighty.show("<button class=buy>A</button><button class=buy>B</button>")
        assert await value(mighty, expr) == expected

    async def test_objects_of_the_browser_are_not_empty(self, mighty: Caller) -> None:
        await mighty.show("<p style='margin: 0; width: 50px'>x</p>")
        box = await value(mighty, "document.querySelector('p').getBoundingClientRect()")
        assert box["width"] == 50
        screen = await value(mighty, "screen")
        assert screen["width"] == 1280
        assert "[window" in await value(mighty, "window")

    async def test_an_exception_is_told_with_its_line(self, mighty: Caller) -> None:
        await mighty.show("<p>x</p>")
        body = await mighty.refused("eval_js", expr="const a = 1;\nnothing.here;")
        assert body["code"] == "script_failed"
        assert "nothing is not defined" in body["error"]
        assert body["line"] == 2
        body = await mighty.refused("eval_js", expr="throw 'plain words'")
        assert "plain words" in body["error"]
        body = await mighty.refused("eval_js", expr="const = ;")
        assert "SyntaxError" in body["error"]

    async def test_frames_and_elements(self, mighty: Caller) -> None:
        mighty.site.page("/inner", "<title>Inner</title><button>Deep</button>")
        inner = mighty.site.url("/inner", host="localhost")
        await mighty.show(
            f'<title>Outer</title><button>Top</button><iframe src="{inner}"></iframe>'
        )
        await mighty.ok("wait_for", text="Deep")
        found = (await mighty.ok("find", query="Deep"))["candidates"][0]["ref"]
        assert await value(mighty, "element.textContent + document.title", ref=found) == "DeepInner"
        frame = found.partition("e")[0]
        assert await value(mighty, "document.title", frame=frame) == "Inner"
        assert await value(mighty, "document.title") == "Outer"
        assert await value(mighty, "el => el.localName", ref=found) == "button"

    async def test_nothing_is_asked_for(self, mighty: Caller) -> None:
        await mighty.show("<p>x</p>")
        result = await mighty.ok("eval_js", expr="document.title = 'Done'", returnType="void")
        assert "value" not in result
        assert await value(mighty, "document.title") == "Done"

    async def test_a_runaway_is_ended_and_the_tab_goes_on(self, mighty: Caller) -> None:
        await mighty.show("<button onclick=\"this.textContent = 'Pressed'\">Press</button>")
        body = await mighty.refused("eval_js", expr="while (true) {}", timeoutMs=300)
        assert body["code"] == "timeout"
        result = await mighty.ok("click", selector="text=Press")
        assert "Pressed" in result["snapshotDelta"]["tree"]

    async def test_a_caller_that_leaves_takes_its_script_along(self, mighty: Caller) -> None:
        await mighty.show("<p>x</p>")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await mighty.reply("eval_js", expr="while (true) {}", timeoutMs=60_000)
        assert await value(mighty, "1 + 2") == 3

    async def test_what_is_never_resolved_harms_no_other_script(self, mighty: Caller) -> None:
        await mighty.show("<p>x</p>")
        body = await mighty.refused("eval_js", expr="new Promise(() => {})", timeoutMs=200)
        assert body["code"] == "timeout"
        assert await value(mighty, "1 + 2") == 3

    async def test_what_is_too_large_is_kept_whole(self, mighty: Caller) -> None:
        await mighty.show("<p>x</p>")
        result = await mighty.ok("eval_js", expr="Array.from({ length: 20000 }, (_, i) => i)")
        assert "note" in result
        session = await mighty.kernel.sessions.reach(mighty.principal, "default")
        artifact = mighty.kernel.artifacts.named(session, result["path"])
        assert len(json.loads(artifact.path.read_bytes())) == 20000

    async def test_only_with_the_capability(self, caller: Caller) -> None:
        assert (await caller.refused("eval_js", expr="1"))["code"] == "capability_disabled"


class TestPoll:
    async def test_until_it_is_true(self, mighty: Caller) -> None:
        await mighty.show(
            "<script>let asked = 0; const ready = () => ++asked > 2 && 'yes'</script>"
        )
        result = await mighty.ok("poll_eval", expr="ready()", intervalMs=10)
        assert (result["truthy"], result["value"], result["polls"]) == (True, "yes", 3)
        assert not result["timedOut"]

    async def test_what_is_not_there_yet_is_waited_for(self, mighty: Caller) -> None:
        await mighty.show("<script>setTimeout(() => { window.app = { ready: 1 } }, 50)</script>")
        result = await mighty.ok("poll_eval", expr="app.ready", intervalMs=10)
        assert result["value"] == 1

    async def test_time_is_up(self, mighty: Caller) -> None:
        await mighty.show("<p>x</p>")
        result = await mighty.ok("poll_eval", expr="0", intervalMs=20, timeoutMs=60)
        assert (result["truthy"], result["timedOut"], result["value"]) == (False, True, 0)
        body = await mighty.refused("poll_eval", expr="never.there", intervalMs=20, timeoutMs=60)
        assert body["code"] == "script_failed"
