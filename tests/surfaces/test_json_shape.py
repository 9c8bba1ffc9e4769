"""What takes long to read is refused for its shape, in little time."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.surfaces.json_shape import DEEPEST, MOST_VALUES, shape_fault

_SIZE = 4_000_000
_SECONDS = 2.0


@pytest.mark.parametrize(
    "body",
    [
        b"[" + b"{}," * (_SIZE // 3) + b"{}]",
        b"[" + b"0," * (_SIZE // 2) + b"0]",
        b"[" + b'"",' * (_SIZE // 3) + b'""]',
        b"[" + (b"[" * 60 + b"]" * 60 + b",") * (_SIZE // 121) + b"0]",
        b"{" + b",".join(b'"%d":0' % number for number in range(300_000)) + b"}",
        b"[" * _SIZE,
        b'["' * (_SIZE // 2),
    ],
)
def test_many_small_values_are_refused_at_once(body: bytes) -> None:
    began = time.thread_time()
    assert shape_fault(body)
    assert time.thread_time() - began < _SECONDS


@pytest.mark.parametrize("text", ["a" * _SIZE, "[{,}]" * (_SIZE // 5), '\\"' * (_SIZE // 4)])
def test_long_texts_are_not(text: str) -> None:
    body = json.dumps({"text": text, "rows": [{"n": number} for number in range(10_000)]}).encode()
    assert not shape_fault(body)


def test_both_limits_are_kept_to() -> None:
    assert not shape_fault(json.dumps([0] * (MOST_VALUES - 1)).encode())
    assert shape_fault(json.dumps([0] * (MOST_VALUES + 1)).encode())
    assert not shape_fault(b"[" * DEEPEST + b"]" * DEEPEST)
    assert "deep" in shape_fault(b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1))


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner, max_size=9)))
def test_ordinary_values_are_fine(value: object) -> None:
    assert not shape_fault(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
