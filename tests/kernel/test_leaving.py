"""Files that leave have no secrets in them, as far as they are words."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.errors import ArtifactNotFound, QuotaExceeded
from stockade.files.artifacts import Artifact
from stockade.kernel.leaving import content_of, is_text, to_be_masked
from stockade.masking.masker import Masker

SECRET = "hunter2-of-files"


@pytest.fixture
def masker() -> Masker:
    masker = Masker()
    masker.add("PASSWORD", SECRET)
    return masker


def kept(place: Path, mime_type: str, content: bytes) -> Artifact:
    path = place / "kept"
    path.write_bytes(content)
    return Artifact("id", "file", "name", mime_type, len(content), path, "ses_1", 0.0)


@pytest.mark.parametrize(
    ("mime_type", "content", "masked"),
    [
        ("text/plain", f"it is {SECRET}".encode(), True),
        ("application/json", f'{{"a":"{SECRET}"}}'.encode(), True),
        ("application/octet-stream", f"<html>{SECRET}".encode(), True),
        ("application/octet-stream", "ü".encode() * 8191 + SECRET.encode(), True),
        ("application/octet-stream", b"\xff" + SECRET.encode(), True),
        ("image/png", SECRET.encode(), True),
        ("application/pdf", SECRET.encode(), True),
        ("text/plain", b"\xff" + SECRET.encode(), True),
        ("application/octet-stream", b"\0\x01\xff" + SECRET.encode(), False),
    ],
)
async def test_words_are_masked(
    tmp_path: Path, masker: Masker, mime_type: str, content: bytes, masked: bool
) -> None:
    found = await content_of(masker, kept(tmp_path, mime_type, content), 100_000)
    if masked:
        assert found == content.replace(SECRET.encode(), b"<PASSWORD>")
    else:
        assert found == content


async def test_without_secrets_nothing_is_looked_for(tmp_path: Path) -> None:
    artifact = kept(tmp_path, "text/plain", b"x")
    assert Masker().idle
    assert is_text(artifact)
    assert not await to_be_masked(Masker(), artifact)


async def test_what_is_too_large_or_gone_is_refused(tmp_path: Path, masker: Masker) -> None:
    artifact = kept(tmp_path, "application/octet-stream", b"12345")
    with pytest.raises(QuotaExceeded):
        await content_of(masker, artifact, 4)
    artifact.path.unlink()
    for each in (masker, Masker()):
        with pytest.raises(ArtifactNotFound):
            await content_of(each, artifact, 100)
