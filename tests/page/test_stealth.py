from __future__ import annotations

from stockade.engines.values import World
from stockade.page.stealth import stealth_script


def test_it_runs_in_the_pages_own_world() -> None:
    assert stealth_script().world is World.MAIN
    assert stealth_script() is stealth_script()
