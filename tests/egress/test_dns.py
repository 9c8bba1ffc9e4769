"""DNS messages."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.egress.dns import AAAA, A, Nonsense, Question, Unrelated
from tests.egress.world import message, name_of, record

ASKED = Question("a.test", A, 0x1234)
NUMBER = b"\x12\x34"
QUESTION = name_of("a.test") + b"\0\1\0\1"
ADDRESS = bytes([93, 184, 216, 34])


def test_a_question() -> None:
    assert ASKED.encoded(extended=False) == NUMBER + b"\1\0\0\1\0\0\0\0\0\0" + QUESTION
    assert ASKED.encoded().startswith(NUMBER + b"\1\0\0\1\0\0\0\0\0\1" + QUESTION)
    for name in ("a..test", "x" * 64 + ".test", "a." * 130 + "test", ""):
        with pytest.raises(Nonsense):
            Question(name, AAAA, 1).encoded()


def test_only_what_belongs_to_the_name_counts() -> None:
    answer = ASKED.read(
        message(
            NUMBER,
            QUESTION,
            [
                record("b.test", 1, b"\x0a\1\1\1", 5),
                record("a.test", 5, name_of("C.test"), 60),
                record("c.test", 1, ADDRESS, 30),
                record("c.test", 1, ADDRESS, 40),
                record("c.test", 65, b"\0\1\0\0\4\0\4\x0a\1\1\1", 1),
                record("c.test", 28, bytes(16), 1),
            ],
        )
    )
    assert answer.addresses == ("93.184.216.34",)
    assert answer.names == ("a.test", "c.test")
    assert answer.seconds == 30


def test_names_may_be_shortened_backwards_alone() -> None:
    short = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 9, 4) + ADDRESS
    assert ASKED.read(message(NUMBER, QUESTION, [short])).addresses == ("93.184.216.34",)
    for pointer in (b"\xc0\x1c", b"\xff\xff", b"\xc0\x1d"):
        with pytest.raises(Nonsense):
            ASKED.read(message(NUMBER, QUESTION, [pointer + short[2:]]))


@pytest.mark.parametrize(
    "records",
    [
        [record("a.test", 5, name_of("b.test")), record("b.test", 5, name_of("a.test"))],
        [record("a.test", 5, name_of("a.test"))],
        [record("a.test", 5, name_of("b.test")), record("a.test", 5, name_of("c.test"))],
        [record("a.test", 1, b"123")],
        [record("a.test", 1, ADDRESS)[:-1]],
        [record("a.test", 1, ADDRESS)] * 600,
    ],
)
def test_answers_that_contradict_themselves(records: list[bytes]) -> None:
    with pytest.raises(Nonsense) as nonsense:
        ASKED.read(message(NUMBER, QUESTION, records))
    assert not isinstance(nonsense.value, Unrelated)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        message(b"\x12\x35", QUESTION, []),
        message(NUMBER, QUESTION, [], 0x0180),
        message(NUMBER, name_of("b.test") + b"\0\1\0\1", []),
        message(NUMBER, name_of("a.test") + b"\0\x1c\0\1", []),
    ],
)
def test_answers_to_something_else(data: bytes) -> None:
    with pytest.raises(Unrelated):
        ASKED.read(data)


def test_codes_and_cuts() -> None:
    assert ASKED.read(message(NUMBER, QUESTION, [], 0x8183)).code == 3
    assert ASKED.read(message(NUMBER, QUESTION, [], 0x8380)).cut_off
    long_ago = record("a.test", 1, ADDRESS, 0xFFFFFFFF)
    assert ASKED.read(message(NUMBER, QUESTION, [long_ago])).seconds == 0


@given(st.binary(max_size=300), st.integers(0, 60))
def test_no_answer_does_more_than_be_nonsense(noise: bytes, at: int) -> None:
    whole = message(NUMBER, QUESTION, [record("a.test", 5, name_of("b.test"))] * 3)
    for data in (noise, NUMBER + noise, whole[:at] + noise, whole[:at] + noise + whole[at:]):
        try:
            ASKED.read(data)
        except Nonsense:
            continue
