"""Tokens have one shape, and keep their secret."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.store.tokens import Token, is_key_id

GOOD = "stk_0123456789abcdef_" + "A" * 43


def test_a_new_token_reads_back_as_itself() -> None:
    token = Token.new()
    assert re.fullmatch(r"stk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}", token.text)
    assert Token.parse(token.text) == token


def test_no_two_tokens_share_anything() -> None:
    tokens = [Token.new() for _ in range(1000)]
    assert len({token.id for token in tokens}) == 1000
    assert len({token.secret for token in tokens}) == 1000


def test_what_is_kept_is_a_hash_of_the_secret_alone() -> None:
    token = Token("0123456789abcdef", "A" * 43)
    assert token.digest == hashlib.sha256(b"A" * 43).digest()
    assert token.digest == Token("fedcba9876543210", "A" * 43).digest


def test_the_secret_is_not_printed() -> None:
    token = Token.new()
    assert token.secret not in repr(token)
    assert token.secret not in f"{token}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stk_",
        GOOD[:-1],
        GOOD + "A",
        GOOD + "\n",
        " " + GOOD,
        GOOD[:-1] + "\n",
        GOOD[:-1] + "=",
        GOOD[:-1] + "é",
        GOOD[:-1] + "\ud800",
        GOOD[:-1] + "\0",
        GOOD.replace("stk", "STK"),
        GOOD.replace("abcdef", "ABCDEF"),
        GOOD.replace("0123", "٠١٢٣"),
        GOOD.replace("_0", "-0"),
        "Bearer " + GOOD,
        "x" * 10_000_000,
    ],
)
def test_anything_else_is_no_token(text: str) -> None:
    assert Token.parse(text) is None


@given(st.text(max_size=100))
def test_no_text_breaks_the_reader(text: str) -> None:
    for candidate in (text, (GOOD + text)[-len(GOOD) :], text[:8] + GOOD[len(text[:8]) :]):
        token = Token.parse(candidate)
        assert token is None or token.text == candidate


def test_an_id_is_told_from_other_text() -> None:
    assert is_key_id(Token.new().id)
    for text in ("", "0" * 15, "0" * 17, "A" * 16, "0" * 16 + "\n", "٠" * 16, "\0" * 16):
        assert not is_key_id(text)
