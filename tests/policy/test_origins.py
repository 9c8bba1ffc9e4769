"""Origin rules: what they match, and which are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument
from stockade.policy.origins import OriginRule
from stockade.urls import parse

MATCHING = {
    "example.com": [
        "http://example.com/a?b#c",
        "https://example.com/",
        "https://EXAMPLE.com:443/",
        "http://example.com:00080/",
        "https://example.com./",
        "https://example.com../",
        "https://user:pw@example.com/",
        "https://ex\u00adample。com/",
    ],
    "https://example.com": ["https://example.com/"],
    "HTTPS://Example.COM/": ["https://example.com/"],
    "example.com.": ["https://example.com/", "https://example.com./"],
    " example.com ": ["https://example.com/"],
    "example.com:8443": ["http://example.com:8443/", "https://example.com:8443/"],
    "example.com:80": ["http://example.com/", "https://example.com:80/"],
    "https://example.com:443": ["https://example.com/"],
    "*.example.com": ["https://a.example.com/", "http://a.b.example.com./"],
    "http://*.example.com:8080": ["http://a.example.com:8080/"],
    "bücher.de": ["https://xn--bcher-kva.de/", "https://BÜCHER.de/"],
    "xn--bcher-kva.de": ["https://bücher.de/"],
    "localhost:3000": ["http://localhost:3000/", "http://ⓛocalhost:3000/"],
    "127.0.0.1": ["http://2130706433/", "http://0x7f.1/", "http://[::ffff:127.0.0.1]/"],
    "[::ffff:127.0.0.1]:80": ["http://127.0.0.1/"],
    "[::1]:8080": ["http://[0:0::1]:8080/"],
    "[::1]": ["http://[::1]/"],
    "a_b.example.com": ["http://a_b.example.com/"],
}

OTHERS = {
    "example.com": [
        "https://example.com:8443/",
        "http://example.com:443/",
        "https://www.example.com/",
        "https://evilexample.com/",
        "https://example.com.evil.com/",
        "https://example.com@evil.com/",
        "https://example.co/",
        "ws://example.com/",
        "ftp://example.com/",
        "blob:https://example.com/0b5e",
        "about:blank",
        "data:,example.com",
    ],
    "https://example.com": ["http://example.com/", "http://example.com:443/"],
    "example.com:8443": ["https://example.com/"],
    "example.com:80": ["https://example.com/"],
    "*.example.com": [
        "https://example.com/",
        "https://evilexample.com/",
        "https://a.example.com.evil.com/",
        "https://a.example.com:8443/",
        "https://a.example.com-evil.com/",
    ],
    "apple.com": ["https://аpple.com/", "https://xn--pple-43d.com/"],
    "127.0.0.1": [
        "http://localhost/",
        "http://[::1]/",
        "http://127.0.0.2/",
        "http://a.127.0.0.1.b",
    ],
    "localhost": ["http://localhost:3000/", "http://a.localhost/"],
}


@pytest.mark.parametrize(("rule", "text"), [(r, t) for r, ts in MATCHING.items() for t in ts])
def test_a_rule_matches(rule: str, text: str) -> None:
    assert OriginRule.parse(rule).matches(parse(text))


@pytest.mark.parametrize(("rule", "text"), [(r, t) for r, ts in OTHERS.items() for t in ts])
def test_a_rule_matches_nothing_else(rule: str, text: str) -> None:
    assert not OriginRule.parse(rule).matches(parse(text))


def test_a_rule_without_a_port_may_mean_all() -> None:
    rule = OriginRule.parse("example.com")
    assert rule.matches(parse("https://example.com:8443/"), any_port=True)
    assert not rule.matches(parse("https://a.example.com/"), any_port=True)


def test_a_rule_with_a_port_never_does() -> None:
    rule = OriginRule.parse("https://example.com:443")
    assert rule.matches(parse("https://example.com/"), any_port=True)
    assert not rule.matches(parse("https://example.com:8443/"), any_port=True)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "example.com"),
        ("   ", "example.com"),
        ("*", "empty"),
        ("http://*", "empty"),
        ("https://*/", "empty"),
        ("*:8080", "stands first"),
        ("**.example.com", "stands first"),
        ("*.*.example.com", "stands first"),
        ("*example.com", "stands first"),
        ("a.*.example.com", "stands first"),
        ("example.*", "stands first"),
        ("example.com:*", "stands first"),
        ("＊.example.com", "example.com"),
        (".example.com", "*.example.com"),
        ("*..example.com", "*.example.com"),
        ("a..example.com", "example.com"),
        ("*.", "example.com"),
        ("*.127.0.0.1", "alone"),
        ("*.2130706433", "decimal"),
        ("*.[::1]", "alone"),
        ("127.1", "decimal"),
        ("0x7f000001", "decimal"),
        ("2130706433:80", "decimal"),
        ("１２７.0.0.1", "decimal"),
        ("192.168", "decimal"),
        ("10.0.0.0/8", "after host"),
        ("example.com/path", "after host"),
        ("https://example.com//", "after host"),
        ("example.com?q", "after host"),
        ("example.com#f", "after host"),
        ("example.com\\", "after host"),
        ("//example.com", "after host"),
        ("user@host", "before the host"),
        ("https://user:pw@host", "before the host"),
        ("ex%61mple.com", "characters themselves"),
        ("ws://example.com", "http or https"),
        ("file:///etc", "http or https"),
        ("*://example.com", "http or https"),
        ("https:example.com", "example.com"),
        ("example.com:", "Name one"),
        ("example.com:0", "Name one"),
        ("example.com:65536", "example.com"),
        ("example.com:http", "example.com"),
        ("[::1", "example.com"),
        ("::1", "example.com"),
        ("[fe80::1%eth0]", "characters themselves"),
        ("exam ple.com", "example.com"),
        ("exam\nple.com", "example.com"),
        ("ex\u00adample.com", "example.com"),
        ("ex\u200bample.com", "example.com"),
        ("\ud800.com", "example.com"),
        ("a" * 300 + ".com", "example.com"),
    ],
)
def test_what_is_no_plain_origin_is_refused_with_a_remedy(text: str, hint: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        OriginRule.parse(text)
    assert hint in caught.value.hint
    assert len(str(caught.value.as_dict())) < 300


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" HTTPS://Example.COM:443/ ", "https://example.com:443"),
        ("example.com", "example.com"),
        ("*.Example.com.", "*.example.com"),
        ("аpple.com", "xn--pple-43d.com"),
        ("http://[0:0::1]:8080", "http://[::1]:8080"),
    ],
)
def test_a_rule_is_shown_as_it_is_meant(text: str, shown: str) -> None:
    rule = OriginRule.parse(text)
    assert rule.text == shown
    assert OriginRule.parse(rule.text) == rule


@pytest.mark.parametrize("text", ["*.com", "*.co.uk", "https://*.github.io", "*.xn--p1ai"])
def test_a_wildcard_below_a_public_suffix_is_open_to_anyone(text: str) -> None:
    assert OriginRule.parse(text).open_to_anyone


@pytest.mark.parametrize("text", ["com", "*.example.com", "*.localhost", "*.internal"])
def test_other_rules_are_not(text: str) -> None:
    assert not OriginRule.parse(text).open_to_anyone


PIECES = ["http://", "https://", "*", ".", "*.", "example", "com", "a", ":", "80", "8443", "[::1]"]
PIECES += ["127.0.0.1", "/", "@", "%41", "ü", "。", "-", "xn--bcher-kva", "?", "\\", " ", "0"]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=8).map("".join)))
def test_any_text_is_a_rule_that_matches_what_it_says_or_refused(text: str) -> None:
    try:
        rule = OriginRule.parse(text)
    except InvalidArgument:
        return
    assert OriginRule.parse(rule.text) == rule
    assert rule.text.isascii()
    scheme = min(rule.schemes)
    host = f"[{rule.host}]" if ":" in rule.host else rule.host
    port = f":{rule.port}" if rule.port is not None else ""
    example = parse(f"{scheme}://{'www.' if rule.below else ''}{host}{port}/")
    assert rule.matches(example)
