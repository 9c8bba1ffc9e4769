"""Calls of the tools in `actions`. Written by `make docs` from the tools; changes here are lost."""

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


class ActionsCalls(Calls):
    """Methods that call tools."""

    async def click(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        button: Literal['left', 'middle', 'right'] | None = None,
        count: int | None = None,
        modifiers: list[Literal['Alt', 'Control', 'Meta', 'Shift']] | None = None,
        force: bool | None = None,
    ) -> ActionResult:
        """Click an element or a point. Returns what changed; page text is untrusted."""
        answer = await self._call("click", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "button": button, "count": count, "modifiers": modifiers, "force": force}, in_tab=True, target=target)
        return cast("ActionResult", answer)

    async def hover(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> ActionResult:
        """Move the pointer over an element."""
        answer = await self._call("hover", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True, target=target)
        return cast("ActionResult", answer)

    async def fill(
        self,
        target: str | None = None,
        *,
        value: str,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        literal: bool | None = None,
    ) -> ActionResult:
        """Replace what a text field holds, or move a slider to a number."""
        answer = await self._call("fill", {"value": value}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "literal": literal}, in_tab=True, target=target)
        return cast("ActionResult", answer)

    async def type_(
        self,
        target: str | None = None,
        *,
        text: str,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        submit: bool | None = None,
        literal: bool | None = None,
    ) -> ActionResult:
        """Type text key by key, after what a field holds; without an element, at the focus."""
        answer = await self._call("type", {"text": text}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "submit": submit, "literal": literal}, in_tab=True, target=target)
        return cast("ActionResult", answer)

    async def press(
        self,
        target: str | None = None,
        *,
        key: str,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> ActionResult:
        """Press a key or chord, in an element or where the focus is."""
        answer = await self._call("press", {"key": key}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True, target=target)
        return cast("ActionResult", answer)

    async def select(
        self,
        target: str | None = None,
        *,
        values: list[str],
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> ActionResult:
        """Choose options of a select, by value or label."""
        answer = await self._call("select", {"values": values}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True, target=target)
        return cast("ActionResult", answer)
