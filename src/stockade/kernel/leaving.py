"""Files that are kept and that leave: what is text is masked like everything else.

A download is not: its bytes are what was asked for, and who may have them is a capability's matter.
Where it becomes part of a result or of a message it is text like any other.
"""

from __future__ import annotations

import asyncio
import codecs

from stockade.errors import ArtifactNotFound, QuotaExceeded
from stockade.files.artifacts import Artifact
from stockade.masking.masker import Masker

__all__ = ["content_of", "is_text", "to_be_masked", "without_secrets"]

_PICTURES = ("image/", "video/", "audio/", "font/", "application/pdf", "application/zip")
_TEXTUAL_PICTURE = "image/svg+xml"
_SAMPLE = 8192


def is_text(artifact: Artifact) -> bool:
    """Whether a file says that it is text."""
    return artifact.mime_type.startswith("text/") or artifact.mime_type == "application/json"


async def to_be_masked(masker: Masker, artifact: Artifact) -> bool:
    """Whether a file may hold secrets in words: it says that it is text, or looks like it."""
    kind = artifact.mime_type
    if masker.idle or (kind.startswith(_PICTURES) and kind != _TEXTUAL_PICTURE):
        return False
    return is_text(artifact) or await asyncio.to_thread(_looks_like_text, artifact)


def without_secrets(masker: Masker, content: bytes) -> bytes:
    """What is about to be kept, if it is text."""
    if masker.idle or not _is_words(content[:_SAMPLE]):
        return content
    try:
        return masker.text(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def _looks_like_text(artifact: Artifact) -> bool:
    try:
        with artifact.path.open("rb") as file:
            return _is_words(file.read(_SAMPLE))
    except FileNotFoundError:
        raise _removed() from None


def _is_words(sample: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return b"\0" not in sample


async def content_of(masker: Masker, artifact: Artifact, largest: int) -> bytes:
    """What a kept file holds, without secrets if it is text."""
    if artifact.size > largest:
        raise QuotaExceeded(
            f"the file has {artifact.size} bytes, more than the {largest} that are read at once",
            hint="Fetch it over HTTP.",
            size=artifact.size,
        )
    masked = await to_be_masked(masker, artifact)
    return await asyncio.to_thread(_read, masker if masked else None, artifact)


def _read(masker: Masker | None, artifact: Artifact) -> bytes:
    try:
        content = artifact.path.read_bytes()
    except FileNotFoundError:
        raise _removed() from None
    if masker is None:
        return content
    try:
        return masker.text(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def _removed() -> ArtifactNotFound:
    return ArtifactNotFound("the file has just been removed")
