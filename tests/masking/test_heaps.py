"""Heap snapshots are masked in their texts alone, and remain snapshots."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from stockade.masking.background import Stopped
from stockade.masking.heaps import is_heap, mask_heap, masked_heap
from stockade.masking.masker import Masker

SECRET = "hunter2-of-heaps"


@pytest.fixture
def masker() -> Masker:
    masker = Masker()
    masker.add("PASSWORD", SECRET)
    return masker


def heap(*strings: str) -> bytes:
    """As Chromium writes one: a text to a line."""
    numbers = ",".join(str(ord(each)) for each in SECRET * 70_000)
    listed = ",\n".join(json.dumps(each, ensure_ascii=False) for each in ("<dummy>", *strings))
    text = f'{{"snapshot":{{"meta":{{}}}},\n"nodes":[{numbers}],\n"strings":[{listed}]}}'
    return text.encode("utf-8", "surrogatepass")


def test_texts_are_masked_and_numbers_are_not_read(masker: Masker) -> None:
    content = heap("a", f'say "{SECRET}"\n', "\ud800", "é" * 300_000, SECRET)
    assert is_heap(content)
    masked = json.loads(masked_heap(masker, content).decode("utf-8", "surrogatepass"))
    before = json.loads(content.decode("utf-8", "surrogatepass"))
    assert masked["nodes"] == before["nodes"]
    assert masked["strings"] == [
        "<dummy>", "a", 'say "<PASSWORD>"\n', "\ud800", "é" * 300_000, "<PASSWORD>"
    ]  # fmt: skip


def test_what_has_none_stays_byte_for_byte(masker: Masker) -> None:
    content = heap("a", '"strings":[', "b")
    assert masked_heap(masker, content) == content


def test_what_is_cut_is_masked_all_the_same(masker: Masker) -> None:
    content = heap("a", SECRET)[:-3]
    assert SECRET.encode() not in masked_heap(masker, content)
    assert masked_heap(masker, b'{"snapshot":{"meta":') == b'{"snapshot":{"meta":'


@pytest.mark.parametrize("after", [0, 2, 4])
def test_it_stops_when_nobody_waits(
    masker: Masker, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = iter([False] * after + [True] * 100)

    def check() -> None:
        if next(questions):
            raise Stopped

    monkeypatch.setattr("stockade.masking.heaps.check_stopped", check)
    target = BytesIO()
    content = heap(*("text" * 50_000 for _ in range(20)))
    with pytest.raises(Stopped):
        mask_heap(masker, BytesIO(content), target)
    assert len(target.getvalue()) < len(content)


def test_numbers_in_texts_are_not_read_as_one_list(masker: Masker) -> None:
    """A code of digits alone is found; texts that are characters' numbers are not taken together."""
    masker.add("PIN", "48151623")
    content = heap("48151623", *map(str, map(ord, SECRET)))
    masked = json.loads(masked_heap(masker, content))
    assert masked["strings"][1:4] == ["<PIN>", "104", "117"]
