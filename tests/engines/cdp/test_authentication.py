"""Which challenge gets the credentials."""

from __future__ import annotations

import msgspec
import pytest

from stockade.engines.cdp.authentication import Authenticator, Challenged
from stockade.engines.values import Credentials, Proxy
from stockade.errors import InvalidArgument

REFUSED = {"response": "CancelAuth"}
GIVEN = {"response": "ProvideCredentials", "username": "alice", "password": "secret"}


def challenged(request: str, origin: str = "http://host", source: str = "Server") -> Challenged:
    challenge = {"origin": origin, "source": source, "scheme": "basic", "realm": "r"}
    return msgspec.convert({"requestId": request, "authChallenge": challenge}, Challenged)


def authenticator(origin: str | None = None) -> Authenticator:
    return Authenticator(Credentials("alice", "secret", origin))


def test_once_per_request() -> None:
    alice = authenticator()
    assert alice.answer(challenged("1")) == GIVEN
    assert alice.answer(challenged("1")) == REFUSED
    assert alice.answer(challenged("2")) == GIVEN


def test_never_to_a_proxy() -> None:
    assert authenticator().answer(challenged("1", source="Proxy")) == REFUSED


@pytest.mark.parametrize(
    ("server", "challenger", "answer"),
    [
        ("http://gate:3128", "http://gate:3128", GIVEN),
        ("gate:3128", "http://gate:3128", GIVEN),
        ("https://gate:443", "https://gate", GIVEN),
        ("http://gate:3128", "http://gate:3129", REFUSED),
        ("http://gate:3128", "https://gate:3128", REFUSED),
        ("http://gate:3128", "null", REFUSED),
        ("socks5://gate:3128", "null", REFUSED),
    ],
)
def test_a_proxys_credentials_are_for_that_proxy(
    server: str, challenger: str, answer: dict[str, str]
) -> None:
    ours = Authenticator(None, Proxy(server, "alice", "secret"))
    assert ours.pattern == "*"
    assert ours.answer(challenged("1", challenger, "Proxy")) == answer
    assert ours.answer(challenged("1", challenger, "Proxy")) == REFUSED
    assert ours.answer(challenged("2", challenger)) == REFUSED


def test_a_proxy_and_a_site_may_both_ask_about_one_request() -> None:
    both = Authenticator(Credentials("bob", "word"), Proxy("gate:1", "alice", "secret"))
    assert both.answer(challenged("1", "http://gate:1", "Proxy")) == GIVEN
    assert both.answer(challenged("1"))["username"] == "bob"


def test_without_credentials_nothing_is_held() -> None:
    assert Authenticator(None, Proxy("gate:1")).pattern is None
    assert Authenticator(None).answer(challenged("1")) == REFUSED


@pytest.mark.parametrize(
    ("bound", "challenger", "answer"),
    [
        ("http://host", "http://host", GIVEN),
        ("http://host", "http://host:80", GIVEN),
        ("https://host:443/path", "https://HOST", GIVEN),
        ("http://[::1]:8080", "http://[::1]:8080", GIVEN),
        ("http://host", "https://host", REFUSED),
        ("http://host", "http://host:8080", REFUSED),
        ("http://host", "http://host.evil", REFUSED),
        ("http://host", "http://evil-host", REFUSED),
        ("http://host", "null", REFUSED),
    ],
)
def test_only_to_its_origin(bound: str, challenger: str, answer: dict[str, str]) -> None:
    assert authenticator(bound).answer(challenged("1", challenger)) == answer


@pytest.mark.parametrize(
    ("bound", "pattern"),
    [
        (None, "*"),
        ("http://host", "http://host/*"),
        ("https://host:443", "https://host/*"),
        ("http://host:8080", "http://host:8080/*"),
        ("http://[::1]:8080", "http://[::1]:8080/*"),
    ],
)
def test_only_its_origins_requests_are_held(bound: str | None, pattern: str) -> None:
    assert authenticator(bound).pattern == pattern


@pytest.mark.parametrize("origin", ["", "host", "ftp://host", "http://", "http://h:x", "http://*"])
def test_what_is_no_origin(origin: str) -> None:
    with pytest.raises(InvalidArgument):
        authenticator(origin)


def test_what_was_answered_is_forgotten_in_time() -> None:
    alice = authenticator()
    for number in range(5000):
        alice.answer(challenged(str(number)))
    assert len(alice._answered) <= 1000
