"""The throttle on wrong tokens."""

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
    for number in range(times):
        throttle.check(address, f"guess {number}")
        throttle.wrong(address, f"guess {number}")


def test_an_address_may_be_wrong_twenty_times_in_a_minute() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    wrong(throttle, "10.0.0.1", 19)
    throttle.check("10.0.0.1", "x")
    throttle.wrong("10.0.0.1", "x")
    with pytest.raises(LimitReached) as caught:
        throttle.check("10.0.0.1", "x")
    assert caught.value.details["retryAfter"] == 60
    clock.now += 60
    throttle.check("10.0.0.1", "x")


def test_others_are_not_held_up() -> None:
    throttle = Throttle()
    wrong(throttle, "10.0.0.1")
    throttle.check("10.0.0.2", "x")


def test_a_token_that_was_right_is_not_held_up_until_it_is_wrong() -> None:
    throttle = Throttle()
    throttle.right("mine")
    wrong(throttle, "10.0.0.1")
    throttle.check("10.0.0.1", "mine")
    throttle.wrong("10.0.0.1", "mine")
    with pytest.raises(LimitReached):
        throttle.check("10.0.0.1", "mine")


def test_memory_of_addresses_and_tokens_is_bounded() -> None:
    throttle = Throttle()
    for number in range(6000):
        throttle.wrong(f"address {number}", "x")
        throttle.right(f"token {number}")
    assert len(throttle._wrong) <= 4096
    assert len(throttle._known) <= 4096
