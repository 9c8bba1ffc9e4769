"""Hosts that are made to be taken for others."""

from __future__ import annotations

import pytest

from stockade.policy.lookalikes import imitated, mixes_scripts, readable
from stockade.urls import parse

KNOWN = ("paypal.com", "www.example.co.uk", "github.com", "bank.test", "microsoft.com")


def ascii_host(text: str) -> str:
    return parse(f"https://{text}/").host


@pytest.mark.parametrize(
    ("host", "meant"),
    [
        ("paypa1.com", "paypal.com"),
        ("рaypal.com", "paypal.com"),
        ("раураl.com", "paypal.com"),
        ("paypal.com.evil.test", "paypal.com"),
        ("login.paypal.com.evil.test", "paypal.com"),
        ("pay-pal.com", "paypal.com"),
        ("paypall.com", "paypal.com"),
        ("payapl.com", "paypal.com"),
        ("páypal.com", "paypal.com"),
        ("paypa1.org", "paypal.com"),
        ("exarnple.co.uk", "www.example.co.uk"),
        ("gìthub.com", "github.com"),
        ("rnicrosoft.com", "microsoft.com"),
        ("secure.micros0ft.net", "microsoft.com"),
    ],
)
def test_what_looks_like_another(host: str, meant: str) -> None:
    assert imitated(ascii_host(host), KNOWN) == meant


@pytest.mark.parametrize(
    "host",
    [
        "paypal.com",
        "www.paypal.com",
        "checkout.paypal.com",
        "example.co.uk",
        "shop.example.co.uk",
        "example.com",
        "github.io",
        "someone.github.io",
        "tank.test",
        "localhost",
        "127.0.0.1",
        "münchen.de",
        "例え.jp",
        "paypal.org",
    ],
)
def test_what_is_itself(host: str) -> None:
    assert imitated(ascii_host(host), KNOWN) is None


@pytest.mark.parametrize(
    ("host", "mixed"),
    [
        ("рaypal.com", True),
        ("googlе.com", True),
        ("münchen.de", False),
        ("пример.рф", False),
        ("日本語テスト.jp", False),
        ("例えabc.jp", False),
        ("paypal.com", False),
    ],
)
def test_mixed_scripts(host: str, mixed: bool) -> None:
    assert mixes_scripts(ascii_host(host)) is mixed


def test_what_people_see() -> None:
    assert readable("www.xn--mnchen-3ya.de") == "www.münchen.de"
    assert readable("xn--\x80.example") == "xn--\x80.example"
