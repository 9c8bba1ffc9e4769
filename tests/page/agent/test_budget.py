"""Budgets are hard."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockade.page.snapshot import SnapshotOptions
from tests.page.looks import Looks, tokens


def rows(count: int, text: str = "row") -> str:
    return "".join(f"<li>{text} {n} <button>Open</button>" for n in range(count))


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


async def test_what_fits_is_whole(looks: Looks) -> None:
    seen = await looks.see(f"<ul>{rows(60)}</ul>", budget=3000)
    assert not seen.truncated
    assert seen.text.count("button") == 60


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
