"""Pages that are rebuilt while they are searched: what is there in the end is what is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

ROWS = 600
LEAST_TURNS = 5
MOST_TURNS = 100
BOX = """
<body><div id=box><p>Loading</p></div><ul id=list><li>One word</li><li>Two word</li></ul>
<label for=field id=label>Town</label><input id=field>
<x-box id=host></x-box><section id=panel hidden><p>A word in the panel</p></section>
<button id=pay>Pay bill</button><div id=rest></div>
<script>
host.attachShadow({ mode: 'open' }).innerHTML = '<p>Nothing</p>';
rest.innerHTML = '<i>-</i>'.repeat(ROWS);
</script>
""".replace("ROWS", str(ROWS))

# Between the last look at the page and the answer, of a page this large, the page has one turn.
LOOK = """
const { Find } = stockade.modules;
const work = Find.look({ query: QUERY, caller: 'test', alone: true, maxCandidates: 5 });
let step = work.next();
let turns = 0;
while (!step.done) {
  turns += 1;
  if (turns === 1) { CHANGE; }
  step = work.next(false);
}
const { candidates, warnings, complete } = step.value;
return { names: candidates.map(({ name }) => name), warnings, complete, turns };
"""


async def looked(tab: Tab, query: str, change: str) -> dict[str, Any]:
    """Search, and change the page when all of it was looked at."""
    await tab.show(BOX)
    found: dict[str, Any] = await evaluate(
        tab, LOOK.replace("QUERY", json.dumps(query)).replace("CHANGE", change)
    )
    assert found.pop("turns") >= 1
    return found


WHOLE = """
const html = document.createElement('html');
html.innerHTML = '<body><p>whole word</p></body>';
document.documentElement.replaceWith(html)
"""
FILL = "document.querySelector('#box').innerHTML = '<p>some word here</p>'"


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (FILL, "some word here"),
        ("document.querySelector('#box p').firstChild.data = 'last word'", "last word"),
        ("document.querySelector('#box p').textContent = 'other word'", "other word"),
        (
            "document.querySelector('#box').innerHTML = '<button aria-label=Word></button>'",
            "Word",
        ),
        ("document.querySelector('#pay').setAttribute('aria-label', 'word')", "word"),
        ("document.querySelector('#pay').append(' by word')", "Pay bill by word"),
        ("document.querySelector('#label').textContent = 'Word'", "Word"),
        ("document.querySelector('#field').placeholder = 'Word'", "Town"),
        ("document.querySelector('#panel').hidden = false", "A word in the panel"),
        (
            "document.querySelector('#host').shadowRoot.innerHTML = '<p>inner word</p>'",
            "inner word",
        ),
        (
            "document.body.innerHTML = '<p>new word</p>' + '<i>-</i>'.repeat(900)",
            "new word",
        ),
        (
            WHOLE,
            "whole word",
        ),
    ],
)
async def test_what_comes_after_the_look_is_found(tab: Tab, change: str, name: str) -> None:
    found = await looked(tab, "word", change)
    assert name in found["names"]
    assert (found["complete"], found["warnings"][1:]) == (True, [])


async def test_what_is_gone_is_not_shown(tab: Tab) -> None:
    found = await looked(tab, "one word", "document.querySelector('li').remove()")
    assert "One word" not in found["names"]
    assert "Two word" in found["names"]
    assert found["complete"]


async def test_what_was_hidden_meanwhile_is_not_shown(tab: Tab) -> None:
    change = "document.querySelector('#list').hidden = true"
    assert "One word" not in (await looked(tab, "one word", change))["names"]


async def test_candidates_are_in_the_order_that_the_page_has_now(tab: Tab) -> None:
    change = "const list = document.querySelector('#list'); list.prepend(list.lastElementChild)"
    found = await looked(tab, "word", change)
    assert found["names"][:2] == ["Two word", "One word"]
    found = await looked(tab, "second word", change + "; list.lastChild.textContent = 'Two word'")
    assert found["names"][0] == "Two word"


@pytest.mark.parametrize("query", ["wrod", "wodr"])
async def test_near_misses_count_of_what_comes(tab: Tab, query: str) -> None:
    found = await looked(tab, f"{query} bill", "document.querySelector('#pay').innerHTML = 'Bill'")
    assert found["names"][0] == "Bill"


# --- whenever it happens --------------------------------------------------------------------------

LARGE = """
<body><div id=box></div><p id=clock>0</p><div id=rest></div><button>Pay bill</button><script>
rest.innerHTML = '<p title=Row>a word here</p>'.repeat(200);
box.innerHTML = '<p>fresh thing <b>here</b></p>'.repeat(100);
</script>
"""
# Every look at the clock takes some milliseconds, so that a slice ends after a few steps, however
# fast the machine is; then the page has a turn, in which `CHANGE` happens.
MEANWHILE = """
const now = performance.now.bind(performance);
let asked = 0;
performance.now = () => {
  asked += 1;
  return now() + STEP * asked;
};
const box = document.querySelector('#box');
const clock = document.querySelector('#clock');
const fill = (html) => { box.innerHTML = html.repeat(100); };
const channel = new MessageChannel();
let turn = 0;
channel.port1.onmessage = () => {
  turn += 1;
  CHANGE;
  channel.port2.postMessage(0);
};
channel.port2.postMessage(0);
const { Refs } = stockade.modules;
const within = document.querySelector(WITHIN);
if (within) Refs.show('test', within);
const number = within ? Refs.of(within) : undefined;
const where = { scope: number, context: number };
return stockade.call(METHOD, { caller: 'test', ms: 600000, ...where, ...ARGS }).then((said) => {
  channel.port1.close();
  return [JSON.parse(said).ok, turn];
});
"""
SEARCHES = [
    pytest.param("find", {"query": "pay bill fresh", "alone": True}, id="find"),
    pytest.param("text_search", {"text": "word here"}, id="text_search"),
]


async def meanwhile(
    tab: Tab, method: str, args: dict[str, Any], change: str, *, within: str = "#nowhere"
) -> tuple[list[str], dict[str, Any], int]:
    """What a search found while the page went on, its answer, and how many turns the page had."""
    await tab.show(LARGE)
    # Texts are read in larger steps than elements.
    code = MEANWHILE.replace("STEP", "6" if method == "find" else "30")
    code = code.replace("CHANGE", change).replace("METHOD", json.dumps(method))
    code = code.replace("WITHIN", json.dumps(within)).replace("ARGS", json.dumps(args))
    said, turns = await evaluate(tab, code)
    found = said["candidates"] if method == "find" else said["matches"]
    return [each["name"] if method == "find" else each["text"] for each in found], said, turns


@pytest.mark.parametrize(("method", "args"), SEARCHES)
async def test_a_page_rebuilt_at_any_turn_is_found_as_it_is_then(
    tab: Tab, method: str, args: dict[str, Any]
) -> None:
    for turn in range(1, MOST_TURNS):
        change = f"if (turn === {turn}) fill('<p>fresh word <b>here</b></p>')"
        names, said, turns = await meanwhile(tab, method, args, change)
        if turns < turn:
            assert turn > LEAST_TURNS
            return
        assert "fresh word here" in names, (turn, turns, said)
        assert "fresh thing here" not in names, (turn, turns, said)
        assert (said["complete"], said["warnings"][1:]) == (True, []), (turn, turns, said)


@pytest.mark.parametrize(("method", "args"), SEARCHES)
async def test_a_page_that_never_rests_is_not_searched_to_the_end(
    tab: Tab, method: str, args: dict[str, Any]
) -> None:
    change = "fill(`<p>fresh word <b>here</b> ${turn}</p>`)"
    _, said, turns = await meanwhile(tab, method, args, change)
    assert turns > LEAST_TURNS
    assert said["complete"] is False
    assert "the page changed while it was searched, again and again" in said["warnings"]


@pytest.mark.parametrize(("method", "args"), SEARCHES)
async def test_a_clock_keeps_no_search_from_its_end(
    tab: Tab, method: str, args: dict[str, Any]
) -> None:
    change = "clock.textContent = turn; clock.append(document.createElement('i'))"
    _, said, turns = await meanwhile(tab, method, args, change)
    assert turns > LEAST_TURNS
    assert (said["complete"], said["warnings"]) == (True, [])


@pytest.mark.parametrize(("method", "args"), SEARCHES)
async def test_what_is_rebuilt_elsewhere_keeps_no_search_from_its_end(
    tab: Tab, method: str, args: dict[str, Any]
) -> None:
    change = "fill(`<p>fresh word <b>here</b> ${turn}</p>`)"
    names, said, turns = await meanwhile(tab, method, args, change, within="#rest")
    assert turns > LEAST_TURNS
    assert (said["complete"], "fresh" in "".join(names)) == (True, False)


@pytest.mark.parametrize(("method", "args"), SEARCHES)
async def test_a_document_that_makes_way_for_another(
    tab: Tab, method: str, args: dict[str, Any]
) -> None:
    whole = WHOLE.replace("whole word", "fresh word here")
    names, said, _ = await meanwhile(tab, method, args, f"if (turn === 3) {{ {whole} }}")
    assert (names, said["complete"]) == (["fresh word here"], True)
