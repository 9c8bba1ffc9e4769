"""Noughts and crosses, where the nine fields are shown."""

from __future__ import annotations

import re
from functools import cache

from bench.apps.driver import Driver
from bench.apps.lines import View
from bench.apps.policies.icons import icons
from bench.apps.policies.registry import policy

__all__: list[str] = []

_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
_MOVES = 5


@policy("tic-tac-toe")
async def tic_tac_toe(driver: Driver) -> None:
    fields = [line.ref for line in icons(await driver.see())]
    if len(fields) != 9:
        raise LookupError(f"{len(fields)} of nine fields are shown")
    ours: set[int] = set()
    for _ in range(_MOVES):
        board = _board(await driver.see(), fields, ours)
        if not _free(board) or _winner(board):
            return
        move = max(_free(board), key=lambda at, board=board: _worth(_put(board, at, "x"), "o"))  # type: ignore[misc]
        line = next((each for each in driver.view if each.ref == fields[move]), None)
        if line is None:
            return
        ours.add(move)
        await driver.click(line)


def _board(view: View, fields: list[str], ours: set[int]) -> str:
    """What stands in each field; a mark is called after its picture."""
    marks = []
    for at, ref in enumerate(fields):
        text = next((line.text for line in view if line.ref == ref), "")
        found = re.search(r"\b(?:mark-)?([xo])\b", text, re.IGNORECASE)
        marks.append("x" if at in ours else found[1].lower() if found else " ")
    return "".join(marks)


def _free(board: str) -> list[int]:
    return [at for at, mark in enumerate(board) if mark == " "]


def _put(board: str, at: int, mark: str) -> str:
    return board[:at] + mark + board[at + 1 :]


def _winner(board: str) -> str:
    for one, two, three in _LINES:
        if board[one] != " " and board[one] == board[two] == board[three]:
            return board[one]
    return ""


@cache
def _worth(board: str, turn: str) -> float:
    """The chance of a win against somebody who plays well every second time."""
    won = _winner(board)
    if won or not _free(board):
        return 1.0 if won == "x" else 0.0
    worths = [_worth(_put(board, at, turn), "o" if turn == "x" else "x") for at in _free(board)]
    if turn == "x":
        return max(worths)
    return (min(worths) + sum(worths) / len(worths)) / 2
