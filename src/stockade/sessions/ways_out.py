"""Ways out: which proxy a new session goes through, and where that makes it seem to be."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from itertools import count

from stockade.config import Settings
from stockade.egress.protocol import Upstream
from stockade.engines.values import Geolocation
from stockade.proxies import ProxyEntry, sticky_username
from stockade.sessions.geography import Atlas, Geography, locale_of
from stockade.telemetry.logs import get_logger

__all__ = ["WayOut", "WaysOut"]

_RESOLVE_SECONDS = 5.0

_log = get_logger("stockade.sessions")


@dataclass(frozen=True)
class WayOut:
    """The proxy of one session, which only the egress process knows how to log in to."""

    name: str
    upstream: Upstream = field(repr=False)
    geography: Geography = field(default_factory=Geography)


class WaysOut:
    """The proxies of a server, given to sessions as its settings say."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns = count()
        self._geographies = [_stated(entry) for entry in settings.proxies]
        wanted = settings.proxies and settings.geoip_database
        self._atlas = Atlas(wanted) if wanted else None

    async def locate(self) -> None:
        """Look up the proxies that do not say where they are.

        The exit of a sticky session is anywhere but where its gateway is: only the entry knows.
        """
        if self._atlas is None or self._settings.proxy_strategy == "sticky":
            return
        entries = self._settings.proxies
        found = await asyncio.gather(*(_addresses(each.host) for each in entries))
        for number, (entry, addresses) in enumerate(zip(entries, found, strict=True)):
            self._geographies[number] = self._looked_up(entry, addresses)

    def _looked_up(self, entry: ProxyEntry, addresses: list[str]) -> Geography:
        stated = _stated(entry)
        known = next(filter(None, map(self._find, addresses)), None)
        if known is None:
            if stated == Geography():
                _log.warning("where a proxy is cannot be found out", proxy=entry.label)
            return stated
        country, looked_up = known
        if stated != Geography() and entry.country.upper() != country:
            # Half of one place and half of another would be neither.
            return stated
        return Geography(
            locale=stated.locale or looked_up.locale,
            timezone=stated.timezone or looked_up.timezone,
            geolocation=stated.geolocation or looked_up.geolocation,
        )

    def _find(self, address: str) -> tuple[str, Geography] | None:
        return self._atlas.find(address) if self._atlas is not None else None

    def next(self) -> WayOut | None:
        """The way out of a session that is being opened; None is the direct one."""
        entries, strategy = self._settings.proxies, self._settings.proxy_strategy
        if not entries:
            return None
        number = 0 if strategy == "simple" else next(self._turns) % len(entries)
        entry = entries[number]
        username = entry.username
        if strategy == "sticky":
            username = sticky_username(entry, self._settings.proxy_provider, secrets.token_hex(6))
        upstream = Upstream(entry.kind, entry.host, entry.port, username, entry.password)
        return WayOut(entry.label, upstream, self._geographies[number])

    def close(self) -> None:
        """Let go of what was opened."""
        if self._atlas is not None:
            self._atlas.close()


def _stated(entry: ProxyEntry) -> Geography:
    """What the operator says of the place."""
    position = None
    if entry.latitude is not None and entry.longitude is not None:
        position = Geolocation(entry.latitude, entry.longitude)
    return Geography(entry.locale or locale_of(entry.country), entry.timezone, position)


async def _addresses(host: str) -> list[str]:
    """The addresses of a machine; none if it has none, or nobody says in time."""
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(_RESOLVE_SECONDS):
            found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, TimeoutError, UnicodeError):
        return []
    return [str(each[4][0]) for each in found]
