"""Which challenge gets the credentials."""

from __future__ import annotations

import msgspec
import pytest

from stockade.engines.cdp.authentication import Authenticator, Challenged
from stockade.engines.values import Credentials
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


def test_without_credentials_nothing_is_held() -> None:
    assert Authenticator(None).pattern is None
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
