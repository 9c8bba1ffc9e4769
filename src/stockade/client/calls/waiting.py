"""Calls of the tools in `waiting`. Written by `make docs` from the tools; changes here are lost."""

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


class WaitingCalls(Calls):
    """Methods that call tools."""

    async def wait_for(
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
        text: str | None = None,
        exact: bool | None = None,
        url_contains: str | None = None,
        gone: bool | None = None,
    ) -> ActionResult:
        """Wait until text, an element or an address is there, or gone. Returns what changed."""
        answer = await self._call("wait_for", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "text": text, "exact": exact, "urlContains": url_contains, "gone": gone}, in_tab=True, target=target)
        return cast("ActionResult", answer)
