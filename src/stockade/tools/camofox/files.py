"""Files of the tab API: uploads and downloads."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from contextlib import ExitStack
from mimetypes import MimeTypes
from pathlib import Path
from typing import Annotated, Any, ClassVar, NotRequired

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from stockade.engines.events import Download
from stockade.errors import ArtifactNotFound, InvalidArgument, StockadeError
from stockade.files.offered import offered
from stockade.kernel.call import Call
from stockade.kernel.downloads import captured, fetch, link_to
from stockade.kernel.instant import instant
from stockade.kernel.leaving import content_of
from stockade.kernel.results import Result
from stockade.kernel.targets import looking_on, target_of
from stockade.kernel.tool import tool
from stockade.page.uploading import give_files, only_input
from stockade.policy.capabilities import Capability
from stockade.tools.camofox.arguments import InNamedTab, OnElement
from stockade.tools.camofox.doing import Acted, came_of, carefully
from stockade.tools.camofox.looks import refs_available
from stockade.urls import origin_of
from stockade.workspace import Workspace

__all__ = ["camofox_download", "camofox_downloads", "camofox_upload"]

_MOST_FILES = 20
_MOST_KEPT = 20
_MOST_BYTES = 20 << 20
_MOST_DATA = 64 << 20
"""Bytes of all files in one answer."""
_LONGEST_WAIT = 600_000
_LONGEST_URL = 2000
_WHOLE = 1 << 30
_TYPES = MimeTypes(filenames=())
"""The same table on every machine."""

_Path = Annotated[str, Field(max_length=4096)]


class Upload(OnElement):
    """Which files of the upload directory, and for what."""

    found_first: ClassVar[bool] = False

    path: Annotated[
        _Path | Annotated[tuple[_Path, ...], Field(min_length=1, max_length=_MOST_FILES)],
        Field(description="a file below the upload directory, or several"),
    ]
    timeout_ms: Annotated[
        float, Field(alias="timeout", ge=1, le=_LONGEST_WAIT, description="ms")
    ] = 12_000

    @model_validator(mode="before")
    @classmethod
    def _worded(cls, given: Any) -> Any:
        named = given.get("path") if isinstance(given, dict) else "?"
        if named in (None, "", [], ()):
            raise InvalidArgument(
                "path required (a file below the upload directory)", problem="invalid_upload_path"
            )
        several = named if isinstance(named, list | tuple) else [named]
        if not all(isinstance(each, str) and each for each in several):
            raise InvalidArgument(
                "path entries must be non-empty strings", problem="invalid_upload_path"
            )
        return given


class Downloads(InNamedTab):
    """How much of them to give."""

    include_data: Annotated[bool, Field(description="their content, in base64")] = False
    consume: Annotated[bool, Field(description="delete those that have ended")] = False
    max_bytes: Annotated[int, Field(ge=0, le=1 << 53, description="of each")] = _MOST_BYTES


class OneDownload(InNamedTab):
    """Which download."""

    download_id: Annotated[str, Field(min_length=1, max_length=100)]


class Uploaded(Acted, TypedDict):
    """What was given, and how."""

    attached: list[str]
    via: str
    refsAvailable: bool


class DownloadRow(TypedDict):
    """A download as far as it is."""

    id: str
    url: str
    suggestedFilename: str
    mimeType: str
    bytes: int | None
    """So far, while it runs."""
    createdAt: str
    failure: str | None
    dataBase64: NotRequired[str]
    dataSkipped: NotRequired[str]
    readError: NotRequired[str]


class DownloadRows(TypedDict):
    """The downloads of a tab and of the popups it opened, the newest last."""

    tabId: str
    downloads: list[DownloadRow]


class DownloadFile(TypedDict):
    """A download that has ended, and where its bytes are."""

    ok: bool
    id: str
    suggestedFilename: str
    mimeType: str
    bytes: int
    uri: str


# --- uploads --------------------------------------------------------------------------------------


@tool(
    Capability.FILE_IO,
    gives=Uploaded,
    toolset="camofox",
    destructive=True,
    confirm="file_upload",
    presses=True,
)
async def camofox_upload(call: Call, args: Upload) -> Result:
    """Give files of the upload directory to a file input, or to what asks for files."""
    wanted = (args.path,) if isinstance(args.path, str) else args.path
    with ExitStack() as stack:
        opening = offered(lambda: _root(call), wanted)
        files = await asyncio.to_thread(stack.enter_context, opening)
        await _aim(call, args)
        placed: list[Path] = []
        try:
            for each in files:
                copy = await asyncio.to_thread(
                    call.kernel.uploads.place, call.session, each.path.name, each.file
                )
                placed.append(copy)
            outcome = await carefully(call, lambda: _given(call, placed))
        except BaseException:
            for copy in placed:
                call.kernel.uploads.discard(call.session, copy)
            raise
    data = {
        **await came_of(call, outcome),
        "attached": [str(each.path) for each in files],
        "via": outcome.extra["via"],
        "refsAvailable": await refs_available(call),
    }
    return Result(data=data, source=origin_of(call.tab.url))


def _root(call: Call) -> Path:
    """The upload directory; our own is made when it is first wanted."""
    settings = call.kernel.settings
    if settings.uploads_dir is not None:
        return settings.uploads_dir
    return Workspace.open(settings.workspace).directory("uploads")


async def _aim(call: Call, args: Upload) -> None:
    """The element that is meant, or the only one that can be."""
    found = await target_of(call, args)
    call.target = found if isinstance(found, str) else None
    if call.target is None:
        call.target = await only_input(call.tab.agent, caller=call.caller, timeout=call.left)


async def _given(call: Call, files: Sequence[Path]) -> Any:
    return await give_files(
        call.tab.actions,
        call.target or "",
        [str(each) for each in files],
        caller=call.caller,
        timeout=call.left,
    )


# --- downloads ------------------------------------------------------------------------------------


@tool(Capability.READ, gives=DownloadRows, toolset="camofox", reach="session", destructive=True)
async def camofox_downloads(call: Call, args: Downloads) -> Result:
    """List what a tab and its popups have downloaded. Names are untrusted."""
    if args.include_data:
        call.policy.require(Capability.FILE_IO, f"{call.tool.name} with includeData")
    async with looking_on(call) as tab:
        known = list(tab.recorder.downloads)
        shown = known[-_MOST_KEPT:]
        rows = [_row(call, each) for each in shown]
        if args.include_data:
            await _add_content(call, shown, rows, min(args.max_bytes, _MOST_BYTES))
        gone = known[:-_MOST_KEPT]
        if args.consume:
            # What began meanwhile, or ended after it was listed, is for the next time.
            gone += [each for each, row in zip(shown, rows, strict=True) if row.pop("ended")]
        for download in gone:
            await _forget(call, download)
    for row in rows:
        row.pop("ended", None)
    return Result(
        data={"tabId": tab.uuid, "downloads": rows}, source=origin_of(tab.url), tokens=_WHOLE
    )


def _row(call: Call, download: Download) -> dict[str, Any]:
    failure = None
    if download.state != "running":
        try:
            call.session.open_download(download.id).close()
        except StockadeError as error:
            failure = error.message
    return {
        "id": download.id,
        "url": download.url[:_LONGEST_URL],
        "suggestedFilename": download.filename,
        "mimeType": _TYPES.guess_type(download.filename)[0] or "application/octet-stream",
        "bytes": download.received if failure is None else None,
        "createdAt": instant(download.began),
        "failure": failure,
        "ended": download.state != "running",
    }


async def _add_content(
    call: Call, downloads: Sequence[Download], rows: list[dict[str, Any]], most: int
) -> None:
    left = _MOST_DATA
    for download, row in zip(downloads, rows, strict=True):
        if row["failure"] is not None or not row["ended"]:
            continue
        if row["bytes"] > min(most, left):
            row["dataSkipped"] = "max_bytes_exceeded"
            continue
        try:
            artifact = await fetch(call, download.id, download.filename, patience=call.left)
            content = await content_of(call.masker, artifact, _MOST_BYTES)
        except StockadeError as error:
            row["readError"] = error.message
            continue
        left -= len(content)
        row["dataBase64"] = base64.b64encode(content).decode()


async def _forget(call: Call, download: Download) -> None:
    """Delete a download that has ended, and all that was kept of it."""
    if download.state == "running":
        return
    session, mine = call.session, captured(call.session)
    artifact = mine.taken.pop(download.id, None)
    if artifact is not None:
        await asyncio.to_thread(call.kernel.artifacts.discard, session, artifact)
    session.discard_download(download.id)
    mine.forgotten.add(download.id)
    for tab in session.tabs:
        if download in tab.recorder.downloads:
            tab.recorder.downloads.remove(download)


@tool(
    Capability.FILE_IO,
    gives=DownloadFile,
    toolset="camofox",
    reach="session",
    reads=True,
    structured=True,
)
async def camofox_download(call: Call, args: OneDownload) -> Result:
    """Wait for one download of a tab and get where its bytes are."""
    async with looking_on(call) as tab:
        found = [each for each in tab.recorder.downloads if each.id == args.download_id]
        if not found:
            raise ArtifactNotFound("this tab has no such download")
        artifact = await fetch(call, found[0].id, found[0].filename, patience=call.left)
    data = {
        "ok": True,
        "id": found[0].id,
        "suggestedFilename": artifact.name,
        "mimeType": artifact.mime_type,
        "bytes": artifact.size,
        "uri": artifact.uri,
    }
    return Result(data=data, links=(link_to(artifact),), source=origin_of(tab.url))
