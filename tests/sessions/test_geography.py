"""Which language, time and place go with an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.engines.values import Emulation, Geolocation
from stockade.errors import BadSetting
from stockade.sessions.geography import Atlas, Geography, locale_of
from tests.support.places import write_atlas


@pytest.mark.parametrize(
    ("country", "locale"),
    [("DE", "de-DE"), ("us", "en-US"), ("BR", "pt-BR"), ("NO", "nb-NO"), ("", None), ("ZZ", None)],
)
def test_a_country_has_a_usual_language(country: str, locale: str | None) -> None:
    assert locale_of(country) == locale


def test_only_what_is_not_said_is_filled_in() -> None:
    berlin = Geography("de-DE", "Europe/Berlin", Geolocation(52.5, 13.4))
    said = Emulation(timezone="Asia/Tokyo")
    filled = berlin.fill(said)
    assert (filled.locale, filled.timezone) == ("de-DE", "Asia/Tokyo")
    assert filled.geolocation == berlin.geolocation
    assert Geography().fill(said) == said


def test_a_file_knows_where_addresses_are(tmp_path: Path) -> None:
    atlas = Atlas(
        write_atlas(
            tmp_path,
            {
                "198.51.100.0/24": {
                    "country": {"iso_code": "JP"},
                    "location": {
                        "latitude": 35.7,
                        "longitude": 139.7,
                        "accuracy_radius": 5,
                        "time_zone": "Asia/Tokyo",
                    },
                },
                "203.0.113.0/24": {"country": {"iso_code": "DE"}, "location": {"latitude": "x"}},
                "192.0.2.0/24": {"country": "odd", "location": 7},
            },
        )
    )
    tokyo = Geography("ja-JP", "Asia/Tokyo", Geolocation(35.7, 139.7, 5000))
    assert atlas.find("198.51.100.7") == ("JP", tokyo)
    assert atlas.find("203.0.113.7") == ("DE", Geography("de-DE"))
    assert atlas.find("192.0.2.7") == ("", Geography())
    assert atlas.find("10.0.0.1") is None
    assert atlas.find("2001:db8::1") is None
    atlas.close()


@pytest.mark.parametrize("content", [None, b"", b"not a database"])
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "places.mmdb"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadSetting) as caught:
        Atlas(path)
    assert caught.value.details["setting"] == "geoip_database"
