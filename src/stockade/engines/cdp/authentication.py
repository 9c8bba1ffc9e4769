"""HTTP authentication: which challenge gets the credentials."""

from __future__ import annotations

import msgspec

from stockade.engines.values import Credentials
from stockade.errors import InvalidArgument
from stockade.urls import parse

__all__ = ["Authenticator", "Challenged"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
_ANSWERED_KEPT = 1000
_REFUSE = {"response": "CancelAuth"}


class _Challenge(msgspec.Struct):
    origin: str
    source: str = "Server"


class Challenged(msgspec.Struct):
    """`Fetch.authRequired`."""

    requestId: str
    authChallenge: _Challenge


class Authenticator:
    """Gives credentials to the origin they are for, once per request, and never to a proxy."""

    def __init__(self, credentials: Credentials | None) -> None:
        self._credentials = credentials
        wanted = credentials.origin if credentials is not None else None
        self._origin = None if wanted is None else _origin(wanted)
        if wanted is not None and self._origin is None:
            raise InvalidArgument(f"{wanted!r} is no origin", hint="Write it as https://host:port.")
        self._answered: dict[str, None] = {}

    @property
    def pattern(self) -> str | None:
        """The requests that may be challenged by whom we would answer; None for none."""
        if self._credentials is None:
            return None
        return "*" if self._origin is None else f"{_text(self._origin)}/*"

    def answer(self, event: Challenged) -> dict[str, str]:
        """What to tell the browser; a challenge that comes back means the answer was wrong."""
        given = self._given(event.authChallenge)
        if given is None or event.requestId in self._answered:
            return _REFUSE
        self._answered[event.requestId] = None
        if len(self._answered) > _ANSWERED_KEPT:
            del self._answered[next(iter(self._answered))]
        return {
            "response": "ProvideCredentials",
            "username": given.username,
            "password": given.password,
        }

    def _given(self, challenge: _Challenge) -> Credentials | None:
        if challenge.source == "Proxy":
            return None
        if self._origin is not None and _origin(challenge.origin) != self._origin:
            return None
        return self._credentials


_Origin = tuple[str, str, int]


def _origin(text: str) -> _Origin | None:
    """Scheme, host and port; a default port need not be written."""
    try:
        address = parse(text)
    except InvalidArgument:
        return None
    if address.scheme not in _DEFAULT_PORTS or not address.host or address.port is None:
        return None
    return address.scheme, address.host, address.port


def _text(origin: _Origin) -> str:
    scheme, host, port = origin
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" if port == _DEFAULT_PORTS[scheme] else f"{scheme}://{name}:{port}"
