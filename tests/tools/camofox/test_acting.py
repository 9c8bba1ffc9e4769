"""What the tab API does to a page, over the kernel."""

from __future__ import annotations

import asyncio
from typing import Any

from stockade.errors import StockadeError
from tests.support.callers import Caller

SHOP = """<title>Shop</title><main>
<button onclick="note('cart')">Add to cart</button> <button onclick="note('one')">Add</button>
<button onclick="note('plain')"></button>
<button ondblclick="note('twice')">Open</button>
<button id=late disabled onclick="note('late')">Late</button>
<form onsubmit="event.preventDefault(); note('sent ' + q.value)">
<label>Search <input id=q></label></form>
<label>Size <select id=size onchange="note('size ' + this.value)">
<option value=s>Small<option value=l>Large</select></label>
<textarea aria-label=Notes id=notes></textarea><div contenteditable id=rich aria-label=Rich>old</div>
<input class=code maxlength=1 aria-label="Digit 1"><input class=code maxlength=1 aria-label="Digit 2">
<a href=/other target=_blank>Elsewhere</a> <a href=/report.csv>Report</a>
<button onclick="note(confirm('Sure?'))">Ask</button>
<p role=status id=out></p><div style="height:3000px"></div><p>The end</p></main><script>
const note = (what) => { out.textContent += `[${what}]`; };
document.querySelectorAll('.code').forEach((each, at, all) => {
  each.oninput = () => { const next = all[at + 1]; if (next) next.focus(); };
});
addEventListener('keydown', (event) => { if (event.ctrlKey) note(`${event.key} ${event.isTrusted}`); });
</script>"""


class Tab:
    """A tab of the tab API, opened by its own tool."""

    def __init__(self, caller: Caller, tab: str) -> None:
        self._caller = caller
        self.id = tab

    @classmethod
    async def at(cls, caller: Caller, html: str) -> Tab:
        url = caller.site.page("/page", html)
        made = await caller.ok("camofox_create_tab", url=url)
        return cls(caller, made["tabId"])

    async def ok(self, what: str, **arguments: Any) -> dict[str, Any]:
        return await self._caller.ok(f"camofox_{what}", tabId=self.id, **arguments)

    async def refused(self, what: str, **arguments: Any) -> StockadeError:
        reply = await self._caller.reply(f"camofox_{what}", tabId=self.id, **arguments)
        assert reply.error is not None, reply.text
        return reply.error

    async def value(self, expression: str) -> Any:
        return (await self.ok("evaluate", expression=expression)).get("result")

    async def ref(self, line: str) -> str:
        """The ref of the element that the snapshot shows so."""
        text: str = (await self.ok("snapshot"))["snapshot"]
        (found,) = [each for each in text.splitlines() if line in each]
        return found.partition(f"{line} [")[2].partition("]")[0]


async def test_clicks_reach_what_they_mean_and_tell_what_came_of_them(mighty: Caller) -> None:
    mighty.site.page("/other", "<title>Other</title>")
    mighty.site.page(
        "/report.csv", "a,b", headers={"content-disposition": "attachment; filename=report.csv"}
    )
    tab = await Tab.at(mighty, SHOP)
    clicked = await tab.ok("click", ref=await tab.ref('button "Add"'), selector="ignored")
    assert (clicked["ok"], clicked["url"], clicked["refsAvailable"]) == (
        True,
        mighty.site.url("/page"),
        True,
    )
    assert not clicked.keys() & {"newTabs", "downloads", "dialogs", "closed"}
    await tab.ok("click", selector='button:has-text("Add to")')
    await tab.ok("click", selector="text=Open", doubleClick=True)
    # It is enabled a moment later.
    await tab.value("setTimeout(() => { late.disabled = false }, 200)")
    await tab.ok("click", selector="#late")
    # So is one that is not there yet.
    await tab.value(
        "setTimeout(() => { document.body.insertAdjacentHTML('afterbegin',"
        " '<button id=new onclick=note(`new`)>New</button>') }, 200)"
    )
    await tab.ok("click", selector="#new")
    reply = await mighty.reply("camofox_click", tabId=tab.id, selector="text=Ask")
    asked = reply.data
    assert asked is not None
    assert (asked["ok"], asked["failure"]["source"]) == (False, "app")
    assert asked["dialogs"] == [{"kind": "confirm", "message": "Sure?", "handledAs": "dismissed"}]
    assert await tab.value("out.textContent") == "[one][cart][twice][late][new][false]"
    opened = await tab.ok("click", selector="text=Elsewhere")
    listed = {each["tabId"] for each in (await mighty.ok("camofox_list_tabs"))["tabs"]}
    assert {*opened["newTabs"], tab.id} == listed
    began = await tab.ok("click", selector="text=Report")
    assert [each["suggestedFilename"] for each in began["downloads"]] == ["report.csv"]


async def test_what_cannot_be_meant_is_told_at_once(mighty: Caller) -> None:
    tab = await Tab.at(mighty, SHOP)
    for arguments in ({}, {"ref": "", "selector": ""}):
        assert (await tab.refused("click", **arguments)).message == "ref or selector required"
    add = await tab.ref('button "Add"')
    for ref in ("e99999", "f9e1", "nonsense"):
        unknown = await tab.refused("click", ref=ref)
        assert unknown.code == "stale_ref"
        assert unknown.message.startswith(f"Unknown ref: {ref} (valid refs: e")
        assert "call snapshot first" in unknown.message
        assert unknown.details["ref"] == ref
    for selector in ("  ", "button[", "text(Add)", "a:not(.b"):
        wrong = await tab.refused("click", selector=selector)
        assert (wrong.code, wrong.details["reason"]) == ("invalid_argument", "invalid_selector")
    assert (await tab.refused("click", selector="button")).code == "ambiguous"
    assert (await tab.refused("hover", selector="#nowhere")).code == "not_found"
    await tab.value("document.querySelector('main').remove()")
    gone = await tab.refused("click", ref=add)
    assert (gone.code, gone.details["ref"]) == ("stale_ref", add)


async def test_text_goes_where_it_is_meant(mighty: Caller) -> None:
    tab = await Tab.at(mighty, SHOP)
    await tab.ok("type", ref=await tab.ref('textbox "Search"'), text="tea", pressEnter=True)
    assert await tab.ok("type", selector="#size", text="Large") == {"ok": True}
    await tab.ok("type", selector="#notes", text="long " * 40_000)
    await tab.ok("type", selector="#rich", text="new")
    assert await tab.value("[notes.value.length, rich.textContent, out.textContent]") == [
        200_000,
        "new",
        "[sent tea][size l]",
    ]
    # Key by key: a field hands the rest on to the next.
    await tab.ok("type", selector=".code >> nth=0", text="42", mode="keyboard", delay=1)
    assert await tab.value("[...document.querySelectorAll('.code')].map(e => e.value)") == [
        "4",
        "2",
    ]
    await tab.value("q.focus()")
    await tab.ok("press", key="End")
    await tab.ok("type", text=" x", mode="keyboard", delay=0, submit=True)
    await tab.ok("press", key="Control+a")
    await tab.ok("press", key="Delete")
    assert (await tab.value("out.textContent")).endswith("[sent tea x][Control true][a true]")
    assert await tab.value("q.value") == ""


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("type", {"selector": "#q"}, "text is required"),
    ("type", {"selector": "#q", "text": 5}, "text is required"),
    ("type", {"text": "x"}, "ref or selector required for mode=fill"),
    ("type", {"text": "x", "mode": "paste"}, "mode must be 'fill' or 'keyboard'"),
    ("type", {"text": "x" * 1000, "mode": "keyboard", "delay": 9999}, "more than 600 s"),
    ("press", {}, "key is required"),
    ("press", {"key": "Nonsense"}, "unknown key"),
    ("press", {"key": "Shift+Nonsense"}, "unknown key"),
    ("evaluate", {}, "expression is required"),
    ("evaluate", {"expression": "1;" * 600_000}, "at most"),
    ("wait_for", {}, "timeMs, text or loadState required"),
    ("scroll", {"direction": "sideways"}, "direction"),
]


async def test_wrong_arguments(mighty: Caller) -> None:
    made = await mighty.ok("camofox_create_tab")
    for tool, arguments, message in WRONG:
        refusal = await Tab(mighty, made["tabId"]).refused(tool, **arguments)
        assert refusal.code == "invalid_argument"
        assert message in refusal.message


async def test_scrolling_has_happened_when_it_is_told(mighty: Caller) -> None:
    tab = await Tab.at(mighty, SHOP)
    assert await tab.ok("scroll") == {"ok": True}
    assert await tab.value("scrollY") == 500
    await tab.ok("scroll", direction="up", amount=200)
    assert await tab.value("scrollY") == 300
    await tab.ok("scroll", direction="up", amount=9999)
    await tab.ok("scroll", direction="up")
    assert await tab.value("scrollY") == 0
    await tab.ok("scroll", selector="text=The end")
    assert await tab.value("scrollY") > 2000
    assert (await tab.refused("scroll", ref="e99999")).code == "stale_ref"
    mighty.site.other.page("/inner", "<div style='height:5000px'>Inner</div>")
    await mighty.ok(
        "camofox_navigate",
        tabId=tab.id,
        url=mighty.site.page(
            "/outer",
            f"<iframe style='width:100%;height:100vh' src={mighty.site.other.url('/inner')}></iframe>",
        ),
    )
    await tab.ok("wait_for", text="Inner")
    await tab.ok("scroll", direction="down", amount=120)
    inner = await mighty.ok("eval_js", tab=tab.id, frame="f1", expr="scrollY")
    assert inner["value"] == 120


VALUES: list[tuple[str, Any]] = [
    ("1 + 1", 2),
    ("() => 5", 5),
    ("async () => { await null; return document.title };", "Shop"),
    ("// the size\n(a = Math.max(1, (2)), b = [3]) => a + b[0];", 5),
    ("await Promise.resolve({ x: [1n, NaN] })", {"x": ["1n", "NaN"]}),
    ("document.querySelector('#q')", '[<input id="q">]'),
    ("const round = { a: 1 }; round.self = round; round", {"a": 1, "self": "[circular]"}),
    ("null", None),
    ("'x'.repeat(100_000)", "x" * 100_000),
]


async def test_scripts(mighty: Caller) -> None:
    tab = await Tab.at(mighty, SHOP)
    for expression, expected in VALUES:
        found = await tab.ok("evaluate", expression=expression)
        assert (found["ok"], found["result"]) == (True, expected), expression
    for nothing in ("undefined", "() => {}", "let unused = 1"):
        assert "result" not in await tab.ok("evaluate", expression=nothing)
    thrown = await tab.refused("evaluate", expression="let a = 1;\nnope(a)")
    assert (thrown.code, thrown.details["line"]) == ("script_failed", 2)
    assert "nope is not defined" in thrown.message
    assert (await tab.refused("evaluate", expression="1 +")).code == "script_failed"
    endless = await tab.refused("evaluate", expression="for (;;);", timeout=200)
    assert endless.code == "timeout"
    away = await tab.refused("evaluate", expression="location = '/other'; new Promise(() => {})")
    assert away.code == "navigation_race"
    assert await tab.value("1") == 1


async def test_evaluation_is_a_capability_of_its_own(caller: Caller) -> None:
    made = await caller.ok("camofox_create_tab")
    refusal = await Tab(caller, made["tabId"]).refused("evaluate", expression="1")
    assert refusal.code == "capability_disabled"


async def test_waiting(mighty: Caller) -> None:
    gate = asyncio.Event()
    mighty.site.page("/slow.js", "document.body.append('Here at last')", delay=gate)
    tab = await Tab.at(mighty, "<p>Soon</p><script async src=/slow.js></script>")
    async with asyncio.TaskGroup() as group:
        text = group.create_task(tab.ok("wait_for", text="here at last"))
        await mighty.site.wait_asked("/slow.js")
        gate.set()
    assert text.result() == {"ok": True, "url": mighty.site.url("/page")}
    for state in ("domcontentloaded", "load", "networkidle"):
        await tab.ok("wait_for", loadState=state)
    await tab.ok("wait_for", timeMs=1)
    await tab.ok("hover", selector="text=Soon")
