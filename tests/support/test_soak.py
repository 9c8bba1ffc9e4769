from __future__ import annotations

import random

from tests.support.soak import Soak


def test_a_short_run_does_a_twentieth() -> None:
    short = Soak(full=False, seed=1, random=random.Random(1))
    assert short.rounds(1000) == 50
    assert short.rounds(3) == 1


def test_a_full_run_does_everything() -> None:
    assert Soak(full=True, seed=1, random=random.Random(1)).rounds(1000) == 1000


def test_the_randomness_comes_from_the_seed(soak: Soak) -> None:
    assert soak.random.random() == random.Random(soak.seed).random()
