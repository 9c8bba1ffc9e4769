from __future__ import annotations

from itertools import pairwise

import pytest

from stockade.jails.life import Life, Misstep, State

WHOLE = [State.NEW, State.CREATED, State.STARTED, State.READY, State.INJECTED, State.RUNNING]


def test_the_steps_of_a_life() -> None:
    life = Life()
    for state in WHOLE[1:]:
        life.goes_to(state)
    assert life.state is State.RUNNING
    assert not life.over
    plain = Life()
    for state in (State.CREATED, State.STARTED, State.READY, State.RUNNING):
        plain.goes_to(state)


@pytest.mark.parametrize("state", WHOLE)
def test_from_every_state_it_can_be_destroyed_and_from_there_nothing_else(state: State) -> None:
    life = Life()
    life.state = state
    life.goes_to(State.DESTROYED)
    assert life.over
    life.goes_to(State.DESTROYED)
    for other in WHOLE:
        with pytest.raises(Misstep):
            life.goes_to(other)


def test_no_step_is_taken_back_or_left_out() -> None:
    allowed = {*pairwise(WHOLE), (State.READY, State.RUNNING)}
    for state in WHOLE:
        for other in WHOLE:
            life = Life()
            life.state = state
            if (state, other) in allowed:
                life.goes_to(other)
            else:
                with pytest.raises(Misstep, match="cannot become"):
                    life.goes_to(other)
