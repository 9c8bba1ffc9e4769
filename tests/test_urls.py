"""Addresses, as a browser reads them."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.engines.port import Page
from stockade.errors import InvalidArgument
from stockade.urls import Address, is_public_suffix, origin_of, parse

HOSTS = {
    # what is before the last @ of the authority is a user, whatever it looks like
    "http://allowed.com@evil.com": "evil.com",
    "http://allowed.com:80@evil.com:8080/": "evil.com",
    "http://allowed.com%2f@evil": "evil",
    "http://a@b@evil.com": "evil.com",
    "http://allowed.com@evil.com@allowed.com": "allowed.com",
    # and a backslash ends the authority
    "http://good.test\\@10.1.1.1/": "good.test",
    "http:\\\\10.1.1.1\\": "10.1.1.1",
    "http://good.test#@evil.com": "good.test",
    "http://good.test?@evil.com": "good.test",
    # slashes may be missing or too many, case does not matter, blanks fall away
    "http:10.1.1.1/": "10.1.1.1",
    "http:/10.1.1.1/": "10.1.1.1",
    "http:///10.1.1.1/": "10.1.1.1",
    "HtTp://EXAMPLE.Com": "example.com",
    "ht\ntp://10.1.1.1": "10.1.1.1",
    "http://ex\tam\r\nple.com/": "example.com",
    "\x01 http://example.com/ \x1f": "example.com",
    # one address has many spellings
    "http://2130706433/": "127.0.0.1",
    "http://0x7f000001/": "127.0.0.1",
    "http://0177.0.0.1/": "127.0.0.1",
    "http://0x7f.1/": "127.0.0.1",
    "http://127.1/": "127.0.0.1",
    "http://127.0.1/": "127.0.0.1",
    "http://127.000.000.001/": "127.0.0.1",
    "http://１２７.0.0.1/": "127.0.0.1",
    "http://①②⑦.⓪.⓪.①/": "127.0.0.1",
    "http://127。0。0。1/": "127.0.0.1",
    "http://127.0.0.1./": "127.0.0.1",
    "http://0/": "0.0.0.0",
    "http://[0:0:0:0:0:0:0:1]/": "::1",
    "http://[::FFFF:127.0.0.1]/": "::ffff:7f00:1",
    # names in their ASCII form: look-alikes show, invisible characters go
    "http://bücher.de": "xn--bcher-kva.de",
    "http://xn--bcher-kva.de": "xn--bcher-kva.de",
    "http://BÜCHER.de": "xn--bcher-kva.de",
    "http://аррӏе.com": "xn--80ak6aa92e.com",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/": "localhost",
    "http://loc\u00adalhost/": "localhost",
    "http://evil.test\u200b.good.test": "evil.test.good.test",
    "http://example。com": "example.com",
    "http://ｅｘａｍｐｌｅ．ｃｏｍ": "example.com",
    "http://ex%61mple.com": "example.com",
    "http://example.com.": "example.com.",
}

REFUSED = [
    "",
    "   ",
    "example.com",
    "10.1.1.1",
    "//10.1.1.1/",
    "/..//10.1.1.1",
    "http:",
    "http://",
    "http:///",
    "http://@/",
    "http://:80/",
    "http://a:65536/",
    "http://a:-1/",
    "http://a:8o/",
    "http://a:80:80/",
    "http://a:８０/",
    "http://a b/",
    "http://a%20b/",
    "http://a%00b/",
    "http://a\x00b/",
    "http://a%2fb/",
    "http://good.test／@10.1.1.1:x/",
    "http://a／b/",
    "http://[::1/",
    "http://[::1%eth0]/",
    "http://[::1%25eth0]/",
    "http://[1.2.3.4]/",
    "http://256.256.256.256/",
    "http://1.2.3.4.5/",
    "http://foo.0x4/",
    "http://*/",
    "http://*.example.com/",
    "http://%2a.example.com/",
    "http://\ud800/",
    "http://a/\udc00",
    "http://" + "a" * 256,
    "http://a/" + "x" * 70_000,
    "http://a/" + "é" * 20_000,
]


@pytest.mark.parametrize(("text", "host"), HOSTS.items())
def test_the_host_is_the_one_a_browser_would_ask(text: str, host: str) -> None:
    assert parse(text).host == host


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_opened_is_refused_without_an_echo(text: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse(text)
    words = set(re.findall(r"\w{3,}", text)) - {"http", "example", "com"}
    assert not any(word in str(caught.value.as_dict()) for word in words)


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("http://a/", 80),
        ("https://a/", 443),
        ("http://a:/", 80),
        ("http://a:80/", 80),
        ("http://a:00080/", 80),
        ("https://a:80/", 80),
        ("http://a:0/", 0),
        ("http://a:65535/", 65535),
        ("wss://a/", 443),
        ("chrome://version", None),
        ("data:,x", None),
    ],
)
def test_the_port_is_the_one_that_is_meant(text: str, port: int | None) -> None:
    assert parse(text).port == port


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://User:pw@Example.com:443/a?b#c", "https://example.com"),
        ("http://example.com:443/", "http://example.com:443"),
        ("http://a:0/", "http://a:0"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://example.com./", "http://example.com."),
        ("blob:https://example.com:8443/0b5e", "https://example.com:8443"),
        ("blob:null/0b5e", "null"),
        ("blob:blob:https://example.com/0b5e", "null"),
        ("blob:file:///etc/passwd", "null"),
        ("filesystem:https://example.com/temporary/x", "https://example.com"),
        ("view-source:https://example.com/", "https://example.com"),
        ("view-source:file:///etc/passwd", "null"),
        ("data:text/html,<p>", "null"),
        ("javascript:alert(1)", "null"),
        ("about:blank", "null"),
        ("file:///etc/passwd", "null"),
        ("file://localhost/etc/passwd", "null"),
        ("chrome://version", "null"),
        ("localhost:3000", "null"),
    ],
)
def test_origins(text: str, origin: str) -> None:
    assert parse(text).origin == origin


@pytest.mark.parametrize(
    ("text", "machine", "numeric"),
    [
        ("http://example.com.", "example.com", False),
        ("http://example.com../", "example.com", False),
        ("http://[::ffff:10.1.1.1]/", "10.1.1.1", True),
        ("http://[::ffff:a01:101]/", "10.1.1.1", True),
        ("http://0xa010101/", "10.1.1.1", True),
        ("http://[::1]/", "::1", True),
        ("http://[::10.1.1.1]/", "::a01:101", True),
        ("http://1.example.com/", "1.example.com", False),
    ],
)
def test_one_machine_has_one_spelling(text: str, machine: str, numeric: bool) -> None:
    address = parse(text)
    assert (address.machine, address.numeric) == (machine, numeric)


def test_a_user_is_noticed() -> None:
    assert parse("http://user@a/").credentials
    assert parse("http://:pw@a/").credentials
    assert not parse("http://@a/").credentials
    assert not parse("http://a/@b").credentials


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("com", True),
        ("co.uk", True),
        ("github.io", True),
        ("xn--p1ai", True),
        ("example.com", False),
        ("localhost", False),
        ("internal", False),
    ],
)
def test_public_suffixes(host: str, public: bool) -> None:
    assert is_public_suffix(host) is public


PARTS = [
    *("http:", "https:", "HTTP:", "ws:", "file:", "blob:", "foo:", "//", "/", "\\", "@", ":", "."),
    *("80", "443", "0", "08", "0177", "0x7f", "127.1", "4294967296", "::1", "[", "]", "user:pw@"),
    *("evil.com", "allowed.com", "a", "-", "_", "xn--", "*", "#", "?", "..", "%", "%2f", "%00"),
    *("例え", "ß", "ẞ", "İ", "ſ", "К", "。", "．", "１", "٠", "א", "à", "🦊", "℀", "⁄", "\ufffd"),
    *("\t", "\n", " ", "\x00", "\x7f", "\u00ad", "\u200b", "\u200d", "|", "<", "^", "'", '"'),
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PARTS), max_size=9).map("".join)))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse(text)
    except InvalidArgument:
        return
    assert parse(address.href) == address
    assert address.origin == "null" or parse(address.origin).origin == address.origin
    assert address.href.isascii()


@given(st.text(alphabet=st.characters(categories=["Cs"]), min_size=1))
def test_half_a_character_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse(f"http://a/{text}")


AS_THE_BROWSER = """texts => texts.map(text => {
  try {
    const url = new URL(text);
    return [url.protocol.slice(0, -1), url.hostname, url.port, url.origin,
            Boolean(url.username || url.password)];
  } catch { return null; }
})"""


def corpus() -> list[str]:
    whole = list(HOSTS) + [text for text in REFUSED if text.isprintable()]
    seeded = random.Random(20)
    for _ in range(8000):
        count = seeded.randint(1, 6)
        opening = seeded.choice(["http://", "https://", "ws://", ""])
        whole.append(opening + "".join(seeded.choices(PARTS, k=count)))
    return whole


def _seen(address: Address) -> list[object]:
    usual = {"http": 80, "https": 443, "ws": 80, "wss": 443}.get(address.scheme)
    host = f"[{address.host}]" if ":" in address.host else address.host
    port = "" if address.port in {usual, None} else str(address.port)
    return [address.scheme, host, port, address.origin, address.credentials]


async def test_a_browser_agrees(page: Page) -> None:
    """What we accept for a page means the same to the browser, as written and as we send it."""
    texts = corpus()
    written = await page.main_frame.call(AS_THE_BROWSER, texts)
    compared = accepted = 0
    for text, theirs in zip(texts, written, strict=True):
        try:
            ours = parse(text)
        except InvalidArgument:
            continue
        if ours.scheme not in {"http", "https", "ws", "wss"}:
            continue
        accepted += 1
        if theirs is not None:  # a browser may refuse more
            compared += 1
            assert _seen(ours) == theirs, ascii(text)
    assert accepted > 1500
    assert compared > accepted * 0.99

    sent = [parse(text).href for text in texts if _opens(text)]
    reread = await page.main_frame.call(AS_THE_BROWSER, sent)
    for href, theirs in zip(sent, reread, strict=True):
        assert theirs is None or theirs == _seen(parse(href)), ascii(href)


def _opens(text: str) -> bool:
    try:
        return parse(text).scheme in {"http", "https"}
    except InvalidArgument:
        return False


def test_an_origin_is_always_something() -> None:
    assert origin_of("https://a:8443/b") == "https://a:8443"
    assert origin_of("about:blank") == "null"
    assert origin_of("") == "null"
