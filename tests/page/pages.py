"""Pages of every sort, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

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
