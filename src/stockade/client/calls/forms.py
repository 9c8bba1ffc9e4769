"""Calls of the tools in `forms`. Written by `make docs` from the tools; changes here are lost."""

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


class FieldValue(TypedDict):
    """A field and what it is to hold."""

    ref: NotRequired[str | None]
    selector: NotRequired[str | None]
    contextRef: NotRequired[str | None]
    named: NotRequired[str | None]
    coords: NotRequired[Coordinates | None]
    value: str | bool | int | float | list[str]
    literal: NotRequired[bool]


class Place(TypedDict):
    """An element."""

    ref: NotRequired[str | None]
    selector: NotRequired[str | None]
    contextRef: NotRequired[str | None]
    named: NotRequired[str | None]
    coords: NotRequired[Coordinates | None]


class ChoiceResult(ActionResult):
    """What came of it, and what was chosen."""

    chosen: str


class FormsCalls(Calls):
    """Methods that call tools."""

    async def fill_form(
        self,
        *,
        fields: list[FieldValue],
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        submit: Place | None = None,
    ) -> ActionResult:
        """Fill several fields (text, select, checkbox), then optionally click submit."""
        answer = await self._call("fill_form", {"fields": fields}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "submit": submit}, in_tab=True)
        return cast("ActionResult", answer)

    async def choose_option(
        self,
        target: str | None = None,
        *,
        option: str,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        exact: bool | None = None,
    ) -> ChoiceResult:
        """Choose an option of a select, combobox, listbox, radio group or menu."""
        answer = await self._call("choose_option", {"option": option}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "exact": exact}, in_tab=True, target=target)
        return cast("ChoiceResult", answer)
