"""Coverage: what a page uses of its scripts and styles."""

from __future__ import annotations

import json
from typing import Any

from tests.support.asking import page_says, session_of
from tests.support.callers import Caller

SCRIPT = """function used(wide) { if (wide) { return 'never asked for' } return 1 }
function dead() { return 'nobody calls this' }
used();
"""
STYLES = """h1 { color: red }
.nobody { color: blue }
@media (min-width: 10px) { p { margin: 0 } .nowhere { margin: 1px } }
@font-face { font-family: X; src: url(x.woff2) }
"""


def page_with(caller: Caller, body: str = "") -> str:
    caller.site.page("/app.js", SCRIPT, content_type="text/javascript")
    caller.site.page("/style.css", STYLES, content_type="text/css")
    return f"""<link rel=stylesheet href=/style.css><style>b {{ top: 0 }} i {{ top: 0 }}</style>
    <h1>Shop</h1><p>text <b>bold</b></p>{body}<script src=/app.js></script>
    <script>function late() {{ return document.title }}</script>
    <button onclick="late()">Late</button>"""


def row(rows: list[dict[str, Any]], url: str) -> dict[str, Any]:
    [found] = [each for each in rows if each["url"] == url]
    return found


def dead_text(text: str, found: dict[str, Any], key: str) -> list[str]:
    return [text[each["start"] : each["end"]] for each in found.get(key, ())]


async def test_what_is_used_is_told_to_the_character(caller: Caller) -> None:
    assert (await caller.ok("coverage_start"))["restarted"] is False
    html = page_with(caller)
    await caller.show(html)
    told = await caller.ok("coverage_stop")
    script = row(told["jsCoverage"], caller.site.url("/app.js"))
    assert script["totalBytes"] == len(SCRIPT)
    dead = dead_text(SCRIPT, script, "deadRanges")
    assert any("nobody calls this" in each for each in dead)
    assert any("never asked for" in each for each in dead)
    assert script["usedBytes"] == len(SCRIPT) - sum(map(len, dead))
    sheet = row(told["cssCoverage"], caller.site.url("/style.css"))
    assert (sheet["usedRules"], sheet["totalRules"]) == (2, 4)
    assert dead_text(STYLES, sheet, "deadRules") == [
        ".nobody { color: blue }",
        ".nowhere { margin: 1px }",
    ]
    assert sheet["usedBytes"] == len("h1 { color: red }") + len("p { margin: 0 }")
    assert sheet["totalBytes"] == len(STYLES)
    inline = row(told["jsCoverage"], caller.site.url("/page"))
    assert inline["deadRanges"][0]["line"] > 1
    styles = row(told["cssCoverage"], caller.site.url("/page"))
    assert (styles["usedRules"], styles["totalRules"]) == (1, 2)
    assert told["durationMs"] > 0


async def test_use_after_loading_counts(caller: Caller) -> None:
    await caller.ok("coverage_start")
    await caller.show(page_with(caller))
    await caller.ok("click", selector="role=button")
    told = await caller.ok("coverage_stop")
    inline = row(told["jsCoverage"], caller.site.url("/page"))
    assert inline["usagePercent"] == 100


async def test_documents_that_are_left_still_count(caller: Caller) -> None:
    await caller.ok("coverage_start")
    await caller.show(page_with(caller))
    other = caller.site.other.page("/next", "<h2>Next</h2><script>var here = 1</script>")
    other = other.replace("127.0.0.1", "localhost")
    await caller.ok("navigate", url=other)
    told = await caller.ok("coverage_stop")
    urls = {each["url"] for each in told["jsCoverage"]}
    assert urls == {caller.site.url("/app.js"), caller.site.url("/page"), other}
    assert row(told["cssCoverage"], caller.site.url("/style.css"))["usedRules"] == 2


async def test_frames_of_other_sites_count_from_their_first_line(caller: Caller) -> None:
    inner = caller.site.other.page(
        "/inner", "<style>p { top: 0 }</style><p>in</p><script>function f() {} f()</script>"
    ).replace("127.0.0.1", "localhost")
    await caller.ok("coverage_start")
    await caller.show(f'<h1>Outer</h1><iframe src="{inner}"></iframe>')
    await caller.ok("wait_for", text="in")
    told = await caller.ok("coverage_stop")
    assert row(told["jsCoverage"], inner)["usagePercent"] == 100
    assert row(told["cssCoverage"], inner)["usedRules"] == 1


async def test_the_page_is_left_as_it_was(caller: Caller) -> None:
    await caller.ok("coverage_start")
    await caller.show("<p>page</p><script>debugger; window.past = 1</script>")
    assert await page_says(caller, "() => past") == 1
    assert (await caller.ok("coverage_start"))["restarted"] is True
    await caller.ok("coverage_stop")
    assert await caller.ok("coverage_stop") == {"ok": True, "notRunning": True}
    await caller.show("<p>page</p><script>debugger; window.past = 2</script>", path="/b")
    assert await page_says(caller, "() => past") == 2


async def test_more_than_fits_is_in_a_file(caller: Caller) -> None:
    lines = "\n".join(f"function f{n}() {{ return {n} }} f{n - n % 2}();" for n in range(200))
    for number in range(30):
        caller.site.page(f"/{number}.js", lines, content_type="text/javascript")
    await caller.ok("coverage_start")
    await caller.show("".join(f"<script src=/{number}.js></script>" for number in range(30)))
    told = await caller.ok("coverage_stop")
    kept = caller.kernel.artifacts.named(session_of(caller), told["path"]).path
    whole = json.loads(kept.read_bytes())
    assert len(whole["jsCoverage"]) == len(told["jsCoverage"]) == 30
    assert len(whole["jsCoverage"][0]["deadRanges"]) == 50
