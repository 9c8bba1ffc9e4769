"""Files to and from pages."""

from __future__ import annotations

import asyncio
import base64
import binascii
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import ArtifactNotFound, InvalidArgument
from stockade.kernel.action_result import ActionResult
from stockade.kernel.arguments import ActionOptions, Arguments, InSession, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.downloads import fetch, link_to
from stockade.kernel.observation import observe
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.tools.actions import act_of, required

__all__ = ["download_get", "upload_file"]

_Content = Annotated[str, Field(max_length=200_000_000)]


class GivenFile(Arguments):
    """A file's name and content."""

    name: str = Field(min_length=1, max_length=255)
    content: _Content
    encoding: Literal["base64", "utf-8"] = "base64"


class UploadFile(ActionOptions, OptionalTarget):
    """What to give to which file input."""

    name: Annotated[str | None, Field(min_length=1, max_length=255)] = None
    content: _Content | None = None
    encoding: Literal["base64", "utf-8"] = "base64"
    files: Annotated[
        tuple[GivenFile, ...], Field(max_length=20, description="for several at once")
    ] = ()


class DownloadGet(InSession):
    """Which download."""

    id: str = Field(max_length=100)
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class UploadedFile(TypedDict):
    """A file that was given to the page."""

    name: str
    sizeBytes: int


class UploadResult(ActionResult):
    """What came of it, and what was given."""

    files: list[UploadedFile]
    file_count: int
    total_bytes: int


class DownloadResult(TypedDict):
    """Where a download's content is."""

    ok: bool
    id: str
    suggestedFilename: str
    mimeType: str
    sizeBytes: int
    uri: str


def _bytes(file: GivenFile) -> bytes:
    if file.encoding == "utf-8":
        return file.content.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(file.content, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArgument(
            "content is not base64", hint="Encode it, or say encoding=utf-8 for plain text."
        ) from None


def _given(args: UploadFile) -> tuple[GivenFile, ...]:
    if args.content is not None and not args.files:
        return (GivenFile(name=args.name or "file", content=args.content, encoding=args.encoding),)
    if not args.files or args.content is not None:
        raise InvalidArgument("upload_file takes content (with a name) or files")
    return args.files


@tool(Capability.FILE_IO, gives=UploadResult, toolset="forms", destructive=True)
async def upload_file(call: Call, args: UploadFile) -> Result:
    """Give files to a file input, or to the button that asks for them."""
    target = required(call)
    contents = [(each.name, _bytes(each)) for each in _given(args)]
    paths = [
        str(await asyncio.to_thread(call.kernel.uploads.place, call.session, name, content))
        for name, content in contents
    ]
    outcome = await call.tab.actions.upload(target, paths, caller=call.caller, timeout=call.left)
    files = [{"name": name, "sizeBytes": len(content)} for name, content in contents]
    act = act_of(call, outcome)
    act.beside = {
        "files": files,
        "fileCount": len(files),
        "totalBytes": sum(len(content) for _, content in contents),
    }
    return await observe(call, act, args)


@tool(
    Capability.FILE_IO,
    gives=DownloadResult,
    toolset="media",
    reach="session",
    reads=True,
    structured=True,
)
async def download_get(call: Call, args: DownloadGet) -> Result:
    """Wait for a download and get the address of its content, by the id an action told."""
    context = call.session.context
    known = {each.id: each for each in context.downloads} if context is not None else {}
    if args.id not in known:
        raise ArtifactNotFound("this session has no such download")
    artifact = await fetch(call, args.id, known[args.id].filename, patience=call.left)
    data: dict[str, Any] = {
        "ok": True,
        "id": args.id,
        "suggestedFilename": artifact.name,
        "mimeType": artifact.mime_type,
        "sizeBytes": artifact.size,
        "uri": artifact.uri,
    }
    return Result(data=data, links=(link_to(artifact),))
