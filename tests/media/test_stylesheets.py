"""Addresses in stylesheets."""

from __future__ import annotations

import pytest

from stockade.media.stylesheets import addresses, joined, replaced

BASE = "https://site.example/css/main.css"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a { background: url(a.png) }", ["/css/a.png"]),
        ("a { background: url( 'a b.png' ) }", ["/css/a%20b.png"]),
        ('a { src: URL("../f.woff2#x") format("woff2"), url(/g.woff) }', ["/f.woff2", "/g.woff"]),
        ("@import 'more.css' screen; @import url(\"x.css\");", ["/css/more.css", "/css/x.css"]),
        ("/* url(no.png) */ a { content: 'url(no.png)' }", []),
        ("a { background: url(data:image/png;base64,xx), url(#local), url() }", []),
        (r"a { background: url(a\)b\26 c.png) }", ["/css/a)b&c.png"]),
        ("a { background: url(a.png) } b { background: url(a.png) }", ["/css/a.png"]),
        ("a { background: url(//other.example/a.png) }", ["//other"]),
        ("a { background: url(http://[bad) }", []),
    ],
)
def test_what_a_stylesheet_loads(text: str, found: list[str]) -> None:
    seen = addresses(text, BASE)
    if found == ["//other"]:
        assert seen == ["https://other.example/a.png"]
    else:
        assert seen == [f"https://site.example{each}" for each in found]


def test_addresses_are_replaced_and_nothing_else() -> None:
    text = "@import 'a.css'; /* url(x) */ a { background: url(b.svg#icon); content: 'url(y)' }"
    new = replaced(text, BASE, lambda url: f"new-{url.rpartition('/')[2]}")
    assert new == (
        '@import url("new-a.css"); /* url(x) */ a { background: url("new-b.svg#icon");'
        " content: 'url(y)' }"
    )


def test_a_replacement_cannot_break_out() -> None:
    assert (
        replaced("a { b: url(x) }", BASE, lambda _: '") } evil {')
        == 'a { b: url("\\") } evil {") }'
    )


def test_what_means_nothing_is_empty() -> None:
    assert joined("https://a.example/", "http://[") == ""
    assert replaced("url('http://[')", BASE, lambda url: url) == 'url("")'


@pytest.mark.parametrize(
    "piece", ['url("', "url(", "url(\\aaaaaaa", "url( ", "@import '", "/*", "'", 'url(url("', "\\"]
)
def test_a_hostile_sheet_takes_no_time_to_speak_of(piece: str) -> None:
    # Were any of this tried twice, it would not end in a lifetime.
    addresses(piece * 50_000, BASE)
    replaced(piece * 50_000, BASE, lambda url: url[:10])
