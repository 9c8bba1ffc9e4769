"""Clean HTML of one document."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab

LIMITS = {"nodes": 100_000, "ms": 2000, "characters": 1_000_000}


async def read(tab: Tab, html: str, **asked: Any) -> str:
    await tab.show(f"<!doctype html><body>{html}")
    scope = int((await tab.ref("body")).removeprefix("e"))
    given = {"caller": CALLER, "keep": [], "attributes": "useful", "limits": LIMITS, "scope": scope}
    said = await tab.agent.call(tab.page.main_frame, "clean_html.js", **{**given, **asked})
    return str(said["text"])


async def test_what_would_end_a_tag_is_escaped(tab: Tab) -> None:
    text = await read(tab, "<p title='a > \"b\" & <c>'>x &lt;script&gt;</p>")
    assert '<p title="a &gt; &quot;b&quot; &amp; &lt;c&gt;">x &lt;script&gt;</p>' in text


async def test_fields_show_what_they_hold_now(tab: Tab) -> None:
    html = (
        "<input id=a value=old><input type=checkbox checked value=yes><textarea>t</textarea>"
        "<script>a.value = 'new'; document.querySelector('[type=checkbox]').checked = false</script>"
    )
    text = await read(tab, html)
    assert 'value="new"' in text
    assert "checked" not in text
    assert "old" not in text


async def test_a_password_shown_for_a_moment_stays_out(tab: Tab) -> None:
    html = "<input id=p type=password value=hunter2><script>p.type = 'text'</script>"
    assert "hunter2" not in await read(tab, html, attributes="all", keep=["hidden"])


async def test_space_counts_in_preformatted_text(tab: Tab) -> None:
    assert "<pre>a\n  b</pre>" in await read(tab, "<pre>a\n  b</pre>")
    assert "<p>a b</p>" in await read(tab, "<p>a\n  b</p>")


async def test_a_comment_cannot_end_early(tab: Tab) -> None:
    text = await read(tab, "<!-- a > b <i> -->", keep=["comments"])
    assert "<!-- a  b i -->" in text


async def test_what_is_folded_away_stays_out(tab: Tab) -> None:
    text = await read(tab, "<details><summary>More</summary>words<p>text</p></details>")
    assert "More" in text
    assert "words" not in text
    assert "text" not in text
