"""What a session's callers have named."""

from __future__ import annotations

import pytest

from stockade.engines.values import Box, Point
from stockade.errors import TargetNotFound
from stockade.sessions.names import NamedRef, Names


def test_an_element_of_that_tab() -> None:
    names = Names(refs={"buy": NamedRef("t1", "e3")})
    assert names.meant("buy", "t1") == "e3"
    with pytest.raises(TargetNotFound, match="t1"):
        names.meant("buy", "t2")


def test_the_middle_of_a_region() -> None:
    names = Names(regions={"map": Box(10, 20, 100, 50)})
    assert names.meant("map", "t9") == Point(60, 45)


def test_nothing_of_that_name() -> None:
    with pytest.raises(TargetNotFound):
        Names().meant("buy", "t1")
