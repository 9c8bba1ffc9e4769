"""Race loops: full length under `--soak`, a twentieth otherwise, always from a printed seed."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import settings

SHORTER = 20


@dataclass(frozen=True)
class Soak:
    """How long to run, and with what randomness."""

    full: bool
    seed: int
    random: random.Random

    def rounds(self, count: int) -> int:
        """How many of `count` rounds to do in this run, at least one."""
        return count if self.full else max(1, count // SHORTER)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run race loops at full length")
    parser.addoption("--seed", type=int, help="the seed of a race loop to repeat")


def pytest_configure(config: pytest.Config) -> None:
    """Generated examples are the same in every run, but for those of a soak."""
    settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
    settings.register_profile("soak", database=None, deadline=None, max_examples=1000)
    settings.load_profile("soak" if config.getoption("--soak") else "repeatable")


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> Soak:
    seed = request.config.getoption("--seed")
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32)
    # Captured, hence shown when the test fails; `make soak` shows it always.
    print(f"seed {seed}")  # noqa: T201
    return Soak(request.config.getoption("--soak"), seed, random.Random(seed))
