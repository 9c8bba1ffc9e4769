"""Calls of the tools in `exports`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class LeftOut(TypedDict):
    """Something that is not in the archive."""

    url: str
    reason: str


class ArchiveResult(Beside):
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


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class ElementResult(Beside):
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


class DomResult(Beside):
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


class AssetFilter(TypedDict):
    """Which files; what is unset does not matter."""

    mime: NotRequired[str | None]
    urlPattern: NotRequired[str | None]
    minBytes: NotRequired[int | None]
    maxBytes: NotRequired[int | None]
    status: NotRequired[int | None]


class AssetRow(TypedDict):
    """A kept file."""

    url: str
    path: str
    mimeType: str
    bytes: int
    status: int


class AssetResult(Beside):
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


class PdfResult(Beside):
    """The printed page."""

    ok: bool
    path: str
    uri: str
    bytes: int
    format: str
    scale: float
    printBackground: bool


class ExportsCalls(Calls):
    """Methods that call tools."""

    async def page_archive(
        self,
        *,
        path: str | None = None,
        format: Literal['directory', 'single-file'] | None = None,
        max_size_mb: float | None = None,
        timeout_ms: int | None = None,
    ) -> ArchiveResult:
        """Save the page with all it shows, without scripts, to open anywhere offline."""
        answer = await self._call("page_archive", {}, {"path": path, "format": format, "maxSizeMb": max_size_mb, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("ArchiveResult", answer)

    async def element_export(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        path: str | None = None,
        max_size_mb: float | None = None,
        timeout_ms: int | None = None,
    ) -> ElementResult:
        """Save an element as HTML with its styles written on it, and as a PNG."""
        answer = await self._call("element_export", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "path": path, "maxSizeMb": max_size_mb, "timeoutMs": timeout_ms}, in_tab=True, target=target)
        return cast("ElementResult", answer)

    async def dom_export(
        self,
        *,
        format: Literal['html', 'jsonl'] | None = None,
        include_shadow: bool | None = None,
        path: str | None = None,
        timeout_ms: int | None = None,
    ) -> DomResult:
        """Save the live DOM of every frame, shadow roots included, as HTML or JSON lines."""
        answer = await self._call("dom_export", {}, {"format": format, "includeShadow": include_shadow, "path": path, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("DomResult", answer)

    async def asset_export(
        self,
        *,
        filter: AssetFilter | None = None,
        into_dir: str | None = None,
        max_count: int | None = None,
        max_bytes: int | None = None,
        timeout_ms: int | None = None,
    ) -> AssetResult:
        """Save what the tab has loaded: pictures, styles, scripts, data, by type or address."""
        answer = await self._call("asset_export", {}, {"filter": filter, "intoDir": into_dir, "maxCount": max_count, "maxBytes": max_bytes, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("AssetResult", answer)

    async def pdf_save(
        self,
        *,
        path: str | None = None,
        format: Literal['Letter', 'Legal', 'Tabloid', 'Ledger', 'A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6'] | None = None,
        scale: float | None = None,
        print_background: bool | None = None,
        landscape: bool | None = None,
        page_ranges: str | None = None,
        timeout_ms: int | None = None,
    ) -> PdfResult:
        """Print the page into a PDF file."""
        answer = await self._call("pdf_save", {}, {"path": path, "format": format, "scale": scale, "printBackground": print_background, "landscape": landscape, "pageRanges": page_ranges, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("PdfResult", answer)
