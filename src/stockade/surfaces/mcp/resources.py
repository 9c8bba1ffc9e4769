"""Pictures and downloads as MCP resources."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Final

from mcp import types

from stockade.errors import InvalidArgument
from stockade.files.artifacts import Artifact
from stockade.kernel.dispatch import Kernel
from stockade.kernel.leaving import content_of, is_text
from stockade.masking.background import run_if_large
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal

__all__ = ["LARGEST", "TEMPLATES", "listed", "read"]

LARGEST: Final = 10_000_000
"""Bytes of a resource; what is larger has no place in a message."""
_PAGE: Final = 100

TEMPLATES: Final = [
    types.ResourceTemplate(
        uri_template="stockade://{session_id}/screenshots/{id}", name="A picture of a page"
    ),
    types.ResourceTemplate(
        uri_template="stockade://{session_id}/downloads/{id}", name="A file from a page"
    ),
]


def listed(
    kernel: Kernel, principal: Principal, cursor: str | None
) -> tuple[list[types.Resource], str | None]:
    """The kept files of the sessions that the caller sees, oldest first, and what comes next."""
    kept = [
        artifact
        for session in kernel.sessions.visible_to(principal)
        for artifact in kernel.artifacts.of(session)
    ]
    after = _place(cursor) if cursor is not None else (0.0, "")
    left = sorted((each for each in kept if _key(each) > after), key=_key)
    page = left[:_PAGE]
    following = None
    if len(left) > len(page):
        following = "{!r}-{}".format(*_key(page[-1]))
    return [_described(kernel.masker_of(principal), each) for each in page], following


def _key(artifact: Artifact) -> tuple[float, str]:
    return artifact.made_at, artifact.id


def _place(cursor: str) -> tuple[float, str]:
    made_at, _, named = cursor.partition("-")
    try:
        return float(made_at), named
    except ValueError:
        raise InvalidArgument(
            "there is no such page of the list", hint="Begin again without a cursor."
        ) from None


def _described(masker: Masker, artifact: Artifact) -> types.Resource:
    return types.Resource(
        uri=artifact.uri,
        # A download is named by the page it came from.
        name=masker.text(artifact.name)[:200] or artifact.id,
        mime_type=artifact.mime_type,
        size=artifact.size,
    )


async def read(
    kernel: Kernel, principal: Principal, uri: str, largest: int = LARGEST
) -> types.TextResourceContents | types.BlobResourceContents:
    """What a kept file holds."""
    artifact = kernel.artifacts.find(kernel.sessions, principal, uri)
    masker = kernel.masker_of(principal)
    content = await content_of(masker, artifact, largest)
    written = _as_text(artifact, content)
    # Whoever asked reads it: a file is exact where it is fetched over HTTP.
    text = (
        await run_if_large(len(written), lambda: masker.text(written))
        if written is not None
        else None
    )
    # What is mostly escapes is smaller in base64.
    if text is None or len(json.dumps(text, ensure_ascii=False).encode()) > largest * 4 // 3:
        blob = b64encode(content).decode()
        return types.BlobResourceContents(uri=artifact.uri, mime_type=artifact.mime_type, blob=blob)
    return types.TextResourceContents(uri=artifact.uri, mime_type=artifact.mime_type, text=text)


def _as_text(artifact: Artifact, content: bytes) -> str | None:
    if not is_text(artifact):
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
