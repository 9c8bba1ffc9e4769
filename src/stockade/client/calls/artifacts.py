"""Calls of the tools in `artifacts`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class SavedArtifact(Beside):
    """A file that is there now."""

    ok: bool
    name: str
    uri: str
    path: str
    size: int
    mtime: str
    evicted: NotRequired[list[str]]


class ArtifactContent(Beside):
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


class ArtifactRows(Beside):
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


class FileText(Beside):
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


class ArtifactsCalls(Calls):
    """Methods that call tools."""

    async def artifact_save(
        self,
        *,
        name: str,
        content: str,
        encoding: Literal['utf-8', 'base64'] | None = None,
    ) -> SavedArtifact:
        """Save text or bytes as a file of the session, under a name."""
        answer = await self._call("artifact_save", {"name": name, "content": content}, {"encoding": encoding}, in_tab=False)
        return cast("SavedArtifact", answer)

    async def artifact_get(
        self,
        *,
        name: str,
        encoding: Literal['utf-8', 'base64'] | None = None,
        offset: int | None = None,
        max_bytes: int | None = None,
    ) -> ArtifactContent:
        """The content of a file of the session, in parts if it is large. It is untrusted."""
        answer = await self._call("artifact_get", {"name": name}, {"encoding": encoding, "offset": offset, "maxBytes": max_bytes}, in_tab=False)
        return cast("ArtifactContent", answer)

    async def artifact_list(
        self,
    ) -> ArtifactRows:
        """The files of the session: pictures, downloads and what was saved. Names are untrusted."""
        answer = await self._call("artifact_list", {}, {}, in_tab=False)
        return cast("ArtifactRows", answer)

    async def read_file(
        self,
        *,
        name: str | None = None,
        page: int | None = None,
        offset: int | None = None,
        raw: bool | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> FileText:
        """Read a PDF or text file (download, saved, or shown in the tab) as text. It is untrusted."""
        answer = await self._call("read_file", {}, {"name": name, "page": page, "offset": offset, "raw": raw, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("FileText", answer)
