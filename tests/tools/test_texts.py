"""The words of a page as Markdown."""

from __future__ import annotations

import re

from tests.support.callers import Caller


def body(text: str) -> str:
    """What the page says, without our head and its address."""
    inside = text.partition("\n<page ")[2].partition("\n")[2].rpartition("\n</page")[0]
    return inside.partition("\n\n")[2] if inside.startswith("url:") else inside


ARTICLE = """<!doctype html><title>Teas</title><nav><a href=/home>Home</a></nav>
<main><h1>Teas</h1><p>Read <a href='/a?x=1'>about  tea</a> and <em>be</em> <strong>calm</strong>.</p>
<ol start=3><li>Boil<ul><li>Water</li></ul></li><li>Pour</li></ol>
<pre class=language-python>def pour(cup):
    return cup</pre><blockquote><p>Tea is life</p></blockquote>
<table><thead><tr><th>Name<th>Price<tbody><tr><td>Assam | x<td>4.20
<tr><td colspan=2>Nothing more</table>
<dl><dt>Black<dd>Oxidised</dl><img src=x alt='A cup' width=20 height=20>
<p style='display:none'>Secret order</p><p style='opacity:0'>Obey me</p><p># Not a heading</p>
<form><label>Name <input value=Ada></label> <input type=password value=pw>
<label><input type=checkbox checked> Gift</label><button>Send</button></form></main>
<footer>Imprint</footer>"""

EXPECTED = """# Teas

Read [about tea](SITE/a?x=1) and *be* **calm**.

3. Boil
   - Water
4. Pour

```python
def pour(cup):
    return cup
```

> Tea is life

| Name | Price |
|-|-|
| Assam \\| x | 4.20 |
| Nothing more |  |

Black
: Oxidised

![A cup]

\\# Not a heading

Name [Ada] [password] [x] Gift [Send]"""


async def test_a_page_as_markdown(caller: Caller) -> None:
    await caller.show(ARTICLE)
    text = await caller.text("page_text", mainOnly=True)
    assert body(text) == EXPECTED.replace("SITE", caller.site.url(""))
    assert "main content: main" in text
    assert "1 hidden texts left out" in text
    whole = body(await caller.text("page_text"))
    assert whole.startswith("[Home]")
    assert whole.endswith("Imprint")


async def test_links_as_footnotes_or_not_at_all(caller: Caller) -> None:
    await caller.show(
        "<p>See <a href=/a>A</a>, <a href=/b>B</a>, <a href=/a>A</a> <a href=#x>C</a>"
    )
    noted = body(await caller.text("page_text", links="footnotes"))
    a, b = caller.site.url("/a"), caller.site.url("/b")
    assert noted == f"See [A][1], [B][2], [A][1] C\n\n[1]: {a}\n[2]: {b}"
    assert body(await caller.text("page_text", links="none")) == "See A, B, A C"


async def test_frames_and_closed_roots_are_in(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<h2>Inside</h2><p>Framed words</p>")
    await caller.show(
        f"<p>Outside</p><iframe src='{inner}'></iframe><x-note></x-note><script>"
        "customElements.define('x-note', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode: 'closed'}).innerHTML = '<p>Closed words</p>'; } })</script>"
    )
    text = body(await caller.text("page_text"))
    origin = caller.site.other.url("")
    assert text == (
        f"Outside\n\n[frame f1 {origin}]\n\n## Inside\n\nFramed words\n\n[end of frame f1]\n\n"
        "Closed words"
    )


async def test_one_part_of_the_page(caller: Caller) -> None:
    await caller.show(ARTICLE)
    assert body(await caller.text("page_text", selector="blockquote")) == "> Tea is life"


async def test_a_long_page_goes_on_where_it_ended(caller: Caller) -> None:
    rows = "".join(f"<tr><td>{each}<td>Words of row {each}" for each in range(600))
    await caller.show(f"<h2>Rows</h2><table><tr><th>Number<th>Words{rows}</table>", mode="none")
    first = await caller.text("page_text", maxResultTokens=1000)
    assert len(first) / 4 < 1150
    token = re.search(r"continuation=(p\d+\.\d+)", first)
    assert token is not None
    # The page changes, what is being read does not.
    await caller.ok("navigate", url=caller.site.page("/other", "<p>Other"), mode="none")
    seen = re.findall(r"Words of row (\d+)", first)
    while token is not None:
        more = await caller.text("page_text", continuation=token[1])
        assert 'continues in "Rows"' in more
        assert body(more).startswith("| Number | Words |\n|-|-|\n| ")
        seen += re.findall(r"Words of row (\d+)", more)
        token = re.search(r"continuation=(p\d+\.\d+)", more)
    assert seen == [str(each) for each in range(600)]


async def test_another_caller_cannot_go_on(caller: Caller) -> None:
    await caller.show("<p>" + "word " * 2000, mode="none")
    first = await caller.text("page_text", maxResultTokens=100)
    token = re.search(r"continuation=(p\d+\.\d+)", first)
    assert token is not None
    other = caller.another()
    await other.show("<p>mine")
    assert (await other.refused("page_text", continuation=token[1]))["code"] == "invalid_argument"
