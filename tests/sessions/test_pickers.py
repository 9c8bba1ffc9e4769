"""Pickers: files given in advance, and files that come in parts."""

from __future__ import annotations

import asyncio
import base64

import pytest

from stockade.errors import QuotaExceeded, Unsupported
from stockade.sessions.options import Rule
from stockade.sessions.pickers import Pickers, Saved


def part(at: int, content: bytes, size: int = 6, name: str = "n") -> Saved:
    return Saved("frame.1", name, size, at, base64.b64encode(content).decode())


async def test_files_given_in_advance_are_an_answer_but_to_a_no() -> None:
    pickers = Pickers()
    assert pickers.mode_of("input") == "raise"
    assert await pickers.stage("input", ["/a"]) == 1
    assert pickers.mode_of("input") == "allow"
    for mode in ("deny", "ask-human"):
        pickers.rule = Rule(mode)
        assert pickers.mode_of("input") == mode
    assert await pickers.files("input") == ["/a"]
    assert await pickers.files("showSaveFilePicker") == []
    for _ in range(20):
        await pickers.stage("input", ["/a"])
    with pytest.raises(QuotaExceeded):
        await pickers.stage("input", ["/a"])


async def test_who_waits_gets_them_when_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    pickers = Pickers()
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(pickers.files("input"))
        await asyncio.sleep(0)
        await pickers.stage("input", ["/b"])
    assert waiting.result() == ["/b"]
    monkeypatch.setattr("stockade.sessions.pickers._WAIT", 0.01)
    assert await pickers.files("input") is None


def test_parts_make_a_file_in_their_order_alone() -> None:
    pickers = Pickers()
    assert pickers.take_in(part(3, b"def")) is None
    assert pickers.take_in(part(0, b"abc")) is None
    assert pickers.take_in(part(3, b"def")) == b"abcdef"
    assert pickers.take_in(part(0, b"", 0)) == b""
    assert pickers.take_in(part(0, b"abcdefgh")) is None
    assert pickers.take_in(Saved("f", "n", 3, 0, "no base64!")) is None
    for number in range(10):
        assert pickers.take_in(part(0, b"abc", name=str(number))) is None
    assert pickers.take_in(part(3, b"def", name="0")) is None
    assert pickers.take_in(part(3, b"def", name="9")) == b"abcdef"


@pytest.mark.parametrize(
    ("suggested", "name"),
    [(None, "Untitled"), ("a.txt", "a.txt"), ("../..", "Untitled"), ("x/\0y\\z.md", "xyz.md")],
)
def test_a_page_does_not_choose_a_place(suggested: str | None, name: str) -> None:
    assert Pickers().offered("showSaveFilePicker", suggested) == name


async def test_without_a_place_nothing_is_kept() -> None:
    with pytest.raises(Unsupported):
        await Pickers().save("f", "n", b"x")
