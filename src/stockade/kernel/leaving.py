"""Files that are kept and that leave: what is text is masked like everything else.

Which it is, its bytes say; what it is called or says that it is does not matter. A download has
been looked through before (`kernel/downloads.py`), with the secrets of that time.
"""

from __future__ import annotations

import asyncio
from typing import Final

from stockade.errors import ArtifactNotFound, QuotaExceeded
from stockade.files.artifacts import Artifact
from stockade.masking.files import text_encoding
from stockade.masking.heaps import is_heap, masked_heap
from stockade.masking.masker import Masker

__all__ = ["LARGEST_MASKED", "content_of", "is_text", "to_be_masked", "without_secrets"]

LARGEST_MASKED: Final = 64_000_000
"""Bytes of a text that is looked through for secrets; what is larger does not leave."""
_SAMPLE = 8192
_FIRST_OF_SEVERAL = 0xC0


def is_text(artifact: Artifact) -> bool:
    """Whether a file says that it is text."""
    return artifact.mime_type.startswith("text/") or artifact.mime_type == "application/json"


async def to_be_masked(masker: Masker, artifact: Artifact) -> bool:
    """Whether a file may hold secrets in words: it says that it is text, or looks like it."""
    if masker.idle:
        return False
    return is_text(artifact) or await asyncio.to_thread(_looks_like_text, artifact)


def without_secrets(masker: Masker, content: bytes) -> bytes:
    """What is about to be kept or to leave, if it is text; what is none stays as it is."""
    encoding = None if masker.idle else text_encoding(content)
    if encoding is None:
        return content
    text = content.decode(encoding)
    masked = masker.exact(text)
    return content if masked == text else masked.encode(encoding)


def _looks_like_text(artifact: Artifact) -> bool:
    try:
        with artifact.path.open("rb") as file:
            return text_encoding(_whole(file.read(_SAMPLE))) is not None
    except FileNotFoundError:
        raise _removed() from None


def _whole(sample: bytes) -> bytes:
    """Without the beginning of a character whose end was not read."""
    if len(sample) < _SAMPLE:
        return sample
    for cut in range(1, 4):
        if sample[-cut] >= _FIRST_OF_SEVERAL:
            return sample[:-cut]
    return sample


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
    if artifact.kind == "file" and is_heap(content):
        return masked_heap(masker, content)
    return without_secrets(masker, content)


def _removed() -> ArtifactNotFound:
    return ArtifactNotFound("the file has just been removed")
