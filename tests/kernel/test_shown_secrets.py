"""Secrets that a page shows or keeps without having been filled in there: nothing is carried away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Principal, Role
from tests.kernel.test_opaque_fields import VALUE, shows_any
from tests.support.callers import Caller

SHOWN = f"""<p>Your key is <b id=text>{VALUE}</b> and stays yours.</p>
<label>Key <input id=field value="{VALUE}"></label><label>Card <textarea id=area>{VALUE}</textarea></label>
<div contenteditable role=textbox aria-label=Rich id=rich><p>{VALUE}</p></div>
<label>Search <input id=q></label><label>Notes <textarea id=notes></textarea></label>"""


@pytest.fixture
async def keeper(mighty: Caller) -> Caller:
    """An agent of a tenant whose operator keeps a password."""
    tenant = f"tenant-of-{mighty.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    await mighty.kernel.secrets.keep(operator, "PASSWORD", VALUE, [mighty.site.url("")])
    return replace(mighty, principal=replace(mighty.principal, tenant=tenant))


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("shortcut", {"keys": ["Home", *["Delete"] * 8]}),
        ("shortcut", {"keys": ["End", *["Backspace"] * 8]}),
        ("shortcut", {"keys": ["Control+a", "Control+x"]}),
        ("press", {"key": "x"}),
        ("type", {"text": "in between"}),
    ],
)
async def test_what_is_edited_without_being_a_field(
    keeper: Caller, tool: str, given: dict[str, Any]
) -> None:
    await keeper.show(SHOWN)
    told = await keeper.refused(tool, selector="#rich", **given)
    assert told["code"] == "secret_refused"
    await keeper.reply("click", selector="#rich")
    told = await keeper.refused(tool, **given)
    assert told["code"] == "secret_refused"
    assert not shows_any(await keeper.text("snapshot"))
    await keeper.ok("fill", selector="#rich", value="something else")
    assert "something else" in await keeper.text("snapshot")
    await keeper.ok("press", selector="#rich", key="Backspace")
    assert "something els" in await keeper.text("snapshot")


EDITED = {
    "by its style": f"<p id=p tabindex=0 style='-webkit-user-modify: read-write'>{VALUE}</p>",
    "by a style that takes plain text": "<style>p { -webkit-user-modify: read-write-plaintext-only }"
    f"</style><p id=p>{VALUE}</p>",
    "in design mode": f"<p id=p>{VALUE}</p><script>document.designMode = 'on'</script>",
    "in a frame in design mode": f"<iframe id=f srcdoc='<p id=p>{VALUE}</p>' "
    "onload=\"f.contentDocument.designMode = 'on'\"></iframe>",
    "within what is edited": f"<div contenteditable><p id=p tabindex=0>{VALUE}</p></div>",
    "as plain text": f"<p contenteditable=plaintext-only id=p>{VALUE}</p>",
}


@pytest.mark.parametrize("way", EDITED)
async def test_what_is_edited_in_other_ways(keeper: Caller, way: str) -> None:
    await keeper.show(EDITED[way])
    for keys in (["End", *["Backspace"] * 12], ["Home", *["Delete"] * 12], ["ArrowRight", "x"]):
        await keeper.ok("click", selector="#p")
        told = await keeper.refused("shortcut", keys=keys)
        assert told["code"] == "secret_refused"
        assert not shows_any(await keeper.text("snapshot"))
        assert "<PASSWORD>" in await keeper.text("page_text")


@pytest.mark.parametrize(
    ("selector", "chord", "count"),
    [
        ("#text", "Control+c", 2),
        ("#text", "Control+c", 3),
        ("#text", "Control+Insert", 2),
        ("#text", "Control+x", 2),
        ("#field", "Control+c", 2),
        ("#field", "Shift+Delete", 2),
        ("#area", "Control+x", 2),
        ("#rich", "Control+c", 2),
        ("#rich", "Shift+Delete", 3),
    ],
)
async def test_none_of_it_is_copied(keeper: Caller, selector: str, chord: str, count: int) -> None:
    await keeper.show(SHOWN)
    await keeper.ok("click", selector=selector, count=count)
    told = await keeper.reply("press", key=chord)
    assert not told.ok
    await keeper.ok("click", selector="#notes")
    await keeper.reply("press", key="Control+v")
    assert not shows_any(await keeper.text("snapshot"))


@pytest.mark.parametrize("aimed", [True, False])
@pytest.mark.parametrize("selector", ["#area", "#rich"])
async def test_enter_leaves_no_part_of_it(keeper: Caller, selector: str, aimed: bool) -> None:
    """Where a line may end, Enter puts an end of a line in the place of what is selected."""
    await keeper.show(SHOWN)
    await keeper.ok("click", selector=selector, count=2)
    where = {"selector": selector} if aimed else {}
    told = await keeper.reply("press", key="Enter", **where)
    assert not shows_any(told.text)
    assert not shows_any(await keeper.text("snapshot"))


async def test_where_none_is_shown_copying_works_as_ever(keeper: Caller) -> None:
    await keeper.show(
        "<p id=text>nothing special</p><textarea id=notes aria-label=Notes></textarea>"
    )
    await keeper.ok("click", selector="#text", count=3)
    await keeper.ok("press", key="Control+c")
    await keeper.ok("press", selector="#notes", key="Control+v")
    assert (await keeper.text("snapshot")).count("nothing special") == 2


@pytest.mark.parametrize("selector", ["#text", "#field", "#area", "#rich"])
@pytest.mark.parametrize("count", [2, 3])
async def test_none_of_it_is_dragged(keeper: Caller, selector: str, count: int) -> None:
    await keeper.show(SHOWN)
    await keeper.ok("click", selector=selector, count=count)
    place = {"from": {"selector": selector}, "to": {"selector": "#notes"}}
    await keeper.reply("drag", **place)
    assert not shows_any(await keeper.text("snapshot"))


async def test_none_of_it_is_dragged_by_hand(keeper: Caller) -> None:
    await keeper.show(SHOWN)
    await keeper.ok("double_click", selector="#text")
    boxes = [(await keeper.ok("inspect", selector=each))["box"] for each in ("#text", "#q")]
    (x, y), (to_x, to_y) = [(b["x"] + b["width"] / 4, b["y"] + b["height"] / 2) for b in boxes]
    await keeper.reply("mouse_down", coords={"x": x, "y": y})
    await keeper.reply("mouse_move", coords={"x": to_x, "y": to_y}, steps=8)
    await keeper.reply("mouse_up", coords={"x": to_x, "y": to_y})
    assert not shows_any(await keeper.text("snapshot"))


async def test_history_brings_no_part_back(keeper: Caller) -> None:
    """The page puts it into other fields, which a browser keeps for going back."""
    parts = "".join(f"<label>Part {n} <input class=part></label>" for n in range(4))
    keeper.site.page("/next", "<p>Next")
    await keeper.show(
        f"""<label>Code <input id=code autocomplete=one-time-code></label>{parts}<form>
        <label>Late <input id=late></label></form><a href=/next>Next</a><script>
        code.oninput = () => document.querySelectorAll('.part').forEach((each, at) => {{
          each.value = code.value.slice(4 * at, 4 * at + 4);
        }});
        code.onblur = () => {{ late.value = code.value.slice(0, 4); }};
        </script>"""
    )
    await keeper.ok("fill", selector="#code", value="<PASSWORD>")
    await keeper.ok("click", selector="text=Next")
    await keeper.ok("go_back")
    shown = await keeper.text("snapshot")
    assert not shows_any(shown), shown
    await keeper.ok("fill", selector="#code", value="<PASSWORD>")


KEPT = {
    "storage": "localStorage.seen = value",
    "session storage": "sessionStorage.seen = value",
    "cookie": "document.cookie = `seen=${encodeURIComponent(value)}`",
}
SEEN = {
    "text": f"<p>{VALUE}</p>",
    "attribute and text": f"<p title=x>You are <i>{VALUE[:9]}</i>",
    "title": f"<title>{VALUE}</title>",
}


@pytest.mark.parametrize("where", KEPT)
async def test_scripts_read_none_that_its_site_kept(keeper: Caller, where: str) -> None:
    keeper.site.page("/next", "<p>Next")
    await keeper.show(
        "<label>Password <input id=pw type=password></label><script>"
        f"pw.oninput = () => {{ const {{ value }} = pw; {KEPT[where]}; }};</script>"
    )
    await keeper.ok("fill", selector="#pw", value="<PASSWORD>")
    await keeper.ok("navigate", url=keeper.site.url("/next"))
    told = await keeper.refused("eval_js", expr="[...document.cookie].reverse().join('')")
    assert told["code"] == "document_tainted"


@pytest.mark.parametrize("where", SEEN)
async def test_scripts_read_none_that_its_site_shows_later(keeper: Caller, where: str) -> None:
    keeper.site.page("/next", SEEN[where])
    await keeper.show("<label>Password <input id=pw type=password></label>")
    await keeper.ok("fill", selector="#pw", value="<PASSWORD>")
    await keeper.ok("navigate", url=keeper.site.url("/next"))
    told = await keeper.refused("eval_js", expr="[...document.body.innerText].reverse().join('')")
    assert told["code"] == "document_tainted"
    keeper.site.page("/after", "<p>Nothing of it")
    await keeper.ok("navigate", url=keeper.site.url("/after"))
    await keeper.ok("eval_js", expr="1 + 1")


async def test_scripts_read_none_that_nobody_filled_in(keeper: Caller) -> None:
    await keeper.show(SHOWN)
    for expr in ("[...document.body.innerText].reverse().join('')", "[...field.value].reverse()"):
        told = await keeper.refused("eval_js", expr=expr)
        assert told["code"] == "document_tainted"
    await keeper.show("<p>Nothing of it", path="/other")
    await keeper.ok("eval_js", expr="1 + 1")


async def test_scripts_read_no_field_that_is_known_to_hold_one(keeper: Caller) -> None:
    await keeper.show(f"<label>Key <input id=field value='{VALUE}'></label>")
    await keeper.refused("press", selector="#field", key="Backspace")
    told = await keeper.refused("eval_js", expr="[...field.value].reverse().join('')")
    assert told["code"] == "document_tainted"


async def test_a_script_that_has_no_time_does_not_run(keeper: Caller) -> None:
    """The look takes its time, too: what is late is not taken for harmless."""
    await keeper.show(SHOWN + "<script>" + "x".join(["//"] * 200_000) + "\n</script>")
    for patience in (1, 2, 3, 5, 8, 13, 21):
        sent = f"fetch('/got?' + [...field.value].reverse().join('') + {patience})"
        told = await keeper.refused("eval_js", expr=sent, timeoutMs=patience)
        assert told["code"] in {"document_tainted", "timeout"}
    await keeper.ok("navigate", url=keeper.site.url("/page"))
    assert keeper.site.asked("/got") == []
