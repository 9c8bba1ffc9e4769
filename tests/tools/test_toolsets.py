"""The toolsets that there are words for are those that there are."""

from __future__ import annotations

from stockade.tools import registry
from stockade.tools.toolsets import TOOLSETS


def test_every_toolset_has_words_and_tools() -> None:
    assert set(registry().toolsets) == set(TOOLSETS)
