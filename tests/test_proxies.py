"""A proxy as it is written down."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.config import Settings, load
from stockade.errors import BadSetting
from stockade.proxies import ProxyEntry, sticky_username

SECRET = "hunter2hunter2"


def entries(given: object) -> tuple[ProxyEntry, ...]:
    return load(workspace="/nonexistent", proxies=given).proxies


@pytest.mark.parametrize(
    ("written", "server"),
    [
        ("gate.example:3128", "http://gate.example:3128"),
        ("HTTP://Gate.Example:80/", "http://gate.example:80"),
        ("https://gate.example:443", "https://gate.example:443"),
        ("socks5://10.0.0.1:1080", "socks5://10.0.0.1:1080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_is_a_proxy(written: str, server: str) -> None:
    (entry,) = entries(written)
    assert entry.server == server
    assert entry.host == server.partition("://")[2].rpartition(":")[0].strip("[]")
    assert entry.label == server


def test_several_are_written_with_commas_or_as_tables() -> None:
    first, second = entries(f"http://u%40x:{SECRET}@a:1, b:2")
    assert (first.server, first.username, first.password) == ("http://a:1", "u@x", SECRET)
    assert (second.username, second.password) == ("", "")
    (entry,) = entries(
        [{"server": "a:1", "name": "Berlin", "locale": "de-DE", "latitude": 52.5, "longitude": 13}]
    )
    assert (entry.label, entry.locale, entry.longitude) == ("Berlin", "de-DE", 13.0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("gate.example", "http://host:port"),
        ("ftp://a:1", "socks5://"),
        ("a:99999", "no port"),
        ("http://a:1/path", "http://host:port"),
        ({"server": "a:1", "password": SECRET}, "needs a username"),
        ({"server": "a:1", "latitude": 1}, "belong together"),
        ({"server": "a:1", "latitude": 91, "longitude": 1}, "proxies[0].latitude"),
        ({"server": "a:1", "timezone": "../etc"}, "Europe/Berlin"),
        ({"server": "a:1", "locale": "de_DE!"}, "de-DE"),
        ({"server": "a:1", "country": "Germany"}, "proxies[0].country"),
        ({"server": "a:1", SECRET: SECRET}, "proxies[0]: "),
        ({}, "proxies[0].server"),
    ],
)
def test_what_is_no_proxy_is_refused_without_being_shown(wrong: Any, said: str) -> None:
    with pytest.raises(BadSetting) as caught:
        entries([wrong])
    assert said in caught.value.message
    assert SECRET not in str(caught.value.as_dict())


def test_credentials_are_not_printed() -> None:
    (entry,) = entries(f"http://{SECRET}:{SECRET}@a:1")
    assert SECRET not in repr(entry)


def test_a_sticky_session_needs_a_name() -> None:
    with pytest.raises(BadSetting) as caught:
        load(workspace="/nonexistent", proxies="a:1", proxy_strategy="sticky")
    assert caught.value.details["setting"] == "proxy_strategy"
    with pytest.raises(BadSetting):
        load(workspace="/nonexistent", proxy_provider="acme")
    assert Settings(proxy_strategy="sticky").proxies == ()


def test_every_provider_has_its_own_way_to_name_a_session() -> None:
    entry = ProxyEntry(
        server="a:1", username="Me-1", password="p", country="DE", city="Bad Homburg"
    )
    assert sticky_username(entry, "generic", "0af") == "Me-1-session-0af"
    assert sticky_username(entry, "decodo", "0af") == (
        "user-me_1-country-de-city-bad_homburg-session-0af-sessionduration-10"
    )
