"""Geography: which language, time and place go with an address, as far as somebody knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stockade.engines.values import Emulation, Geolocation
from stockade.errors import BadSetting
from stockade.sessions.languages import LANGUAGES

if TYPE_CHECKING:
    from maxminddb import Reader

__all__ = ["Atlas", "Geography", "locale_of"]

_METRES = 1000.0
_FAR = 100_000.0
"""How far off a position may be that is only known by its coordinates."""


@dataclass(frozen=True)
class Geography:
    """Where a session seems to be; what is None is not known, and not made up."""

    locale: str | None = None
    timezone: str | None = None
    geolocation: Geolocation | None = None

    def fill(self, emulation: Emulation) -> Emulation:
        """The emulation with what it does not say itself."""
        return replace(
            emulation,
            locale=emulation.locale or self.locale,
            timezone=emulation.timezone or self.timezone,
            geolocation=emulation.geolocation or self.geolocation,
        )


def locale_of(country: str) -> str | None:
    """The usual language of a country, as it is spoken there."""
    code = country.upper()
    language = _languages().get(code)
    return f"{language}-{code}" if language else None


@cache
def _languages() -> Mapping[str, str]:
    return {code: language for language, codes in LANGUAGES.items() for code in codes.split()}


class Atlas:
    """A file in MaxMind's format, as GeoLite2-City is: addresses and where they are."""

    def __init__(self, path: Path) -> None:
        # Few servers have one.
        import maxminddb  # noqa: PLC0415

        try:
            self._reader: Reader = maxminddb.open_database(path)
        except (OSError, maxminddb.InvalidDatabaseError):
            raise BadSetting(
                "geoip_database: the file is not there, or not in MaxMind's format",
                hint="Name a file such as GeoLite2-City.mmdb, or unset it.",
                setting="geoip_database",
            ) from None

    def find(self, address: str) -> tuple[str, Geography] | None:
        """The country of an IP address, and what else is known of the place."""
        try:
            record = self._reader.get(address)
        except ValueError:
            # An IPv6 address, and the file knows none.
            return None
        if not isinstance(record, dict):
            return None
        country = str(_part(record, "country").get("iso_code", ""))
        place = _part(record, "location")
        zone = place.get("time_zone")
        return country, Geography(
            locale=locale_of(country),
            timezone=zone if isinstance(zone, str) else None,
            geolocation=_position(place),
        )

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()


def _part(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = record.get(name)
    return part if isinstance(part, dict) else {}


def _position(place: Mapping[str, Any]) -> Geolocation | None:
    latitude, longitude = place.get("latitude"), place.get("longitude")
    if not isinstance(latitude, int | float) or not isinstance(longitude, int | float):
        return None
    radius = place.get("accuracy_radius")
    accuracy = radius * _METRES if isinstance(radius, int) else _FAR
    return Geolocation(float(latitude), float(longitude), accuracy)
