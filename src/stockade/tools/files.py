"""Files to and from pages."""

from __future__ import annotations

import asyncio
import base64
import binascii
import mimetypes
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.events import Download
from stockade.engines.values import Point
from stockade.errors import ArtifactNotFound, InvalidArgument
from stockade.kernel.action_result import ActionResult
from stockade.kernel.arguments import (
    ActionOptions,
    Arguments,
    InSession,
    OnTarget,
    OptionalTarget,
)
from stockade.kernel.call import Call
from stockade.kernel.downloads import captured, fetch, file_of, known_download, link_to
from stockade.kernel.observation import observe
from stockade.kernel.results import Result
from stockade.kernel.saving import shown_path
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.locator import TargetKind
from stockade.page.probe import point_probe
from stockade.page.uploading import drop_files as drop
from stockade.page.uploading import give_files
from stockade.policy.capabilities import Capability
from stockade.tools.actions import act_of, required
from stockade.urls import origin_of

__all__ = [
    "GivenFile",
    "download_get",
    "downloads_capture",
    "drop_files",
    "placed",
    "told",
    "upload_file",
]

_Content = Annotated[str, Field(max_length=200_000_000)]
_Name = Annotated[str | None, Field(min_length=1, max_length=255)]
_Path = Annotated[str | None, Field(min_length=1, max_length=2000)]
_Type = Annotated[str | None, Field(max_length=200)]


class GivenFile(Arguments):
    """A file: its name and content, or one the session has."""

    name: _Name = None
    content: _Content | None = None
    contents: _Content | None = None
    encoding: Literal["base64", "utf-8"] = "base64"
    path: _Path = None
    mime_type: _Type = None


class UploadFile(ActionOptions, OptionalTarget):
    """What to give to which file input."""

    kind: ClassVar[TargetKind | None] = "file"

    name: _Name = None
    content: _Content | None = None
    encoding: Literal["base64", "utf-8"] = "base64"
    path: Annotated[_Path, Field(description="a file of this session")] = None
    artifact: _Path = None
    mime_type: _Type = None
    files: Annotated[
        tuple[GivenFile, ...], Field(max_length=20, description="for several at once")
    ] = ()


class DropFiles(ActionOptions, OnTarget):
    """What to drop where."""

    files: Annotated[tuple[GivenFile, ...], Field(min_length=1, max_length=20)]


class DownloadGet(InSession):
    """Which download."""

    id: str = Field(max_length=100)
    path_only: bool = False
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class DownloadsCapture(InSession):
    """Whether to keep downloads."""

    on: bool = True
    clear: Annotated[bool, Field(description="forget those so far")] = False


class UploadedFile(TypedDict):
    """A file that was given to the page."""

    name: str
    sizeBytes: int
    mimeType: NotRequired[str]


class UploadResult(ActionResult):
    """What came of it, and what was given."""

    files: list[UploadedFile]
    file_count: int
    total_bytes: int


class DropResult(UploadResult):
    """The same, with the events that the page had."""

    target: str
    events_fired: list[str]
    drop_dispatched: bool


class DownloadResult(TypedDict):
    """Where a download's content is."""

    ok: bool
    id: str
    suggestedFilename: str
    mimeType: str
    sizeBytes: int
    uri: str
    path: str


class DownloadRow(TypedDict):
    """A download as far as it is."""

    id: str
    suggestedFilename: str
    sizeBytes: int
    state: str
    mimeType: NotRequired[str]
    uri: NotRequired[str]
    path: NotRequired[str]


class DownloadList(TypedDict):
    """The downloads of a session."""

    ok: bool
    on: bool
    count: int
    downloads: list[DownloadRow]
    tokensEstimate: int


@dataclass(frozen=True)
class _File:
    name: str
    content: bytes
    mime_type: str | None

    @property
    def shown_name(self) -> str:
        """With an ending where there is none: pages know the type of a file by it."""
        if self.mime_type is None or PurePath(self.name).suffix:
            return self.name
        return self.name + (mimetypes.guess_extension(self.mime_type) or "")

    @property
    def warning(self) -> str:
        seen = mimetypes.guess_type(self.shown_name)[0]
        if self.mime_type is None or seen == self.mime_type:
            return ""
        return f"the page tells the type of {self.shown_name} by its name: {seen or 'unknown'}"


def _decoded(content: str, encoding: str) -> bytes:
    if encoding == "utf-8":
        return content.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArgument(
            "content is not base64", hint="Encode it, or say encoding=utf-8 for plain text."
        ) from None


async def _read(call: Call, given: GivenFile) -> _File:
    ways = [each for each in (given.content, given.contents, given.path) if each is not None]
    if len(ways) != 1:
        raise InvalidArgument("a file has either contents or the path of a file of this session")
    if given.path is None:
        return _File(given.name or "file", _decoded(ways[0], given.encoding), given.mime_type)
    artifact = await file_of(call, given.path)
    try:
        content = await asyncio.to_thread(artifact.path.read_bytes)
    except FileNotFoundError:
        raise ArtifactNotFound("the file has just been removed") from None
    return _File(given.name or PurePath(artifact.name).name, content, given.mime_type)


def _given(args: UploadFile) -> tuple[GivenFile, ...]:
    path = args.path or args.artifact
    if args.files and args.content is None and path is None:
        return args.files
    if args.files or (args.content is None) == (path is None):
        raise InvalidArgument("upload_file takes content (with a name), a path, or files")
    return (
        GivenFile(
            name=args.name,
            content=args.content,
            encoding=args.encoding,
            path=path,
            mime_type=args.mime_type,
        ),
    )


async def placed(call: Call, given: tuple[GivenFile, ...]) -> tuple[list[_File], list[str]]:
    """The files, and where the browser finds them."""
    files = [await _read(call, each) for each in given]
    place = call.kernel.uploads.place
    paths = [
        str(await asyncio.to_thread(place, call.session, each.shown_name, each.content))
        for each in files
    ]
    return files, paths


def told(files: list[_File]) -> dict[str, Any]:
    """What is said of files that were given."""
    rows = [
        {"name": each.shown_name, "sizeBytes": len(each.content)}
        | ({"mimeType": each.mime_type} if each.mime_type else {})
        for each in files
    ]
    return {
        "files": rows,
        "fileCount": len(files),
        "totalBytes": sum(len(each.content) for each in files),
    }


@tool(
    Capability.FILE_IO,
    gives=UploadResult,
    toolset="forms",
    destructive=True,
    confirm="file_upload",
    presses=True,
)
async def upload_file(call: Call, args: UploadFile) -> Result:
    """Give files to a file input, or to the button that asks for them."""
    target = required(call)
    files, paths = await placed(call, _given(args))
    outcome = await give_files(
        call.tab.actions, target, paths, caller=call.caller, timeout=call.left
    )
    act = act_of(call, outcome)
    act.warnings += [each.warning for each in files if each.warning]
    act.beside = told(files)
    return await observe(call, act, args)


@tool(
    Capability.FILE_IO,
    gives=DropResult,
    toolset="forms",
    destructive=True,
    confirm="file_upload",
)
async def drop_files(call: Call, args: DropFiles) -> Result:
    """Drop files onto an element or point, as from the desktop."""
    point: Point | None = None
    if args.coords is not None:
        point = Point(args.coords.x, args.coords.y)
        probe = await point_probe(
            call.tab.agent, point.x, point.y, caller=call.caller, timeout=call.left
        )
        if not probe.stack:
            raise InvalidArgument("there is nothing at that point", field="coords")
        call.target = probe.stack[0].ref
    target = required(call)
    files, paths = await placed(call, args.files)
    outcome = await drop(
        call.tab.actions, target, paths, caller=call.caller, at=point, timeout=call.left
    )
    act = act_of(call, outcome)
    act.warnings += [each.warning for each in files if each.warning]
    act.beside = {
        **told(files),
        "target": outcome.target,
        "eventsFired": outcome.extra["events"] or ["dragenter", "dragover", "drop"],
        "dropDispatched": True,
    }
    return await observe(call, act, args)


def _row(call: Call, download: Download) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": download.id,
        "suggestedFilename": download.filename,
        "sizeBytes": download.received,
        "state": download.state,
    }
    artifact = captured(call.session).taken.get(download.id)
    if artifact is not None:
        row |= {
            "sizeBytes": artifact.size,
            "mimeType": artifact.mime_type,
            "uri": artifact.uri,
            "path": shown_path(call, artifact),
        }
    return row


@tool(
    Capability.FILE_IO,
    gives=DownloadList,
    toolset="media",
    reach="session",
    idempotent=True,
    structured=True,
)
async def downloads_capture(call: Call, args: DownloadsCapture) -> Result:
    """Keep what pages download, or stop it; lists the downloads. Names are untrusted."""
    mine = captured(call.session)
    mine.on = args.on
    context = call.session.context
    known = list(context.downloads) if context is not None else []
    if args.clear:
        for artifact in mine.taken.values():
            await asyncio.to_thread(call.kernel.artifacts.discard, call.session, artifact)
        mine.taken.clear()
        mine.forgotten = {each.id for each in known if each.state != "running"}
    rows = [_row(call, each) for each in known if each.id not in mine.forgotten]
    data = {"ok": True, "on": mine.on, "count": len(rows), "downloads": rows}
    current = call.session.current
    return Result(
        data={**data, "tokensEstimate": estimate(str(rows))},
        source=origin_of(current.url) if current is not None else "",
    )


@tool(
    Capability.FILE_IO,
    gives=DownloadResult,
    toolset="media",
    reach="session",
    reads=True,
    structured=True,
)
async def download_get(call: Call, args: DownloadGet) -> Result:
    """Wait for a download and get where its content is, by the id an action told."""
    download = known_download(call.session, args.id)
    artifact = await fetch(call, args.id, download.filename, patience=call.left)
    data: dict[str, Any] = {
        "ok": True,
        "id": args.id,
        "suggestedFilename": artifact.name,
        "mimeType": artifact.mime_type,
        "sizeBytes": artifact.size,
        "uri": artifact.uri,
        "path": shown_path(call, artifact),
    }
    return Result(data=data, links=() if args.path_only else (link_to(artifact),))
