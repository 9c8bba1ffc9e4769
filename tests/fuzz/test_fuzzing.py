"""Nothing that is generated leads off this machine."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.fuzzing import harmless

HOME = "http://127.0.0.1:1/"

addresses = st.sampled_from(
    [
        "https://example.com/",
        "//example.com",
        " javascript:alert(1)",
        "ws://example.com",
        "data:text/html,x",
        "chrome://version",
        "go to https://example.com now",
    ]
)
bodies = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | addresses,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(max_examples=50)
@given(bodies)
def test_no_address_is_left(body: object) -> None:
    assert "://" not in json.dumps(harmless(body, "home"))


@pytest.mark.parametrize("name", ["url", "baseUrl", "urls", "href", "origin", "proxy", "domains"])
def test_a_place_is_at_home_whatever_it_says(name: str) -> None:
    assert harmless({name: "example.com"}, HOME) == {name: HOME}
    assert harmless({name: ["a", {"x": 1}]}, HOME) == {name: [HOME, {"x": 1}]}


def test_nobody_waits_long() -> None:
    body = {"timeoutMs": 3_600_000, "durationMs": 10, "count": 1000, "mode": "full"}
    assert harmless(body, HOME) == {**body, "timeoutMs": 300}
