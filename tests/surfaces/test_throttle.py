"""The rate limit on wrong tokens."""

from __future__ import annotations

import pytest

from stockade.errors import LimitReached
from stockade.surfaces.throttle import Throttle


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def wrong(throttle: Throttle, address: str, times: int = 20) -> None:
    for _ in range(times):
        throttle.wrong(address)


def test_an_address_may_be_wrong_twenty_times_in_a_minute() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    wrong(throttle, "10.0.0.1")
    with pytest.raises(LimitReached) as caught:
        throttle.wrong("10.0.0.1")
    assert caught.value.details["retryAfter"] == 60
    clock.now += 60
    throttle.wrong("10.0.0.1")


def test_others_are_not_held_up() -> None:
    throttle = Throttle()
    wrong(throttle, "10.0.0.1")
    throttle.wrong("10.0.0.2")


def test_memory_of_addresses_is_bounded() -> None:
    throttle = Throttle()
    for number in range(6000):
        throttle.wrong(f"address {number}")
    assert len(throttle._wrong) <= 4096
