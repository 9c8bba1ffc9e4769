"""Calls of the tools in `pickers`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class PickerPolicy(TypedDict):
    """What becomes of pickers."""

    mode: Literal['allow', 'deny', 'raise', 'ask-human']
    perAPI: dict[str, Literal['allow', 'deny', 'raise', 'ask-human']]


class PickerPolicySet(Beside):
    """The policy from now on."""

    mode: Literal['allow', 'deny', 'raise', 'ask-human']
    perAPI: dict[str, Literal['allow', 'deny', 'raise', 'ask-human']]
    ok: bool
    policy: PickerPolicy


class GivenFile(TypedDict):
    """A file: its name and content, or one the session has."""

    name: NotRequired[str | None]
    content: NotRequired[str | None]
    contents: NotRequired[str | None]
    encoding: NotRequired[Literal['base64', 'utf-8']]
    path: NotRequired[str | None]
    mimeType: NotRequired[str | None]


class PickerAnswered(Beside):
    """The files that wait for a picker."""

    ok: bool
    api: str
    files: list[dict[str, Any]]
    fileCount: int
    totalBytes: int
    waiting: int


class PickersCalls(Calls):
    """Methods that call tools."""

    async def set_fs_picker_policy(
        self,
        *,
        mode: Literal['allow', 'deny', 'raise', 'ask-human'],
        per_api: dict[str, Literal['allow', 'deny', 'raise', 'ask-human']] | None = None,
    ) -> PickerPolicySet:
        """Choose what happens when pages ask for files; `raise` (default) gives none and reports."""
        answer = await self._call("set_fs_picker_policy", {"mode": mode}, {"perAPI": per_api}, in_tab=False)
        return cast("PickerPolicySet", answer)

    async def fs_picker_respond(
        self,
        *,
        api: Literal['showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker', 'input'],
        files: list[str | GivenFile],
    ) -> PickerAnswered:
        """Give files to the picker that a page opens next, or waits at."""
        answer = await self._call("fs_picker_respond", {"api": api, "files": files}, {}, in_tab=False)
        return cast("PickerAnswered", answer)
