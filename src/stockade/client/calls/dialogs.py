"""Calls of the tools in `dialogs`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import ActionResult


class DialogPolicyShape(TypedDict):
    """How dialogs are answered; `text` is for prompts."""

    mode: Literal['accept', 'dismiss', 'raise', 'accept-prompt-with', 'ask-human']
    text: NotRequired[str]


class DialogPolicySet(Beside):
    """The policy from now on."""

    mode: Literal['accept', 'dismiss', 'raise', 'accept-prompt-with', 'ask-human']
    text: NotRequired[str]
    ok: bool
    policy: DialogPolicyShape


class DialogsCalls(Calls):
    """Methods that call tools."""

    async def answer_dialog(
        self,
        *,
        accept: bool,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        text: str | None = None,
    ) -> ActionResult:
        """Answer the open confirm, prompt or beforeunload dialog."""
        answer = await self._call("answer_dialog", {"accept": accept}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "text": text}, in_tab=True)
        return cast("ActionResult", answer)

    async def set_dialog_policy(
        self,
        *,
        mode: Literal['accept', 'dismiss', 'raise', 'accept-prompt-with', 'ask-human', 'allow', 'deny'],
        text: str | None = None,
    ) -> DialogPolicySet:
        """Choose what happens to dialogs; `raise` (default) fails the next result."""
        answer = await self._call("set_dialog_policy", {"mode": mode}, {"text": text}, in_tab=False)
        return cast("DialogPolicySet", answer)
