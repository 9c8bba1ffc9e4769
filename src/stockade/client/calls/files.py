"""Calls of the tools in `files`. Written by `make docs` from the tools; changes here are lost."""

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


class GivenFile(TypedDict):
    """A file: its name and content, or one the session has."""

    name: NotRequired[str | None]
    content: NotRequired[str | None]
    contents: NotRequired[str | None]
    encoding: NotRequired[Literal['base64', 'utf-8']]
    path: NotRequired[str | None]
    mimeType: NotRequired[str | None]


class UploadedFile(TypedDict):
    """A file that was given to the page."""

    name: str
    sizeBytes: int
    mimeType: NotRequired[str]


class UploadResult(ActionResult):
    """What came of it, and what was given."""

    files: list[UploadedFile]
    fileCount: int
    totalBytes: int


class DropResult(ActionResult):
    """The same, with the events that the page had."""

    files: list[UploadedFile]
    fileCount: int
    totalBytes: int
    target: str
    eventsFired: list[str]
    dropDispatched: bool


class DownloadRow(TypedDict):
    """A download as far as it is."""

    id: str
    suggestedFilename: str
    sizeBytes: int
    state: str
    mimeType: NotRequired[str]
    uri: NotRequired[str]
    path: NotRequired[str]


class DownloadList(Beside):
    """The downloads of a session."""

    ok: bool
    on: bool
    count: int
    downloads: list[DownloadRow]
    tokensEstimate: int


class DownloadResult(Beside):
    """Where a download's content is."""

    ok: bool
    id: str
    suggestedFilename: str
    mimeType: str
    sizeBytes: int
    uri: str
    path: str


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
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
        name: str | None = None,
        content: str | None = None,
        encoding: Literal['base64', 'utf-8'] | None = None,
        path: str | None = None,
        artifact: str | None = None,
        mime_type: str | None = None,
        files: list[GivenFile] | None = None,
    ) -> UploadResult:
        """Give files to a file input, or to the button that asks for them."""
        answer = await self._call("upload_file", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms, "name": name, "content": content, "encoding": encoding, "path": path, "artifact": artifact, "mimeType": mime_type, "files": files}, in_tab=True, target=target)
        return cast("UploadResult", answer)

    async def drop_files(
        self,
        target: str | None = None,
        *,
        files: list[GivenFile],
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> DropResult:
        """Drop files onto an element or point, as from the desktop."""
        answer = await self._call("drop_files", {"files": files}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True, target=target)
        return cast("DropResult", answer)

    async def downloads_capture(
        self,
        *,
        on: bool | None = None,
        clear: bool | None = None,
    ) -> DownloadList:
        """Keep what pages download, or stop it; lists the downloads. Names are untrusted."""
        answer = await self._call("downloads_capture", {}, {"on": on, "clear": clear}, in_tab=False)
        return cast("DownloadList", answer)

    async def download_get(
        self,
        *,
        id: str,
        path_only: bool | None = None,
        timeout_ms: int | None = None,
    ) -> DownloadResult:
        """Wait for a download and get where its content is, by the id an action told."""
        answer = await self._call("download_get", {"id": id}, {"pathOnly": path_only, "timeoutMs": timeout_ms}, in_tab=False)
        return cast("DownloadResult", answer)
