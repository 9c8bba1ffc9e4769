"""Sockets, by name and by age."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.events import Request
from stockade.errors import Missing, TargetAmbiguous
from stockade.sessions.parts import Parts
from stockade.traffic.sockets import SocketNames, SocketRule, _chosen


def socket(id: str) -> Request:
    return Request(id, "wss://a.test/", "GET", "WebSocket", 1.0, status=101)


class Objects:
    async def call(self, function: str, *arguments: Any, timeout: float) -> Any:
        raise NotImplementedError


def test_names_stay_with_their_sockets() -> None:
    parts = Parts()
    page = Request("r2", "https://a.test/", "GET", "Document", 1.0)
    names = SocketNames.of(parts, [socket("r1"), page, socket("r3")])
    assert [names.name(each) for each in ("r1", "r3")] == ["ws-1", "ws-2"]
    # The log has let go of the first.
    later = SocketNames.of(parts, [socket("r3"), socket("w1")])
    assert later is names
    assert names.find("ws-2", [socket("r3")]).id == "r3"
    assert names.find("ws-3", [socket("w1")]).id == "w1"
    with pytest.raises(Missing):
        names.find("ws-1", [socket("r3")])


def test_a_rule_for_scripts() -> None:
    rule = SocketRule("wss://a.test/x?y=*", {"data": "z"}, "sent").as_json()
    assert rule == {
        "parts": ["wss://a.test/x?y=", ""],
        "response": {"data": "z"},
        "direction": "sent",
    }


def test_the_one_that_a_request_opened() -> None:
    here, there = Objects(), Objects()
    first, second = socket("r1"), socket("r2")
    assert _chosen([(here, 4, None)], [first], first) == (here, 4)
    aged = [(here, 0, 20.0), (there, 1, 10.0)]
    assert _chosen(aged, [first, second], first) == (there, 1)
    assert _chosen(aged, [first, second], second) == (here, 0)
    with pytest.raises(TargetAmbiguous):
        _chosen([(here, 0, None), (there, 1, 10.0)], [first, second], first)
    with pytest.raises(Missing):
        _chosen([], [first], first)
