"""Markdown of one document."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.tabs import CALLER, Tab

SCRIPT = "markdown.js markdown_writer.js main_content.js data_tables.js"
LIMITS = {"nodes": 100_000, "ms": 2000, "characters": 1_000_000}


async def read(tab: Tab, html: str, **asked: Any) -> str:
    await tab.show(html)
    given = {"caller": CALLER, "links": "none", "limits": LIMITS, **asked}
    said = await tab.agent.call(tab.page.main_frame, SCRIPT, **given)
    return str(said["text"])


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <b>b</b><i> c </i>d</p>", "a **b** *c* d"),
        ("<p>a<br>b", "a\nb"),
        ("<p>x<sup>2</sup> <del>y</del> <q>z</q>", 'x^2 ~~y~~ "z"'),
        ("<p>use <code>a`b</code>", "use ``a`b``"),
        (
            "<pre><code class=language-js>let a;\n\n  b();</code></pre>",
            "```js\nlet a;\n\n  b();\n```",
        ),
        ("<pre>```</pre>", "````\n```\n````"),
        ("<ul><li>a<li><p>b</p><p>c</p></ul>d", "- a\n- b\n\n  c\n\nd"),
        ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n> > b"),
        ("<h2>A <a href=/x>b</a></h2><h3></h3>", "## A b"),
        ("<div role=heading aria-level=4>x</div>", "#### x"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<p>- a</p><p>1. b</p><p>&gt; c</p>", "\\- a\n\n1\\. b\n\n\\> c"),
        ("<a href=/a>one</a><a href=/b>two</a>", "one two"),
        (
            "<button><svg></svg>Buy</button><button aria-label=Close></button>",
            "[Buy] [Close]",
        ),
        ("<select multiple><option selected>a<option selected>b</select>", "[a, b]"),
        ("<label>Age <input type=number value=4></label>", "Age [4]"),
        ("<input placeholder=Name><input aria-label=City value=Rome>", "[Name][City: Rome]"),
        ("<input type=radio checked>a <input type=radio>b", "(x) a ( ) b"),
        ("<details><summary>More</summary>hidden</details>", "More"),
        ("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", "a\n: b\n: c\nd\n: e"),
        ("<div style='white-space:pre-line'>a\nb</div>", "a\nb"),
        ("<script>x</script><style>y</style><template>z</template>w", "w"),
        (
            "<math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math>",
            "$x^2$",
        ),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\nb"),
        ("<table><tr><td><table><tr><th>x<tr><td>1</table></table>", "| x |\n|-|\n| 1 |"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><table><tr><th>x<td>1</table></table>",
            "| a | b |\n|-|-|\n| c | x<br>1 |",
        ),
        (
            "<table><tr><th rowspan=2>a<th>b<tr><td>c</table>",
            "| a | b |\n|-|-|\n|  | c |",
        ),
        (
            "<table><tr><td>a<ul><li>b<li>c</ul><td>d<tr><td>e<td>f</table>",
            "| | |\n|-|-|\n| a<br>b<br>c | d |\n| e | f |",
        ),
    ],
)
async def test_elements(tab: Tab, html: str, text: str) -> None:
    assert await read(tab, html) == text


async def test_a_form_may_shadow_its_own_properties(tab: Tab) -> None:
    html = (
        "<form><p>Words</p><input name=children><input name=firstChild><input name=nodeType></form>"
    )
    assert "Words" in await read(tab, html)
    assert await read(tab, "<form name=body></form><img name=title src=x><p>Words") == "Words"


async def test_depth_is_no_danger(tab: Tab) -> None:
    assert "deep" in await read(
        tab,
        "<body><script>let at = document.body; for (let i = 0; i < 400; i += 1) {"
        "at = at.appendChild(document.createElement('div')); } at.textContent = 'deep';</script>",
    )


async def test_addresses_are_absolute_and_safe(tab: Tab) -> None:
    html = "<a href='/a (b)'>x</a> <a href='javascript:alert(1)'>y</a> <a href='#z'>z</a>"
    text = await read(tab, html, links="inline")
    assert text == f"[x]({tab.site.url('/a%20%28b%29')}) y z"
