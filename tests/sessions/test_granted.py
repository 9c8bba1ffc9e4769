"""What was granted."""

from __future__ import annotations

from stockade.sessions.granted import Granted


def test_by_origin_and_everywhere() -> None:
    granted = Granted()
    granted.add(("camera", "microphone"), "https://a.example/some/page")
    granted.add(("geolocation",), None)
    assert granted.has("camera", "https://a.example")
    assert not granted.has("camera", "https://b.example")
    assert granted.has("camera")
    assert granted.has("geolocation", "https://b.example")
    assert granted.listed() == {
        "https://a.example": ["camera", "microphone"],
        "*": ["geolocation"],
    }
    granted.clear()
    assert granted.listed() == {}
    assert not granted.has("camera")
