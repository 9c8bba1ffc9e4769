"""The keyring: which of the original's keys open what, and who needs none."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from stockade.config import Settings
from stockade.errors import Refused, StockadeError, Unauthenticated
from stockade.surfaces.guard import Authority
from stockade.surfaces.tabs.places import holds_cookies, holds_state

__all__ = ["ADMIN_HEADER", "Keyring"]

ADMIN_HEADER: Final = "x-admin-key"
_FORWARDED: Final = frozenset(
    {"cdn-loop", "client-ip", "forwarded", "front-end-https", "true-client-ip", "via"}
    | {"x-arr-log-id", "x-arr-ssl", "x-client-ip", "x-cluster-client-ip", "x-http-proxy"}
    | {"x-nginx-proxy", "x-originating-ip", "x-real-ip", "x-remote-addr", "x-remote-ip"}
    | {"x-request-start", "x-scheme", "x-url-scheme"}
)
_FORWARDED_FAMILIES: Final = (
    "cf-", "cloudfront-", "fastly-", "fly-", "ngrok-", "proxy-", "tailscale-", "x-amz-cf-",
    "x-amzn-", "x-appengine-", "x-azure-", "x-envoy-", "x-forwarded", "x-google-", "x-original-",
    "x-proxy", "x-render-", "x-traefik-", "x-vercel-",
)  # fmt: skip
"""What proxies say: whoever they speak for is not known to be on this machine."""
_PROXYS_HTTP: Final = "1.0"
"""What nginx speaks to what is behind it unless it is told otherwise, and no client of today."""


@dataclass(frozen=True)
class Keyring:
    """The keys that an operator of the original has set, and whether it is open besides."""

    access: str = ""
    api: str = ""
    admin: str = ""
    open: bool = False
    """Who is on this machine needs no key for what is not private."""

    @classmethod
    def of(cls, settings: Settings, *, loopback: bool) -> Keyring:
        """The keys of the settings; nothing is open where others than this machine can ask."""
        return cls(
            access=settings.access_key,
            api=settings.api_key,
            admin=settings.admin_key,
            open=settings.compat and loopback,
        )

    def fits(self, path: str, token: str) -> bool:
        """Whether a token is one of the keys that open an address of the tab API."""
        by_api = _same(token, self.api)
        by_access = _same(token, self.access)
        if holds_cookies(path):
            return by_api
        if holds_state(path):
            return by_api or by_access
        # Where no key is asked for, one that is right does no harm.
        return by_access or (by_api and self.open and not self.access)

    def is_admin(self, given: str) -> bool:
        """Whether it is the key that may stop the browsers."""
        return _same(given, self.admin)

    def admits(self, scope: Scope) -> bool:
        """Whether a request needs no key, for what is not private."""
        if not self.open or self.access:
            return False
        headers = Headers(scope=scope)
        if _is_forwarded(scope, headers):
            return False
        named = Authority.parse(headers.get("host", ""))
        return named is not None and _is_here(named.host) and _is_here(_peer(scope))

    def refusal(self, path: str, token: str) -> StockadeError:
        """What who has no key for an address is told."""
        if not holds_state(path) or (self._asks_access(path) and not _same(token, self.access)):
            return Unauthenticated("a token is needed")
        which = "api_key" if holds_cookies(path) else "api_key or access_key"
        return Refused(
            "Forbidden",
            hint=f"Send a token of this server as `Authorization: Bearer ...`, or the {which} "
            "that the operator has set (STOCKADE_API_KEY); it is needed on this machine too.",
        )

    def _asks_access(self, path: str) -> bool:
        """Whether the access key is asked for first; cookies have a key of their own."""
        return bool(self.access) and not (holds_cookies(path) and self.api)


def _same(given: str, key: str) -> bool:
    """Whether they are the same, found out in a time that does not tell."""
    return bool(key) and hmac.compare_digest(given.encode(), key.encode())


def _is_forwarded(scope: Scope, headers: Headers) -> bool:
    """Whether a proxy can be seen to have passed a request on; one that says nothing cannot."""
    return scope.get("http_version") == _PROXYS_HTTP or any(
        name in _FORWARDED or name.startswith(_FORWARDED_FAMILIES) for name in headers
    )


def _peer(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _is_here(host: str) -> bool:
    """Whether an address, or the one name that always means it, is this machine's alone."""
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
