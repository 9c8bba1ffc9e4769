from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tiers import BY_DIRECTORY, LONG, TESTS, UNIT, tier_of, wall_seconds


@pytest.mark.parametrize(
    ("intervals", "seconds"),
    [
        ([], 0),
        ([(1, 3)], 2),
        ([(5, 6), (1, 3)], 3),
        ([(1, 4), (2, 3)], 3),
        ([(1, 3), (2, 5), (5, 6)], 5),
    ],
)
def test_wall_time_counts_what_ran_at_once_once(
    intervals: list[tuple[float, float]], seconds: float
) -> None:
    assert wall_seconds(intervals) == seconds


def test_a_file_belongs_to_the_tier_of_its_first_directory() -> None:
    assert tier_of(TESTS / "engines" / "cdp" / "test_pipe.py") is BY_DIRECTORY["engines"]
    assert tier_of(TESTS / "test_errors.py") is UNIT
    assert tier_of(TESTS / "policy" / "test_rules.py") is UNIT
    assert tier_of(Path("elsewhere/test_x.py")) is UNIT


def test_what_begins_first_is_there() -> None:
    assert [group for group in LONG if not (TESTS.parent / group).is_file()] == []


def test_groups_are_known_to_whoever_deals_them_out(request: pytest.FixtureRequest) -> None:
    if not hasattr(request.config, "workerinput") or not request.config.getvalue("loadgroup"):
        pytest.skip("nothing is dealt out")
    assert request.node.nodeid.endswith("@tests/support/test_tiers.py")
