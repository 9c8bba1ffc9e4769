"""Files as answers: whole or in part, never as something that a browser would run."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import AsyncIterator
from urllib.parse import quote

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from stockade.errors import ArtifactNotFound, RangeNotSatisfiable
from stockade.files.artifacts import Artifact
from stockade.kernel.leaving import LARGEST_MASKED, content_of, to_be_masked
from stockade.masking.masker import Masker
from stockade.surfaces.answers import is_known, refusal

__all__ = ["file_answer", "wanted_part"]

_PIECE = 1 << 18
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


async def file_answer(request: Request, masker: Masker, artifact: Artifact) -> Response:
    """The bytes of a kept file, or those of them that were asked for."""
    content: bytes | None = None
    tag = f'"{artifact.id}"'
    if await to_be_masked(masker, artifact):
        content = await content_of(masker, artifact, LARGEST_MASKED)
        # Which secrets there are changes; what is told of the same file then does too.
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    size = len(content) if content is not None else artifact.size
    headers = {
        "etag": tag,
        "accept-ranges": "bytes",
        "content-type": artifact.mime_type,
        "content-disposition": _attachment(masker.text(artifact.name)),
        # Whatever a page made of it, here it is a file and not a page.
        "content-security-policy": "sandbox; default-src 'none'",
    }
    if is_known(request, tag):
        return Response(status_code=304, headers={"etag": tag})
    part = None
    if request.headers.get("if-range", tag) == tag:
        part = wanted_part(request.headers.get("range", ""), size)
    if part is not None and part.start >= size:
        error = RangeNotSatisfiable(f"the file has {size} bytes", size=size)
        return refusal(error, headers={"content-range": f"bytes */{size}"})
    sent = part if part is not None else range(size)
    headers["content-length"] = str(len(sent))
    if part is not None:
        headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    status = 200 if part is None else 206
    if content is not None or request.scope.get("stockade.head"):
        body = content[sent.start : sent.stop] if content is not None else b""
        return Response(body, status, headers)
    return StreamingResponse(_pieces(await _opened(artifact), sent), status, headers)


async def _opened(artifact: Artifact) -> anyio.AsyncFile[bytes]:
    try:
        file = await anyio.open_file(artifact.path, "rb")
    except FileNotFoundError:
        raise _removed() from None
    if os.fstat(file.wrapped.fileno()).st_size != artifact.size:
        # Another has taken its name since it was found.
        await file.aclose()
        raise _removed()
    return file


def _removed() -> ArtifactNotFound:
    return ArtifactNotFound("the file has just been removed")


async def _pieces(file: anyio.AsyncFile[bytes], wanted: range) -> AsyncIterator[bytes]:
    async with file:
        await file.seek(wanted.start)
        left = len(wanted)
        while left and (piece := await file.read(min(_PIECE, left))):
            left -= len(piece)
            yield piece


def wanted_part(header: str, size: int) -> range | None:
    """The one range that is asked for; anything else that a header may say is passed over.

    A range that begins at or beyond the end is empty, and begins there.
    """
    found = _RANGE.fullmatch(header.strip())
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        last = min(int(found[2]), size)
        return range(size - last, size)
    start = int(found[1])
    if found[2] and int(found[2]) < start:
        return None
    stop = min(int(found[2]) + 1, size) if found[2] else size
    return range(start, max(start, stop))


def _attachment(name: str) -> str:
    return f"attachment; filename*=utf-8''{quote(name, safe='')}"
