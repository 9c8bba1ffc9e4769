"""Files that tools make: kept with the session, under a name of the caller's choice or ours."""

from __future__ import annotations

import asyncio
import os
from typing import Any, BinaryIO

from stockade.errors import ArtifactNotFound, InvalidArgument
from stockade.files.artifacts import Artifact
from stockade.kernel.call import Call
from stockade.kernel.leaving import without_secrets
from stockade.masking.masker import Masker
from stockade.media.picture import Picture
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session

__all__ = ["future_path", "read_saved", "save", "saved", "shown_path"]

_LARGEST = 64_000_000


async def save(
    call: Call,
    content: bytes | BinaryIO | Picture,
    *,
    path: str | None = None,
    default: str,
    mime_type: str = "",
    masked: bool = False,
) -> Artifact:
    """Keep what a tool made; only a path of the caller's own choice needs file-io.

    `default` is the name when there is none, made unique in the session. What is `masked` has no
    secrets in it already.
    """
    if path is not None:
        call.policy.require(Capability.FILE_IO, f"{call.tool.name} with a path")
    if isinstance(content, Picture):
        mime_type, content = content.mime_type, content.data
    if not masked:
        content = await asyncio.to_thread(_kept, call.masker, content)
    name = path or call.kernel.artifacts.unused_name(call.session, default)
    return await asyncio.to_thread(
        call.kernel.artifacts.save, call.session, name, content, mime_type
    )


def _kept(masker: Masker, content: bytes | BinaryIO) -> bytes | BinaryIO:
    """What is written down; a text without secrets, unless it is too large to leave again."""
    if masker.idle:
        return content
    if isinstance(content, bytes):
        return without_secrets(masker, content)
    size = content.seek(0, os.SEEK_END)
    content.seek(0)
    if size > _LARGEST:
        return content
    return without_secrets(masker, content.read())


def shown_path(call: Call, artifact: Artifact) -> str:
    """The path that a caller is told: real where it can open it, else the name in the session."""
    return str(artifact.path) if call.principal.nearby else artifact.name


def future_path(call: Call, session: Session, name: str) -> str:
    """The same for a file that will be saved later."""
    folder = call.kernel.artifacts.folder(session)
    return str(folder / name) if call.principal.nearby else name


def saved(call: Call, artifact: Artifact) -> dict[str, Any]:
    """What every result says of a file that it made."""
    return {"path": shown_path(call, artifact), "uri": artifact.uri, "bytes": artifact.size}


async def read_saved(call: Call, name: str, *, earlier: bool = False) -> bytes:
    """The content of a file of the session, by its name, path or address.

    With `earlier`, one that a former session of the same key saved will do as well.
    """
    artifacts = call.kernel.artifacts
    try:
        path = artifacts.readable(call.principal, call.session, name).path
    except (ArtifactNotFound, InvalidArgument):
        if not earlier:
            raise
        path = await asyncio.to_thread(artifacts.recalled, call.session.owner, name)
    try:
        return await asyncio.to_thread(path.read_bytes)
    except FileNotFoundError:
        raise ArtifactNotFound("the file has just been removed") from None
