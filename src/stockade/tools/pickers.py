"""File pickers of pages: what becomes of them, and what they are given."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.asking import Asking
from stockade.sessions.options import PICKERS, AskingMode, Picker, Rule
from stockade.sessions.session import Session
from stockade.tools.files import GivenFile, placed, told

__all__ = ["GivenPickerRule", "fs_picker_respond", "set_fs_picker_policy", "use_picker_rule"]

_Exceptions = Annotated[dict[str, AskingMode], Field(max_length=10, alias="perAPI")]


class GivenPickerRule(Arguments):
    """What becomes of pickers."""

    mode: AskingMode = "raise"
    per_api: _Exceptions = Field(default_factory=dict)


class SetPickerPolicy(InSession):
    """What becomes of pickers from now on."""

    mode: AskingMode
    per_api: Annotated[
        _Exceptions, Field(description="such as showSaveFilePicker: allow; input is a file input")
    ] = Field(default_factory=dict)


class RespondToPicker(InSession):
    """What the next picker of a kind gets."""

    api: Picker
    files: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=2000)] | GivenFile, ...],
        Field(min_length=1, max_length=20, description="files of this session, or content"),
    ]


class PickerPolicy(TypedDict):
    """What becomes of pickers."""

    mode: AskingMode
    perAPI: dict[str, AskingMode]


class PickerPolicySet(PickerPolicy):
    """The policy from now on."""

    ok: bool
    policy: PickerPolicy


class PickerAnswered(TypedDict):
    """The files that wait for a picker."""

    ok: bool
    api: str
    files: list[dict[str, Any]]
    fileCount: int
    totalBytes: int
    waiting: int


def use_picker_rule(session: Session, given: GivenPickerRule) -> dict[str, Any]:
    """Have a session go by a rule."""
    if set(given.per_api) - set(PICKERS):
        raise InvalidArgument(
            "perAPI names what is no picker",
            hint=f"There are: {', '.join(PICKERS)}.",
            field="perAPI",
        )
    Asking.of(session).pickers.rule = Rule(given.mode, dict(given.per_api))
    return {"mode": given.mode, "perAPI": dict(given.per_api)}


@tool(Capability.ACTION, gives=PickerPolicySet, reach="session", toolset="forms", idempotent=True)
async def set_fs_picker_policy(call: Call, args: SetPickerPolicy) -> dict[str, Any]:
    """Choose what happens when pages ask for files; `raise` (default) gives none and reports."""
    given = GivenPickerRule(mode=args.mode, per_api=args.per_api)
    policy = use_picker_rule(call.session, given)
    return {"ok": True, **policy, "policy": policy}


@tool(
    Capability.FILE_IO,
    gives=PickerAnswered,
    reach="session",
    toolset="forms",
    confirm="file_upload",
)
async def fs_picker_respond(call: Call, args: RespondToPicker) -> dict[str, Any]:
    """Give files to the picker that a page opens next, or waits at."""
    pickers = Asking.of(call.session).pickers
    if pickers.rule.of(args.api) == "deny":
        raise InvalidArgument(
            f"{args.api} is denied in this session", hint="`set_fs_picker_policy` allows it."
        )
    given = tuple(GivenFile(path=f) if isinstance(f, str) else f for f in args.files)
    files, paths = await placed(call, given)
    try:
        waiting = await pickers.stage(args.api, paths)
    except BaseException:
        for path in paths:
            await asyncio.to_thread(call.kernel.uploads.discard, call.session, Path(path))
        raise
    return {"ok": True, "api": args.api, **told(files), "waiting": waiting}
