"""JavaScript dialogs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.action_result import ActionResult, Done
from stockade.kernel.arguments import ActionOptions, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.observation import Act, observe
from stockade.kernel.results import Result
from stockade.kernel.secrets import secret_name
from stockade.kernel.tool import tool
from stockade.page.settle import Window
from stockade.policy.capabilities import Capability
from stockade.sessions.options import DIALOG_SYNONYMS, DialogMode, DialogPolicy

__all__ = ["answer_dialog", "set_dialog_policy"]


class AnswerDialog(ActionOptions, InTab):
    """The answer."""

    accept: bool
    text: Annotated[str | None, Field(max_length=10_000, description="for a prompt")] = None


class DialogPolicyShape(TypedDict):
    """How dialogs are answered; `text` is for prompts."""

    mode: DialogMode
    text: NotRequired[str]


class DialogPolicySet(DialogPolicyShape):
    """The policy from now on."""

    ok: bool
    policy: DialogPolicyShape


class SetDialogPolicy(InSession):
    """What happens to dialogs from now on."""

    mode: Literal[DialogMode, "allow", "deny"]
    text: Annotated[str | None, Field(max_length=10_000)] = None


@tool(Capability.ACTION, gives=ActionResult, destructive=True, held_by_dialog=False)
async def answer_dialog(call: Call, args: AnswerDialog) -> Result:
    """Answer the open confirm, prompt or beforeunload dialog."""
    _check_words(call, args.text)
    tab = call.tab
    before = tab.url
    with Window(tab.agent) as window:
        await tab.answer_dialog(accept=args.accept, text=args.text, timeout=call.left)
        settled = await window.settle(timeout=call.left)
    act = Act(done=Done(type="answer_dialog"), settled=settled, url_before=before)
    return await observe(call, act, args)


@tool(Capability.ACTION, gives=DialogPolicySet, reach="session", idempotent=True)
async def set_dialog_policy(call: Call, args: SetDialogPolicy) -> dict[str, Any]:
    """Choose what happens to dialogs; `raise` (default) fails the next result."""
    _check_words(call, args.text)
    mode = DIALOG_SYNONYMS.get(args.mode, cast("DialogMode", args.mode))
    call.session.dialogs = DialogPolicy(mode, args.text or "")
    policy = {"mode": mode, **({"text": args.text} if args.text else {})}
    return {"ok": True, **policy, "policy": policy}


def _check_words(call: Call, text: str | None) -> None:
    """Nobody can tell a dialog's frame from another, so no secret goes into one."""
    if text is not None and secret_name(call, text) is not None:
        raise InvalidArgument(
            "a dialog takes no secret", hint="Secrets are filled into fields of pages alone."
        )
