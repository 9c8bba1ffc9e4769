"""What no device has: values that are refused before a browser sees them."""

from __future__ import annotations

import functools
import math
import re
import zoneinfo
from collections.abc import Iterator

from stockade.engines.values import Emulation
from stockade.errors import InvalidArgument

__all__ = ["check_emulation"]

_LONGEST_SIDE = 16_384
"""The largest texture most graphics hardware has."""
_MOST_PIXELS = 64_000_000
"""The browser holds four bytes for each, more than once."""
_LARGEST_SCALE = 8.0
_MOST_SLOWDOWN = 100
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?(-[A-Za-z0-9]{5,8})*")
_TIMEZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")


def check_emulation(emulation: Emulation) -> None:
    """Refuse what no browser could be made to tell a page, naming the field."""
    for field, sound, problem in _rules(emulation):
        if not sound:
            raise InvalidArgument(f"{field} {problem}", field=field)


def _rules(emulation: Emulation) -> Iterator[tuple[str, bool, str]]:
    view, network, place = emulation.viewport, emulation.network, emulation.geolocation
    agent, locale, timezone = emulation.user_agent, emulation.locale, emulation.timezone
    for side in ("width", "height"):
        length = getattr(view, side)
        yield f"viewport.{side}", 1 <= length <= _LONGEST_SIDE, f"must be 1 to {_LONGEST_SIDE}"
        fits = length * view.scale <= _LONGEST_SIDE
        yield f"viewport.{side}", fits, f"times viewport.scale must not exceed {_LONGEST_SIDE}"
    area = view.width * view.height * view.scale**2
    yield "viewport", area <= _MOST_PIXELS, f"must not have more than {_MOST_PIXELS} pixels"
    sound = 0 < view.scale <= _LARGEST_SCALE
    yield "viewport.scale", sound, f"must be above 0 and at most {_LARGEST_SCALE:g}"
    if agent is not None:
        printable = bool(agent.value) and agent.value.isascii() and agent.value.isprintable()
        yield "user_agent.value", printable, "must be printable ASCII"
    if locale is not None:
        tag = _LOCALE.fullmatch(locale) is not None
        yield "locale", tag, f"is not a language tag such as de-DE: {locale!r}"
    if timezone is not None:
        yield "timezone", _is_zone(timezone), f"is not a zone such as Europe/Berlin: {timezone!r}"
    if place is not None:
        yield "geolocation.latitude", abs(place.latitude) <= 90, "must be -90 to 90"  # noqa: PLR2004
        yield "geolocation.longitude", abs(place.longitude) <= 180, "must be -180 to 180"  # noqa: PLR2004
        yield "geolocation.accuracy", 0 <= place.accuracy < math.inf, "must not be negative"
    yield "cpu_slowdown", 1 <= emulation.cpu_slowdown <= _MOST_SLOWDOWN, "must be 1 to 100"
    yield "network.latency_ms", 0 <= network.latency_ms < math.inf, "must not be negative"
    loss = network.packet_loss_percent
    yield "network.packet_loss_percent", 0 <= loss <= 100, "must be 0 to 100"  # noqa: PLR2004


def _is_zone(timezone: str) -> bool:
    # A system without its zone files leaves the judgement to the browser.
    zones = _zones()
    return timezone in zones if zones else _TIMEZONE.fullmatch(timezone) is not None


_zones = functools.cache(zoneinfo.available_timezones)
