"""What a budget cut off can be had, as it was."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockade.errors import InvalidArgument
from tests.page.looks import Looks, tokens
from tests.page.pages import PAGES

BARE = re.compile(r'- (list|listitem|table|row|region "Part"|dialog "Box"|clickable)')
MARK = re.compile(r"^\s*(…|\.\.\. )")


def rows(count: int, text: str = "row") -> str:
    return "".join(f"<li>{text} {n} <button>Open</button>" for n in range(count))


def said(text: str) -> Counter[str]:
    """The lines that speak of the page, without indent and refs."""
    lines = (line.strip() for line in text.splitlines() if not MARK.match(line))
    return Counter(re.sub(r" \[e\d+\]", "", line) for line in lines)


@pytest.mark.parametrize("size", [90, 300, 700, 5000])
async def test_a_continuation_brings_the_uncut_text(looks: Looks, size: int) -> None:
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
        more = await looks.see(continuation=token, budget=size)
        assert more.tokens <= size
        assert tokens(more.text) <= size
        pages.append(more.text)
        assert more.continuation != token
        token = more.continuation
    assert sum((said(text) for text in pages), Counter()) == said(whole)
    again = await looks.see(continuation=first.continuation, budget=size)
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


async def test_a_broken_continuation_is_refused(looks: Looks) -> None:
    await looks.see("<p>x</p>")
    for token in ("s1.0", "nonsense", "f9s1.0"):
        with pytest.raises(InvalidArgument):
            await looks.see(continuation=token)


async def test_a_delta_has_a_budget_and_can_be_continued(shop: Looks) -> None:
    delta = await shop.delta(
        "list.innerHTML = Array.from({length: 80},"
        " (_, i) => `<li>row ${i} <button>x</button>`).join('')",
        budget=200,
    )
    assert delta.truncated
    assert tokens(delta.text) <= 200
    assert delta.continuation is not None
    more = await shop.see(continuation=delta.continuation, budget=5000)
    assert "+ listitem: row 79" in more.text


async def test_a_page_too_small_for_a_line_still_gets_further(looks: Looks) -> None:
    page = "".join(f"<p>{f'word{n} ' * 60}</p>" for n in range(6))
    seen = await looks.see(page, budget=60)
    token, met = seen.continuation, 0
    while token is not None:
        more = await looks.see(continuation=token, budget=40)
        assert tokens(more.text) <= 40
        assert more.continuation != token
        token, met = more.continuation, met + 1
    assert met >= 5


def words(line: str) -> str:
    """What a line says, without the role it says it in."""
    return re.sub(r"^\s*- [a-z]+:? ?", "", line)


def is_told_apart(line: str, told: Counter[str]) -> bool:
    """Whether the text that stands beside a container is told on a line below it."""
    head, _, text = line.strip().partition(": ")
    lines = {other.strip() for other in told}
    return head in lines and f"- text: {text}" in lines


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(html=PAGES, budget=st.integers(40, 300), size=st.integers(500, 900))
async def test_pages_of_any_document_add_up(
    looks: Looks, html: str, budget: int, size: int
) -> None:
    await looks.tab.main("html => { document.body.innerHTML = html }", html)
    whole = await looks.text(budget=200_000)
    seen = await looks.see(budget=budget)
    pages = [seen.text]
    while seen.continuation is not None:
        seen = await looks.see(continuation=seen.continuation, budget=size)
        pages.append(seen.text)
    told = sum((said(text) for text in pages), Counter())
    # What a row says may stand beside its role or below it, as more of it becomes known.
    lost = [
        line
        for line in said(whole) - told
        if not any(words(line) in other for other in told) and not is_told_apart(line, told)
    ]
    assert lost == []
    # A container where a page ends may turn out to be empty.
    extra = [
        line
        for line in told - said(whole)
        if not BARE.fullmatch(line) and not any(words(line) in other for other in said(whole))
    ]
    assert extra == []
