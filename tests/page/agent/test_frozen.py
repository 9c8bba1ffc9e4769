"""What a budget cut off can be had, as it was."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from stockade.errors import InvalidArgument
from tests.page.looks import Looks, tokens

MARK = re.compile(r"^\s*(…|\.\.\. )")


def rows(count: int, text: str = "row") -> str:
    return "".join(f"<li>{text} {n} <button>Open</button>" for n in range(count))


def said(text: str) -> Counter[str]:
    """The lines that speak of the page, without indent and refs."""
    lines = (line.strip() for line in text.splitlines() if not MARK.match(line))
    return Counter(re.sub(r" \[e\d+\]", "", line) for line in lines)


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
