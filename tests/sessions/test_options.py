"""Rules: what becomes of requests, by name."""

from __future__ import annotations

from stockade.sessions.options import Rule


def test_the_strictest_of_several_decides() -> None:
    rule = Rule("allow", {"camera": "raise", "midi": "deny", "geolocation": "ask-human"})
    assert rule.of("camera") == "raise"
    assert rule.of("microphone") == "allow"
    assert rule.strictest("microphone", "geolocation") == "ask-human"
    assert rule.strictest("geolocation", "camera") == "raise"
    assert rule.strictest("camera", "midi") == "deny"
    assert Rule().strictest() == "raise"
