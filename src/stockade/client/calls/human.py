"""Calls of the tools in `human`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class HumanAnswer(Beside):
    """What the person answered; no value where nobody did."""

    ok: bool
    kind: str
    value: str | bool | None
    timedOut: bool


class HumanCalls(Calls):
    """Methods that call tools."""

    async def await_human(
        self,
        *,
        prompt: str,
        kind: Literal['acknowledge', 'confirm', 'choose', 'input'] | None = None,
        choices: list[str] | None = None,
        timeout_ms: int | None = None,
    ) -> HumanAnswer:
        """Ask the operator, and wait for the answer. No page and no agent can give it."""
        answer = await self._call("await_human", {"prompt": prompt}, {"kind": kind, "choices": choices, "timeoutMs": timeout_ms}, in_tab=False)
        return cast("HumanAnswer", answer)
