"""Places: which addresses are the tab API's, and which of them hold what only a key opens."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["holds_cookies", "holds_state", "is_evaluate", "is_stop", "is_tab_place", "is_unowned"]

_FIRST: Final = frozenset(
    {
        "act",
        "navigate",
        "pressure",
        "sessions",
        "snapshot",
        "start",
        "stop",
        "tabs",
        "vnc",
        "youtube",
    }
)
_OTHERS: Final = frozenset({"console", "login", "mcp", "v1"})
"""What is never the tab API's, whoever asks."""
_COOKIES: Final = re.compile(r"/sessions/.*/cookies", re.DOTALL)
_STATE: Final = re.compile(r"/sessions/.*/(?:cookies|storage_state|traces(?:/.*)?)", re.DOTALL)
_EVALUATE: Final = re.compile(r"/tabs/[^/]+/evaluate")


def is_tab_place(path: str) -> bool:
    """Whether an address is one of the tab API, or would be."""
    return _first(path) in _FIRST


def is_unowned(path: str) -> bool:
    """Whether an address belongs to no surface with a door of its own."""
    return _first(path) not in _OTHERS


def holds_cookies(path: str) -> bool:
    """Whether cookies of a user are given there."""
    return _COOKIES.fullmatch(path) is not None


def holds_state(path: str) -> bool:
    """Whether what a user is logged in with, or has seen, goes in or out there."""
    return _STATE.fullmatch(path) is not None


def is_evaluate(path: str) -> bool:
    """Whether scripts are sent there, which may be long."""
    return _EVALUATE.fullmatch(path) is not None


def is_stop(path: str) -> bool:
    """Whether the browsers of everybody end there."""
    return path == "/stop"


def _first(path: str) -> str:
    return path.lstrip("/").partition("/")[0]
