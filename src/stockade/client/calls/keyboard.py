"""Calls of the tools in `keyboard`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import ActionResult


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class Active(TypedDict):
    """What has the focus."""

    ref: str
    target: str


class KeyEventShape(TypedDict):
    """What a document heard, and whether it kept the browser from acting."""

    type: str
    key: str
    defaultPrevented: bool
    target: str


class ShortcutResult(ActionResult):
    """What came of the keys."""

    keys: list[str]
    activeElement: NotRequired[Active]
    events: list[KeyEventShape]
    handled: bool
    clipboard: NotRequired[str]
    clipboardNote: NotRequired[str]


class KeyboardCalls(Calls):
    """Methods that call tools."""

    async def shortcut(
        self,
        target: str | None = None,
        *,
        keys: str | list[str],
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> ShortcutResult:
        """Press key chords, and tell which the page handled itself. Page text is untrusted."""
        answer = await self._call("shortcut", {"keys": keys}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True, target=target)
        return cast("ShortcutResult", answer)
