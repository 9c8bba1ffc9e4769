"""How long the phases of a request took."""

from __future__ import annotations

from stockade.engines.cdp.request_events import ResourceTiming


def test_phases_that_were_and_phases_that_were_not() -> None:
    timing = ResourceTiming(
        dnsStart=1, dnsEnd=3, connectStart=3, connectEnd=8, sendStart=8, sendEnd=9
    )
    phases = timing.phases()
    assert (phases.blocked, phases.dns, phases.connect) == (1, 2, 5)
    nothing = ResourceTiming().phases()
    assert (nothing.blocked, nothing.dns, nothing.connect) == (-1, -1, -1)
