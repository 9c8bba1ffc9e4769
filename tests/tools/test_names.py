"""The names that agents know from elsewhere: each is here, or waits for work that is named."""

from __future__ import annotations

import json
from pathlib import Path

from stockade.tools import registry

DATA = json.loads(Path(__file__).with_name("names.json").read_text(encoding="utf-8"))
KNOWN = {name for names in DATA["names"].values() for name in names}
WAITING: dict[str, str] = DATA["waiting"]
HERE = {each.name for each in registry()}


def test_the_list_is_whole() -> None:
    assert len(KNOWN) == 198


def test_every_name_is_a_tool_or_waits_for_named_work() -> None:
    assert sorted(KNOWN - HERE - WAITING.keys()) == []


def test_nothing_waits_that_is_here_already() -> None:
    assert sorted(WAITING.keys() & HERE) == []
    assert WAITING.keys() <= KNOWN
    assert all(WAITING.values())
