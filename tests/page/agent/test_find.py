from __future__ import annotations

import pytest

from stockade.engines.values import World
from stockade.page.agent import PageAgent
from stockade.page.find import find
from tests.page.asking import RANKING, ask, best, mark


async def test_exact_name_outranks_words_and_scores_near_one(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Save all</button><button>Save</button><p>Save it</p>")
    found = await ask(agent, "Save")
    assert [each.name for each in found.candidates] == ["Save", "Save all", "Save it"]
    assert found.candidates[0].why[0] == "name equals query"
    assert found.candidates[0].score > 0.95


async def test_equal_candidates_keep_document_order_and_warn(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "shop.html").read_text())
    first, again = await ask(agent, "Add to cart"), await ask(agent, "Add to cart")
    assert first == again
    marks = [await mark(agent, each.ref) for each in first.candidates[:4]]
    assert marks == ["add1", "add2", "add4", "add3"], "the disabled one comes last"
    assert first.warnings[0].startswith("ambiguous: the best 4 score alike")
    assert '"Trekker Duo"' in first.warnings[0]


async def test_disabled_hidden_and_far_away_are_marked(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "modal.html").read_text())
    assert (await best(agent, "load more")).actionable == "off-screen"
    ghost = await best(agent, "archive project")
    assert (ghost.actionable, ghost.bbox) == ("hidden", None)
    seen = await ask(agent, "archive project", visible_only=True)
    assert "ghost" not in [await mark(agent, each.ref) for each in seen.candidates]
    await agent.page.set_content("<fieldset disabled><button>Buy</button></fieldset>")
    assert (await best(agent, "buy")).actionable == "disabled"


async def test_covered_says_by_what(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "modal.html").read_text())
    found = await best(agent, "new project")
    assert (found.actionable, found.covered_by) == ("covered", "<div.veil>")
    inside = await best(agent, "keep it")
    assert (inside.actionable, inside.covered_by) == (True, None)


async def test_a_corner_that_shows_is_enough(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button style='position:absolute;left:0;top:0;width:200px;height:100px'>Buy</button>"
        "<div style='position:absolute;left:0;top:0;width:150px;height:100px'></div>"
    )
    assert (await best(agent, "buy")).actionable is True


async def test_open_modal_dialog_makes_the_rest_covered(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button>Pay</button><dialog aria-label='Sure?'><button>Yes</button></dialog>"
        "<script>document.querySelector('dialog').showModal()</script>"
    )
    assert (await best(agent, "pay")).actionable == "covered"
    assert (await best(agent, "yes")).actionable is True


async def test_label_text_means_its_control(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<label for=a>Nickname</label><input id=a>"
        "<label class=box style='display:block'><input type=checkbox style='display:none'>"
        "<span>Remember me</span></label>"
    )
    assert (await best(agent, "Nickname")).role == "textbox"
    boxed = await best(agent, "remember me")
    assert (boxed.role, boxed.actionable) == ("checkbox", True), "its label stands for it"


async def test_clipped_by_a_scroller(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<div style='height:50px;width:300px;overflow:auto'>"
        "<button style='height:80px'>Half</button>"
        "<button style='display:block;margin-top:400px'>Below</button></div>"
    )
    half, below = await best(agent, "half"), await best(agent, "below")
    assert half.clipped
    assert half.bbox is not None
    assert half.bbox.height <= 50
    assert half.actionable is True
    assert below.actionable == "off-screen"


async def test_nothing_alike_and_not_sure_enough(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Buy now</button>")
    nothing = await ask(agent, "zxqv")
    assert nothing.candidates == []
    assert nothing.warnings == ['no element says "zxqv" or anything like it']
    unsure = await ask(agent, "buy the red one", confidence_floor=0.9)
    assert unsure.candidates == []
    assert 'closest: button "Buy now" [e1]' in unsure.warnings[0]


async def test_a_typing_error_is_forgiven_when_nothing_else_fits(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Subscribe</button><button>Other</button>")
    assert (await best(agent, "subscirbe")).name == "Subscribe"


async def test_password_value_is_never_a_reason(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<input type=password value='hunter2hunter2'><input value='visible words'>"
    )
    assert (await ask(agent, "hunter2hunter2")).candidates == []
    assert (await best(agent, "visible words")).why == ["value: visible", "value: words"]


async def test_hostile_names_do_not_reach_the_reader(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Buy\u202e\u200b now</button>")
    assert (await best(agent, "buy now")).name == "Buy now"


async def test_clobbered_form(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<form><input name=children><input name=getAttribute><input name=tagName>"
        "<input name=parentElement><input name=attributes><button>Send it</button></form>"
    )
    assert (await best(agent, "send it")).role == "button"


async def test_a_deep_document_is_searched_to_the_bottom(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<body><div id=root style='display:contents'></div><script>let at = root;"
        "for (let i = 0; i < 10000; i++) { const next = document.createElement('div');"
        "next.style.display = 'contents'; at.append(next); at = next; }"
        "at.innerHTML = '<button>Bottom</button>'</script>"
    )
    found = await ask(agent, "bottom")
    assert [each.name for each in found.candidates] == ["Bottom"]


async def test_a_large_document_is_searched_to_its_end(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<body><div id=many></div><button>Last thing</button>"
        "<script>many.innerHTML = '<p>some thing <b>else</b></p>'.repeat(15000)</script>"
    )
    found = await ask(agent, "last thing")
    assert found.candidates[0].name == "Last thing"
    assert found.complete
    assert not any("time" in warning for warning in found.warnings)


async def test_the_page_goes_on_while_it_is_searched(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<body><div id=many></div><script>many.innerHTML = '<p>word <i>x</i></p>'.repeat(20000);"
        "var longest = 0, last = 0; const channel = new MessageChannel();"
        "channel.port1.onmessage = () => { const now = performance.now();"
        "if (last) longest = Math.max(longest, now - last); last = now; turns++;"
        "channel.port2.postMessage(0); }; var turns = 0; channel.port2.postMessage(0);</script>"
    )
    turns = "() => { const before = turns; turns = 0; return before; }"
    await agent.page.main_frame.call(turns, world=World.MAIN)
    await find(agent, "word", caller="test")
    # Every turn of the page's own between two calls could be before or after the search; a search
    # in one piece would leave room for a few, not for one per slice.
    assert await agent.page.main_frame.call(turns, world=World.MAIN) > 8


async def test_what_the_deadline_ends_says_so(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<body><button>First word</button><div id=many></div>"
        "<script>many.innerHTML = '<p>word</p>'.repeat(40000)</script>"
    )
    frame = agent.page.main_frame
    found = await agent.call(frame, "find", query="first word", caller="test", alone=True, ms=100)
    assert found["complete"] is False
    assert found["candidates"][0]["name"] == "First word"
    assert any("time was up" in warning for warning in found["warnings"])


ROWS = {
    "paragraphs": "<p>Row {n} <button data-mark={n}>delete</button></p>",
    "custom elements": "<x-row>Row {n} <button data-mark={n}>delete</button></x-row>",
    "labels": "<label>Row {n} <button data-mark={n}>delete</button></label><br>",
    "spans": "<span class=item>Row {n} <button data-mark={n}>delete</button></span><br>",
    "flat": "Row {n} <button data-mark={n}>delete</button><br>",
    "flat spans": "<span>Row {n}</span> <button data-mark={n}>delete</button><br>",
    "a flat grid": "<div>Row {n}</div><div>x</div><div><button data-mark={n}>delete</button></div>",
    "headings": "<h3>Row {n}</h3><p>words</p><button data-mark={n}>delete</button>",
    "before": "<button data-mark={n}>delete</button> <a href=#>Row {n}</a><br>",
    "classes that differ": "<div class='row r{n}'>Row {n} <button data-mark={n}>delete</button></div>",
    "nested": "<div><div><div>Row {n}</div></div><div><div><i data-mark={n} onclick='x()'>delete</i></div></div></div>",
    "links": "<div><a href=/r/{n}>Row {n}</a><div><a href=/r/{n}/d data-mark={n}>delete</a></div></div>",
    "fields": "<div><input value='Row {n}'> <button data-mark={n}>delete</button></div>",
    "a table": "<table><tr><td>Row {n}<td>x<td><button data-mark={n}>delete</button></table>",
    "icons": "<div>Row {n} <button data-mark={n} aria-label=delete><svg width=9 height=9></svg></button></div>",
    "named rows": "<div role=group aria-label='Row {n}'><button data-mark={n}>delete</button></div>",
    "dt": "<dl><dt>Row {n}</dt><dd><button data-mark={n}>delete</button></dd></dl>",
}


@pytest.mark.parametrize("shape", ROWS)
async def test_the_row_that_is_named_decides(agent: PageAgent, shape: str) -> None:
    rows = "".join(ROWS[shape].format(n=n) for n in (1, 2, 3, 13, 30))
    await agent.page.set_content(f"<main>{rows}</main>")
    for query, expected in (("delete Row 3", "3"), ("delete row 13", "13"), ("delete row 1", "1")):
        found = await best(agent, query)
        assert await mark(agent, found.ref) == expected, (query, found)


async def test_a_row_is_told_once(agent: PageAgent) -> None:
    cells = "<td>{0}</td><td>in stock</td><td><button>Edit</button> <button>Edit tags</button></td>"
    await agent.page.set_content(
        "<table>" + "".join(f"<tr>{cells.format(name)}</tr>" for name in ("Tea", "Coffee"))
    )
    found = await ask(agent, "edit")
    contexts = [each.context for each in found.candidates]
    assert [each and (each.row_key, each.row_text) for each in contexts] == [
        ("Tea", "Tea in stock"),
        ("Coffee", "Coffee in stock"),
        ("Tea", ""),
        ("Coffee", ""),
    ]


async def test_one_row_of_a_thousand(agent: PageAgent) -> None:
    row = "`<tr><td>Row ${n}</td><td>x</td><td><button data-mark=${n}>Delete</button></td></tr>`"
    await agent.page.set_content(
        "<table id=t></table><script>t.innerHTML = Array.from({length: 1500}, (_, n) =>"
        f"{row}).join('')</script>"
    )
    for n in (7, 1234):
        found = await best(agent, f"delete Row {n}")
        assert await mark(agent, found.ref) == str(n)


async def test_text_of_a_drawing(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<svg width=200 height=50><g onclick='x()'><text y=20>Revenue <tspan>2024</tspan></text></g>"
        "<text y=40>Costs</text></svg>"
    )
    assert (await best(agent, "costs")).name == "Costs"
    assert "Revenue" in (await best(agent, "revenue 2024")).name


async def test_a_page_that_is_rebuilt_meanwhile_is_searched_again(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<div id=box></div><button>Pay bill</button><script>const fill = () => { box.innerHTML ="
        "'<p>some word <b>here</b></p>'.repeat(4000); }; fill();"
        "let times = 0; const channel = new MessageChannel(); channel.port1.onmessage = () => {"
        "if (times++ < 40) { if (times % 20 === 0) fill(); channel.port2.postMessage(0); } };"
        "setTimeout(() => channel.port2.postMessage(0), 20);</script>"
    )
    found = await ask(agent, "pay bill word")
    assert found.candidates[0].name == "Pay bill"
    assert found.candidates[1].name == "some word here"
