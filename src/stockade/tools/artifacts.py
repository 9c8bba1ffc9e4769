"""The files of a session: saved, listed, read back, and read as text."""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import ArtifactNotFound, InvalidArgument, QuotaExceeded
from stockade.files.artifacts import Artifact
from stockade.files.names import relative_name
from stockade.kernel.arguments import MOST_TOKENS, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.downloads import file_of
from stockade.kernel.instant import instant
from stockade.kernel.leaving import without_secrets
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import shown_path
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.media.documents import Part, kind_of, portion, text_of
from stockade.media.pdfs import read_pdf
from stockade.media.shown import Shown, shown_document
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["artifact_get", "artifact_list", "artifact_save", "read_file"]

MOST_ENTRIES = 200
MOST_BYTES = 50 << 20
_MOST_INLINE = 120_000
"""Bytes of a file that a result holds; the rest is asked for by its offset."""
_LARGEST_READ = 64 << 20


class ArtifactSave(InSession):
    """What to save, and under what name."""

    name: str = Field(min_length=1, max_length=1000)
    content: str = Field(max_length=80_000_000)
    encoding: Literal["utf-8", "base64"] = "utf-8"


class ArtifactGet(InSession):
    """Which file, and how."""

    name: Annotated[str, Field(min_length=1, max_length=2000, description="name, path or uri")]
    encoding: Annotated[
        Literal["utf-8", "base64"] | None, Field(description="by content when unset")
    ] = None
    offset: Annotated[int, Field(ge=0, le=1 << 40, description="in bytes")] = 0
    max_bytes: int = Field(_MOST_INLINE, ge=1, le=_MOST_INLINE)


class ArtifactList(InSession):
    """Which session."""


class ReadFile(InTab):
    """Which file; without a name, the PDF or text that the tab shows."""

    name: Annotated[
        str | None,
        Field(min_length=1, max_length=2000, description="file or download; else the tab"),
    ] = None
    page: Annotated[int, Field(ge=1, le=100_000, description="first page of a PDF")] = 1
    offset: Annotated[int, Field(ge=0, le=1 << 40, description="in characters")] = 0
    raw: Annotated[bool, Field(description="HTML with its tags")] = False
    max_result_tokens: int = Field(4000, ge=100, le=MOST_TOKENS)
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class SavedArtifact(TypedDict):
    """A file that is there now."""

    ok: bool
    name: str
    uri: str
    path: str
    size: int
    mtime: str
    evicted: NotRequired[list[str]]


class ArtifactContent(TypedDict):
    """A file's content, or a part of it."""

    ok: bool
    name: str
    content: str
    size: int
    mtime: str
    encoding: str
    uri: str
    mimeType: str
    nextOffset: NotRequired[int]


class ArtifactRow(TypedDict):
    """One file."""

    name: str
    kind: str
    uri: str
    path: str
    size: int
    mimeType: str
    mtime: str


class ArtifactRows(TypedDict):
    """The files of a session, oldest first."""

    ok: bool
    count: int
    artifacts: list[ArtifactRow]


class PageText(TypedDict):
    """The text of a page of a PDF, or of a part of it."""

    page: int
    text: str


class Next(TypedDict):
    """Where to go on."""

    offset: int
    page: NotRequired[int]


class FileText(TypedDict):
    """A file as text."""

    ok: bool
    name: str
    mimeType: str
    size: int
    encoding: NotRequired[str]
    text: NotRequired[str]
    pageCount: NotRequired[int]
    pages: NotRequired[list[PageText]]
    next: NotRequired[Next]
    warnings: NotRequired[list[str]]
    tokensEstimate: int


@dataclass
class _Saved:
    """What was saved by name, oldest first; a part of the session."""

    sizes: dict[str, int] = field(default_factory=dict)
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


def _content(args: ArtifactSave) -> bytes:
    if args.encoding == "utf-8":
        return args.content.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(args.content, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArgument(
            "content is not base64", hint="Encode it, or leave encoding out for plain text."
        ) from None


async def _make_room(call: Call, sizes: dict[str, int], name: str, size: int) -> list[str]:
    """Delete the oldest of what was saved this way, until the new one has its place."""
    artifacts, evicted = call.kernel.artifacts, []
    while sizes and (
        len(sizes) - (name in sizes) >= MOST_ENTRIES
        or sum(sizes.values()) - sizes.get(name, 0) + size > MOST_BYTES
    ):
        oldest = next(each for each in sizes if each != name)
        del sizes[oldest]
        evicted.append(oldest)
        try:
            former = artifacts.named(call.session, oldest)
        except ArtifactNotFound:
            continue
        await asyncio.to_thread(artifacts.discard, call.session, former)
    return evicted


@tool(
    Capability.ACTION,
    gives=SavedArtifact,
    toolset="media",
    reach="session",
    idempotent=True,
    structured=True,
    effect="looks",
)
async def artifact_save(call: Call, args: ArtifactSave) -> dict[str, Any]:
    """Save text or bytes as a file of the session, under a name."""
    content = await asyncio.to_thread(without_secrets, call.masker, _content(args))
    if len(content) > MOST_BYTES:
        raise QuotaExceeded(f"a file may have {MOST_BYTES} bytes", limit=MOST_BYTES)
    mine = call.session.parts.of(_Saved, _Saved)
    name = relative_name(args.name, call.kernel.artifacts.folder(call.session))
    async with mine.changing:
        evicted = await _make_room(call, mine.sizes, name, len(content))
        artifact = await asyncio.to_thread(call.kernel.artifacts.save, call.session, name, content)
        mine.sizes.pop(name, None)
        mine.sizes[name] = artifact.size
    data: dict[str, Any] = {
        "ok": True,
        "name": artifact.name,
        "uri": artifact.uri,
        "path": shown_path(call, artifact),
        "size": artifact.size,
        "mtime": instant(artifact.made_at),
    }
    return data | ({"evicted": evicted} if evicted else {})


def _piece(artifact: Artifact, offset: int, most: int) -> bytes:
    try:
        with artifact.path.open("rb") as file:
            file.seek(offset)
            return file.read(most)
    except FileNotFoundError:
        raise ArtifactNotFound("the file has just been removed") from None


def _whole_characters(piece: bytes) -> bytes:
    """Without the beginning of a character whose end is not there."""
    for cut in range(1, min(4, len(piece)) + 1):
        if piece[-cut] >= 0xC0:  # noqa: PLR2004
            wanted = 2 + (piece[-cut] >= 0xE0) + (piece[-cut] >= 0xF0)  # noqa: PLR2004
            return piece[:-cut] if cut < wanted else piece
    return piece


def _text(piece: bytes, *, asked: bool) -> str | None:
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        if asked:
            raise InvalidArgument(
                "the file is not UTF-8", hint="Ask for base64, or use `read_file`."
            ) from None
        return None
    return None if "\0" in text and not asked else text


@tool(
    Capability.READ,
    gives=ArtifactContent,
    toolset="media",
    reach="session",
    reads=True,
    structured=True,
)
async def artifact_get(call: Call, args: ArtifactGet) -> Result:
    """The content of a file of the session, in parts if it is large. It is untrusted."""
    artifact = await file_of(call, args.name)
    piece = await asyncio.to_thread(_piece, artifact, args.offset, args.max_bytes)
    rest = args.offset + len(piece) < artifact.size
    text: str | None = None
    if args.encoding != "base64":
        shown = _whole_characters(piece) if rest else piece
        text = _text(shown, asked=args.encoding is not None)
        if text is not None:
            piece = shown
    data: dict[str, Any] = {
        "ok": True,
        "name": artifact.name,
        "content": text if text is not None else base64.b64encode(piece).decode(),
        "size": artifact.size,
        "mtime": instant(artifact.made_at),
        "encoding": "base64" if text is None else "utf-8",
        "uri": artifact.uri,
        "mimeType": artifact.mime_type,
    }
    if rest:
        data["nextOffset"] = args.offset + len(piece)
    # Never cut: a part of base64, or of JSON, is of no use.
    return Result(data=data, source=artifact.uri, tokens=estimate(compact(data)) * 2)


@tool(
    Capability.READ,
    gives=ArtifactRows,
    toolset="media",
    reach="session",
    reads=True,
    structured=True,
)
async def artifact_list(call: Call, args: ArtifactList) -> Result:
    """The files of the session: pictures, downloads and what was saved. Names are untrusted."""
    del args
    rows = [
        {
            "name": each.name,
            "kind": each.kind,
            "uri": each.uri,
            "path": shown_path(call, each),
            "size": each.size,
            "mimeType": each.mime_type,
            "mtime": instant(each.made_at),
        }
        for each in call.kernel.artifacts.of(call.session)
    ]
    data = {"ok": True, "count": len(rows), "artifacts": rows}
    return Result(data=data, source=call.session.name, tokens=60_000)


# --- reading ----------------------------------------------------------------------------------


async def _subject(call: Call, args: ReadFile) -> Shown:
    """The bytes to read, and what is known of them."""
    if args.name is None:
        tab = await call.session.tab(args.tab)
        call.policy.check_shown(tab.url)
        return await shown_document(tab.page, timeout=call.left)
    artifact = await file_of(call, args.name)
    if artifact.size > _LARGEST_READ:
        raise InvalidArgument(
            f"files of more than {_LARGEST_READ} bytes are not read as text",
            hint="Get parts of it with `artifact_get`.",
        )
    content = await asyncio.to_thread(_piece, artifact, 0, _LARGEST_READ)
    return Shown(artifact.name, content, artifact.mime_type, source=artifact.uri)


def _told(part: Part, args: ReadFile) -> dict[str, Any]:
    data: dict[str, Any] = {"text": part.text}
    if part.rest:
        data["next"] = {"offset": args.offset + len(part.text)}
    return data


async def _pdf(call: Call, content: bytes, args: ReadFile) -> dict[str, Any]:
    most = args.max_result_tokens * 4
    reading = await read_pdf(
        content, page=args.page, characters=args.offset + most, timeout=call.left
    )
    pages: list[dict[str, Any]] = []
    left = args.max_result_tokens
    data: dict[str, Any] = {"pageCount": reading.page_count, "pages": pages}
    skip = args.offset
    for page in reading.pages:
        part = portion(page.text[skip:], left)
        pages.append({"page": page.number, "text": part.text})
        left -= part.tokens
        if part.rest or page.cut:
            data["next"] = {"page": page.number, "offset": skip + len(part.text)}
            break
        skip = 0
        if left <= 0:
            break
    last = pages[-1]["page"] if pages else reading.page_count
    if "next" not in data and last < reading.page_count:
        data["next"] = {"page": last + 1, "offset": 0}
    if reading.warnings:
        data["warnings"] = reading.warnings
    return data


@tool(
    Capability.READ,
    gives=FileText,
    toolset="web",
    reach="session",
    reads=True,
)
async def read_file(call: Call, args: ReadFile) -> Result:
    """Read a PDF or text file (download, saved, or shown in the tab) as text. It is untrusted."""
    subject = await _subject(call, args)
    kind = kind_of(subject.content, subject.mime_type, subject.name)
    data: dict[str, Any] = {
        "ok": True,
        "name": subject.name,
        "mimeType": "application/pdf" if kind == "pdf" else subject.mime_type,
        "size": len(subject.content),
    }
    if kind == "pdf":
        data |= await _pdf(call, subject.content, args)
    else:
        plain = await asyncio.to_thread(
            text_of, subject.content, kind=kind, charset=subject.charset, raw=args.raw
        )
        data["encoding"] = plain.encoding
        data |= _told(portion(plain.text[args.offset :], args.max_result_tokens), args)
        if plain.warnings:
            data["warnings"] = plain.warnings
    data["tokensEstimate"] = estimate(compact(data))
    source = subject.source or origin_of(subject.name)
    return Result(data=data, source=source, tokens=data["tokensEstimate"] + 200)
