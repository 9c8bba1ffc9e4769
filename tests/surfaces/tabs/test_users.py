"""Users: whatever a client calls them, each has one session and nobody else has it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.sessions.manager import _NAME
from stockade.surfaces.tabs.users import session_of, user_in


@pytest.mark.parametrize(
    ("sent", "user"),
    [
        ("agent1", "agent1"),
        (" agent 1 ", " agent 1 "),
        (7, "7"),
        (7.0, "7"),
        (7.5, "7.5"),
        (1e300, "1e+300"),
        (0, "0"),
        (True, "true"),
        (["a", 1], '["a",1]'),
        ({"id": "ü"}, '{"id":"ü"}'),
        (None, ""),
        ("", ""),
        (" \t\n", ""),
    ],
)
def test_any_value_is_a_text(sent: Any, user: str) -> None:
    assert user_in(sent) == user


@pytest.mark.parametrize("user", ["agent1", "a", "7", "me@example.com", "team:bot-1.2", "x" * 100])
def test_a_user_that_could_be_a_session_is_one(user: str) -> None:
    assert session_of(user) == user


@pytest.mark.parametrize(
    "user",
    [
        "x" * 101,
        "x" * 1_000_000,
        "a b",
        "a/b",
        "../x",
        "Jürgen",
        "用户",
        "-a",
        "u:a",
        "ses_1",
        "\ud800",
    ],
)
def test_any_other_is_a_digest(user: str) -> None:
    name = session_of(user)
    assert name.startswith("u:")
    assert len(name) == 66
    assert session_of(name) != name, "nobody can call himself another's digest"


@given(st.text(), st.text())
def test_no_two_share_a_session(one: str, other: str) -> None:
    assert _NAME.fullmatch(session_of(one))
    assert (session_of(one) == session_of(other)) is (one == other)
