"""Values that no browser is asked to take."""

from __future__ import annotations

import pytest

from stockade.engines.cdp import limits
from stockade.engines.cdp.limits import check_emulation
from stockade.engines.values import (
    Emulation,
    Geolocation,
    NetworkConditions,
    UserAgent,
    Viewport,
)
from stockade.errors import InvalidArgument


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (Emulation(viewport=Viewport(0, 720)), "viewport.width"),
        (Emulation(viewport=Viewport(1280, 100_000)), "viewport.height"),
        (Emulation(viewport=Viewport(9000, 9000, scale=2)), "viewport.width"),
        (Emulation(viewport=Viewport(9000, 9000)), "viewport"),
        (Emulation(viewport=Viewport(scale=0)), "viewport.scale"),
        (Emulation(locale="de_DE!"), "locale"),
        (Emulation(timezone="Mars/Olympus Mons"), "timezone"),
        (Emulation(timezone="Mars/Olympus"), "timezone"),
        (Emulation(geolocation=Geolocation(91, 0)), "geolocation.latitude"),
        (Emulation(geolocation=Geolocation(0, 181)), "geolocation.longitude"),
        (Emulation(geolocation=Geolocation(0, float("nan"))), "geolocation.longitude"),
        (Emulation(user_agent=UserAgent("bad\nagent")), "user_agent.value"),
        (Emulation(cpu_slowdown=0.5), "cpu_slowdown"),
        (Emulation(network=NetworkConditions(latency_ms=-1)), "network.latency_ms"),
    ],
)
def test_a_value_no_device_has_is_refused_by_name(wrong: Emulation, field: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_emulation(wrong)
    assert caught.value.details["field"] == field
    assert field in caught.value.message


@pytest.mark.parametrize("locale", ["de", "de-DE", "zh-Hant-TW", "es-419", "sr-Latn"])
@pytest.mark.parametrize("timezone", ["UTC", "Europe/Berlin", "America/Indiana/Knox", "Etc/GMT+5"])
def test_what_devices_have(locale: str, timezone: str) -> None:
    check_emulation(Emulation(locale=locale, timezone=timezone))


def test_without_zone_files_the_look_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_zones", frozenset)
    check_emulation(Emulation(timezone="Mars/Olympus"))
    with pytest.raises(InvalidArgument):
        check_emulation(Emulation(timezone="../../etc/passwd"))
