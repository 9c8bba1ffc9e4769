"""Pages, elements and what they are made of, as files."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.port import Frame
from stockade.engines.values import PdfOptions, ScreenshotOptions
from stockade.errors import ContentGone, EngineError, InvalidArgument, Unsupported
from stockade.files.artifacts import Artifact
from stockade.kernel.arguments import AddressPattern, Arguments, InTab, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.media.archive import Archive, Archiver
from stockade.media.assets import Wanted, asset_name, chosen
from stockade.page.patterns import address_pattern
from stockade.page.reach import look
from stockade.policy.capabilities import Capability
from stockade.tools.actions import required
from stockade.urls import origin_of

__all__ = ["asset_export", "dom_export", "element_export", "page_archive", "pdf_save"]

_MOST_SHOWN = 20
_INCHES = {
    "Letter": (8.5, 11.0),
    "Legal": (8.5, 14.0),
    "Tabloid": (11.0, 17.0),
    "Ledger": (17.0, 11.0),
    "A0": (33.1, 46.8),
    "A1": (23.4, 33.1),
    "A2": (16.54, 23.4),
    "A3": (11.7, 16.54),
    "A4": (8.27, 11.7),
    "A5": (5.83, 8.27),
    "A6": (4.13, 5.83),
}
_Paper = Literal["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"]
_Path = Annotated[str | None, Field(min_length=1, max_length=1000)]


class PageArchive(InTab):
    """How to archive the page."""

    path: _Path = None
    format: Literal["directory", "single-file"] = "single-file"
    max_size_mb: float = Field(200, gt=0, le=1000)
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class ElementExport(OptionalTarget):
    """Which element."""

    path: _Path = None
    max_size_mb: float = Field(50, gt=0, le=1000)
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class DomExport(InTab):
    """How to write the document down."""

    format: Literal["html", "jsonl"] = "html"
    include_shadow: bool = True
    path: _Path = None
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class AssetFilter(Arguments):
    """Which files; what is unset does not matter."""

    mime: Annotated[str | None, Field(max_length=200, description="image/*")] = None
    url_pattern: AddressPattern | None = None
    min_bytes: Annotated[int | None, Field(ge=0)] = None
    max_bytes: Annotated[int | None, Field(ge=0)] = None
    status: Annotated[int | None, Field(ge=100, le=599)] = None


class AssetExport(InTab):
    """Which files to keep, and how many."""

    filter: AssetFilter = AssetFilter()
    into_dir: _Path = None
    max_count: int = Field(200, ge=1, le=1000)
    max_bytes: int = Field(100_000_000, ge=1, le=1_000_000_000)
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class PdfSave(InTab):
    """How to print the page."""

    path: _Path = None
    format: _Paper = "A4"
    scale: float = Field(1.0, ge=0.1, le=2)
    print_background: bool = True
    landscape: bool = False
    page_ranges: Annotated[str, Field(max_length=200, pattern=r"^[\d\s,-]*$")] = ""
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class LeftOut(TypedDict):
    """Something that is not in the archive."""

    url: str
    reason: str


class ArchiveResult(TypedDict):
    """An archive of the page."""

    ok: bool
    path: str
    uri: str
    bytes: int
    format: str
    fileCount: int
    frameCount: int
    resourceCount: int
    omittedCount: int
    omitted: NotRequired[list[LeftOut]]
    warnings: NotRequired[list[str]]
    tokensEstimate: int


class ElementResult(TypedDict):
    """An element as a page of its own, and its picture."""

    ok: bool
    path: str
    uri: str
    bytes: int
    pngPath: str
    pngUri: str
    pngBytes: int
    nodeCount: int
    resourceCount: int
    omitted: NotRequired[list[LeftOut]]
    warnings: NotRequired[list[str]]
    tokensEstimate: int


class DomPart(TypedDict):
    """The document of one frame."""

    frame: str
    url: str
    path: str
    uri: str
    bytes: int
    nodes: int
    shadowRoots: int


class DomResult(TypedDict):
    """The documents of the tab."""

    ok: bool
    path: str
    uri: str
    bytes: int
    format: str
    includeShadow: bool
    nodeCount: int
    parts: list[DomPart]
    warnings: NotRequired[list[str]]
    tokensEstimate: int


class AssetRow(TypedDict):
    """A kept file."""

    url: str
    path: str
    mimeType: str
    bytes: int
    status: int


class AssetResult(TypedDict):
    """What was kept."""

    ok: bool
    intoDir: str
    totalCount: int
    matchedCount: int
    persistedCount: int
    droppedCount: int
    totalBytes: int
    manifest: list[AssetRow]
    manifestPath: str
    manifestUri: str
    warnings: NotRequired[list[str]]
    tokensEstimate: int


class PdfResult(TypedDict):
    """The printed page."""

    ok: bool
    path: str
    uri: str
    bytes: int
    format: str
    scale: float
    printBackground: bool


def folder_for(call: Call, chosen: str | None, default: str) -> str:
    """The folder a call writes to: the one asked for, or one of its own."""
    if chosen is not None:
        return chosen.rstrip("/") or chosen
    taken = {PurePosixPath(each.name).parts[0] for each in call.kernel.artifacts.of(call.session)}
    name, number = default, 1
    while name in taken:
        number += 1
        name = f"{default}-{number}"
    return name


def shown_folder(call: Call, first: Artifact, name: str) -> str:
    """A folder as the caller knows it, by the first file in it."""
    if not call.principal.nearby:
        return name
    inside = len(PurePosixPath(first.name).parts) - len(PurePosixPath(name).parts)
    return str(first.path.parents[max(inside - 1, 0)])


async def _masked(call: Call, content: bytes) -> bytes:
    return (await call.masked_exactly(content.decode())).encode()


def _without(archive: Archive) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if archive.omitted:
        told["omitted"] = [
            {"url": each.url[:500], "reason": each.reason} for each in archive.omitted[:_MOST_SHOWN]
        ]
    if archive.warnings:
        told["warnings"] = archive.warnings[:_MOST_SHOWN]
    return told


@tool(
    Capability.FILE_IO,
    gives=ArchiveResult,
    toolset="media",
    structured=True,
    raw=True,
    effect="looks",
)
async def page_archive(call: Call, args: PageArchive) -> Result:
    """Save the page with all it shows, without scripts, to open anywhere offline."""
    alone = args.format == "single-file"
    archiver = Archiver(
        call.tab.agent, alone=alone, most=int(args.max_size_mb * 1_000_000), timeout=call.left
    )
    archive = await archiver.page()
    await call.report(1, 2, f"{archive.resources} resources gathered")
    files = {
        name: await _masked(call, content) if name.endswith(".html") else content
        for name, content in archive.files.items()
    }
    if alone:
        index = await save(call, files["index.html"], path=args.path, default="page.html")
        told = saved(call, index)
    else:
        folder = folder_for(call, args.path, "page")
        kept = [
            await save(call, content, path=f"{folder}/{name}", default=name)
            for name, content in files.items()
        ]
        index = kept[0]
        told = {
            **saved(call, index),
            "path": shown_folder(call, index, folder),
            "bytes": sum(each.size for each in kept),
        }
    data: dict[str, Any] = {
        "ok": True,
        **told,
        "format": args.format,
        "fileCount": len(files),
        "frameCount": archive.frames,
        "resourceCount": archive.resources,
        "omittedCount": len(archive.omitted),
        **_without(archive),
    }
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url), links=(link_to(index),))


@tool(
    Capability.FILE_IO,
    gives=ElementResult,
    toolset="media",
    structured=True,
    raw=True,
    effect="looks",
)
async def element_export(call: Call, args: ElementExport) -> Result:
    """Save an element as HTML with its styles written on it, and as a PNG."""
    ref = required(call)
    archiver = Archiver(
        call.tab.agent, alone=True, most=int(args.max_size_mb * 1_000_000), timeout=call.left
    )
    archive = await archiver.element(ref, caller=call.caller)
    picture = await call.camera.element(
        ref, caller=call.caller, options=ScreenshotOptions(format="png"), timeout=call.left
    )
    page = await _masked(call, archive.files["index.html"])
    document = await save(call, page, path=args.path, default="element.html")
    beside = str(PurePosixPath(document.name).with_suffix(".png"))
    image = await save(call, picture, path=beside, default="element.png")
    shown = saved(call, image)
    data: dict[str, Any] = {
        "ok": True,
        **saved(call, document),
        "pngPath": shown["path"],
        "pngUri": shown["uri"],
        "pngBytes": shown["bytes"],
        "nodeCount": archive.nodes,
        "resourceCount": archive.resources,
        **_without(archive),
    }
    data["tokensEstimate"] = estimate(compact(data))
    links = (link_to(document), link_to(image))
    return Result(data=data, source=origin_of(call.tab.url), links=links)


async def _written(call: Call, frame: Frame, args: DomExport) -> dict[str, Any]:
    name = "document_html.js" if args.format == "html" else "document_nodes.js"
    return await look(
        call.tab.agent,
        frame,
        f"{name} markup.js",
        timeout=call.left,
        includeShadow=args.include_shadow,
    )


@tool(
    Capability.FILE_IO, gives=DomResult, toolset="media", structured=True, raw=True, effect="looks"
)
async def dom_export(call: Call, args: DomExport) -> Result:
    """Save the live DOM of every frame, shadow roots included, as HTML or JSON lines."""
    agent, warnings = call.tab.agent, []
    parts: list[dict[str, Any]] = []
    first: Artifact | None = None
    for frame in agent.frames():
        prefix = agent.prefix(frame)
        try:
            said = await _written(call, frame, args)
        except EngineError as error:
            if frame.parent is None:
                raise
            warnings.append(f"a frame could not be read: {error.message}")
            continue
        if said["limited"]:
            warnings.append(f"the document of {prefix or 'the page'} is cut: it is too large")
        content = (await call.masked_exactly(said["html"])).encode("utf-8", "replace")
        if first is None:
            artifact = first = await save(
                call, content, path=args.path, default=f"dom.{args.format}"
            )
        else:
            main = PurePosixPath(first.name)
            name = str(main.with_name(f"{main.stem}.{prefix}{main.suffix}"))
            artifact = await save(call, content, path=name, default=name)
        parts.append(
            {
                "frame": prefix or "f0",
                "url": frame.url,
                **saved(call, artifact),
                "nodes": said["nodes"],
                "shadowRoots": said["roots"],
            }
        )
    if first is None:
        raise InvalidArgument("the tab shows no document")
    data: dict[str, Any] = {
        "ok": True,
        **saved(call, first),
        "format": args.format,
        "includeShadow": args.include_shadow,
        "nodeCount": sum(part["nodes"] for part in parts),
        "parts": parts,
    }
    if warnings:
        data["warnings"] = warnings
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url), links=(link_to(first),))


@tool(
    Capability.FILE_IO,
    gives=AssetResult,
    toolset="media",
    structured=True,
    raw=True,
    effect="looks",
)
async def asset_export(call: Call, args: AssetExport) -> Result:
    """Save what the tab has loaded: pictures, styles, scripts, data, by type or address."""
    wish, page = args.filter, call.tab.page
    pattern = address_pattern(wish.url_pattern) if wish.url_pattern is not None else None
    total, matching = chosen(page.requests, Wanted(wish.mime, pattern, wish.status))
    folder = folder_for(call, args.into_dir, "assets")
    rows: list[dict[str, Any]] = []
    matched = size = gone = 0
    for number, request in enumerate(matching, 1):
        await call.report(number, len(matching), "assets")
        try:
            content = await page.response_body(request.id, timeout=min(call.left, 10))
        except (ContentGone, EngineError):
            gone += 1
            matched += wish.min_bytes is None
            continue
        if not (wish.min_bytes or 0) <= len(content) <= (wish.max_bytes or len(content)):
            continue
        matched += 1
        if len(rows) >= args.max_count or size + len(content) > args.max_bytes:
            continue
        name = f"{folder}/{asset_name(len(rows) + 1, request.url)}"
        artifact = await save(call, content, path=name, default=name, mime_type=request.mime_type)
        size += artifact.size
        rows.append(
            {
                "url": request.url,
                "path": saved(call, artifact)["path"],
                "mimeType": request.mime_type,
                "bytes": artifact.size,
                "status": request.status,
            }
        )
    manifest = await save(
        call,
        (await call.masked_exactly(json.dumps(rows, indent=1))).encode(),
        path=f"{folder}/manifest.json",
        default="manifest.json",
    )
    told = saved(call, manifest)
    data: dict[str, Any] = {
        "ok": True,
        "intoDir": shown_folder(call, manifest, folder),
        "totalCount": total,
        "matchedCount": matched,
        "persistedCount": len(rows),
        "droppedCount": matched - len(rows),
        "totalBytes": size,
        "manifest": rows[:_MOST_SHOWN],
        "manifestPath": told["path"],
        "manifestUri": told["uri"],
    }
    if gone:
        data["warnings"] = [f"the browser no longer has {gone} of them"]
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url), links=(link_to(manifest),))


@tool(Capability.ACTION, gives=PdfResult, toolset="media", structured=True, effect="looks")
async def pdf_save(call: Call, args: PdfSave) -> Result:
    """Print the page into a PDF file."""
    width, height = _INCHES[args.format]
    options = PdfOptions(
        width=width,
        height=height,
        landscape=args.landscape,
        scale=args.scale,
        background=args.print_background,
        pages=args.page_ranges,
    )
    try:
        content = await call.camera.pdf(options, timeout=call.left)
    except InvalidArgument as error:
        if "not implemented" not in error.message:
            raise
        raise Unsupported(
            "a browser with a window does not print", hint="Use a session without a window."
        ) from None
    artifact = await save(
        call, content, path=args.path, default="page.pdf", mime_type="application/pdf"
    )
    data = {
        "ok": True,
        **saved(call, artifact),
        "format": args.format,
        "scale": args.scale,
        "printBackground": args.print_background,
    }
    return Result(data=data, links=(link_to(artifact),))
