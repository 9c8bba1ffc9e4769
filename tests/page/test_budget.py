"""Budgets are hard, and what they cut off can be had."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockade.page.snapshot import SnapshotOptions
from tests.page.looks import Looks, tokens
from tests.support.tabs import Tab

MARK = re.compile(r"^\s*(…|\.\.\. )")


@pytest.fixture
def looks(tab: Tab) -> Looks:
    return Looks(tab)


def rows(count: int, text: str = "row") -> str:
    return "".join(f"<li>{text} {n} <button>Open</button>" for n in range(count))


def said(text: str) -> Counter[str]:
    """The lines that speak of the page, without indent and refs."""
    lines = (line.strip() for line in text.splitlines() if not MARK.match(line))
    return Counter(re.sub(r" \[e\d+\]", "", line) for line in lines)


async def test_what_fits_is_whole(looks: Looks) -> None:
    seen = await looks.see(f"<ul>{rows(60)}</ul>", budget=3000)
    assert not seen.truncated
    assert seen.text.count("button") == 60


async def test_like_siblings_fold_and_scope_opens_them(looks: Looks) -> None:
    paragraphs = "".join(f"<p>Paragraph {n} says something of its own.</p>" for n in range(40))
    seen = await looks.see(f"<ul>{rows(300)}</ul>{paragraphs}", budget=1000)
    assert seen.tokens <= 1000
    assert seen.truncated
    fold = re.search(
        r"^  \.\.\. (?:about )?\d+ more items like this \(scope: (e\d+)\)$", seen.text, re.MULTILINE
    )
    assert fold is not None
    assert "Paragraph 20" in seen.text
    opened = await looks.text(scope=fold[1], budget=9000)
    assert opened.count("listitem") == 300


async def test_dialogs_and_focus_come_before_the_rest(looks: Looks) -> None:
    filler = "".join(f"<p>Filler number {n} with quite some words in it.</p>" for n in range(300))
    seen = await looks.see(
        f"{filler}<form><input aria-label=Far autofocus></form>{filler}"
        "<div role=dialog aria-label=Cookies><button>Accept</button></div>",
        budget=200,
    )
    assert seen.tokens <= 200
    assert '- dialog "Cookies"' in seen.text
    assert '- button "Accept"' in seen.text
    assert '- textbox "Far"' in seen.text
    assert seen.text.index('"Far"') < seen.text.index('"Cookies"')
    assert "\n…\n" in seen.text


async def test_what_just_changed_comes_before_the_rest(looks: Looks) -> None:
    filler = "".join(f"<p>Filler number {n} with quite some words in it.</p>" for n in range(300))
    await looks.see(f"{filler}<div id=live>quiet</div>", budget=200)
    await looks.tab.main("() => { live.textContent = 'It happened' }")
    assert "It happened" in await looks.text(budget=200)


async def test_the_viewport_comes_before_the_rest(looks: Looks) -> None:
    filler = "".join(f"<p>Filler number {n} with quite some words in it.</p>" for n in range(600))
    await looks.see(filler, budget=400)
    await looks.tab.main("() => scrollTo(0, document.body.scrollHeight)")
    text = await looks.text(budget=400)
    assert "Filler number 599" in text


async def test_a_continuation_brings_the_uncut_text(looks: Looks) -> None:
    parts = "".join(
        f"<section aria-label=S{n}><h2>Head {n}</h2><p>Some prose of section {n}.</p>"
        f"<ul>{rows(14, f'item {n}')}</ul></section>"
        for n in range(12)
    )
    page = f"<main>{parts}</main>"
    whole = await looks.text(page, budget=100000)
    first = await looks.see(budget=400)
    pages = [first.text]
    token = first.continuation
    while token is not None:
        more = await looks.see(continuation=token, budget=700)
        assert more.tokens <= 700
        assert tokens(more.text) <= 700
        pages.append(more.text)
        assert more.continuation != token
        token = more.continuation
    assert sum((said(text) for text in pages), Counter()) == said(whole)
    again = await looks.see(continuation=first.continuation, budget=700)
    assert again.text == pages[1]


async def test_a_continuation_never_mixes_two_states(looks: Looks) -> None:
    parts = "".join(f"<p id=p{n}>Paragraph {n} as it was first.</p>" for n in range(400))
    first = await looks.see(parts, budget=300)
    await looks.tab.main(
        "() => document.querySelectorAll('p').forEach(p => { p.textContent = 'new' })"
    )
    token = first.continuation
    texts = []
    while token is not None:
        more = await looks.see(continuation=token, budget=2000)
        texts.append(more.text)
        token = more.continuation
    assert "text: new" not in "\n".join(texts)
    assert "changed after the snapshot" in "\n".join(texts)


async def test_continuations_of_older_snapshots_live_for_a_while(looks: Looks) -> None:
    page = "".join(f"<p>Paragraph {n} is here.</p>" for n in range(200))
    first = await looks.see(page, budget=200)
    for _ in range(3):
        await looks.see(budget=200)
    assert (await looks.see(continuation=first.continuation, budget=200)).text
    other = Looks(looks.tab, "somebody else")
    with pytest.raises(Exception, match="no longer kept"):
        await other.see(continuation=first.continuation)


WORDS = st.sampled_from(
    ["alpha", "beta", "漢字の文", "émigré", "x" * 300, "a b c", "&lt;&amp;", "👩‍👩‍👧"]
)


def element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.lists(inner, max_size=5).map("".join)
    return st.one_of(
        joined.map("<div>{}</div>".format),
        joined.map("<ul><li>{}</ul>".format),
        joined.map("<section aria-label=Part>{}</section>".format),
        st.tuples(joined, st.integers(1, 30)).map(
            lambda pair: f"<div class=c>{pair[0]}</div>" * pair[1]
        ),
        joined.map("<table><tr><td>{}<td>two</table>".format),
        joined.map("<div role=dialog aria-label=Box>{}</div>".format),
        joined.map("<div onclick=1>{}</div>".format),
    )


LEAF = st.one_of(
    WORDS,
    WORDS.map("<button>{}</button>".format),
    WORDS.map("<input value='{}'>".format),
    WORDS.map("<h2>{}</h2>".format),
    WORDS.map("<p hidden>{}</p>".format),
    WORDS.map("<a href=x>{}</a>".format),
    st.integers(0, 40).map(lambda n: "<select>" + "<option>o" * n + "</select>"),
)
PAGES = st.lists(st.recursive(LEAF, element, max_leaves=25), max_size=8).map("".join)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    html=PAGES,
    budget=st.integers(1, 400),
    mode=st.sampled_from(["full", "interactive"]),
    hidden=st.booleans(),
)
async def test_no_budget_is_ever_exceeded(
    looks: Looks, html: str, budget: int, mode: str, *, hidden: bool
) -> None:
    await looks.tab.main("html => { document.body.innerHTML = html }", html)
    options = SnapshotOptions(mode=mode, budget=budget, hidden=hidden)  # type: ignore[arg-type]
    seen = await looks.snapshots.take("property", options)
    assert tokens(seen.text) <= budget
    if seen.continuation:
        more = await looks.see(continuation=None, budget=budget)
        assert tokens(more.text) <= budget
    change = await looks.snapshots.delta("property", budget=budget)
    assert tokens(change.text) <= budget
