"""Losses: news until everybody concerned has heard."""

from __future__ import annotations

from stockade.sessions.clock import Agenda
from stockade.sessions.losses import Losses
from tests.sessions.ground import HandClock


def test_each_matters_until_all_were_told(clock: HandClock) -> None:
    losses = Losses(Agenda(clock))
    assert losses.reason == ""
    losses.add("first", ["a", "b"], matters_for=300)
    losses.add("second", ["c"], matters_for=300)
    clock.advance(10_000)
    assert losses.reason == "second"
    losses.told("c")
    losses.told("a")
    losses.told("nobody")
    assert losses.reason == "first"
    losses.told("b")
    assert losses.reason == ""


def test_one_that_nobody_used_matters_as_long_as_it_would_have_stayed(clock: HandClock) -> None:
    losses = Losses(Agenda(clock))
    losses.add("it crashed", [], matters_for=300)
    clock.advance(299)
    assert losses.reason == "it crashed"
    clock.advance(1)
    assert losses.reason == ""
    losses.add("again", [], matters_for=0)
    clock.advance(1e9)
    assert losses.reason == "again", "it would have stayed for ever"
    losses.forget()
    assert losses.reason == ""
