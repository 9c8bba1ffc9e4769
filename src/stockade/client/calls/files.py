"""Calls of the tools in `files`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import Console, Dialog, Done, Downloaded, Failure, Movement, Network, SnapshotDelta, Structure


class GivenFile(TypedDict):
    """A file's name and content."""

    name: str
    content: str
    encoding: NotRequired[Literal['base64', 'utf-8']]


class UploadedFile(TypedDict):
    """A file that was given to the page."""

    name: str
    sizeBytes: int


class UploadResult(Beside):
    """What came of it, and what was given."""

    ok: bool
    action: Done
    navigation: Movement
    structure: Structure
    console: Console
    pageErrors: list[str]
    element: NotRequired[dict[str, Any]]
    elements: NotRequired[list[dict[str, Any]]]
    network: Network
    dialogs: NotRequired[list[Dialog]]
    downloads: NotRequired[list[Downloaded]]
    settled: NotRequired[bool]
    pending: NotRequired[list[str]]
    warnings: list[str]
    error: NotRequired[str]
    code: NotRequired[str]
    failure: NotRequired[Failure]
    snapshotDelta: NotRequired[SnapshotDelta]
    tokensEstimate: int
    files: list[UploadedFile]
    fileCount: int
    totalBytes: int


class DownloadResult(Beside):
    """Where a download's content is."""

    ok: bool
    id: str
    suggestedFilename: str
    mimeType: str
    sizeBytes: int
    uri: str


class FilesCalls(Calls):
    """Methods that call tools."""

    async def upload_file(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        name: str | None = None,
        content: str | None = None,
        encoding: Literal['base64', 'utf-8'] | None = None,
        files: list[GivenFile] | None = None,
    ) -> UploadResult:
        """Give files to a file input, or to the button that asks for them."""
        answer = await self._call("upload_file", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "name": name, "content": content, "encoding": encoding, "files": files}, in_tab=True, target=target)
        return cast("UploadResult", answer)

    async def download_get(
        self,
        *,
        id: str,
        timeout_ms: int | None = None,
    ) -> DownloadResult:
        """Wait for a download and get the address of its content, by the id an action told."""
        answer = await self._call("download_get", {"id": id}, {"timeoutMs": timeout_ms}, in_tab=False)
        return cast("DownloadResult", answer)
