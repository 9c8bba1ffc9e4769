"""Files are masked by what is in them, whatever they are called."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from io import BytesIO

import pytest

from stockade.errors import FileWithheld
from stockade.masking.files import Sealed, masked_file, text_encoding
from stockade.masking.masker import Masker

SECRET = "hunter2-of-files"
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\x9d\x1c\xff"


@pytest.fixture
def masker() -> Masker:
    masker = Masker()
    masker.add("PASSWORD", SECRET)
    return masker


def zipped(*contents: bytes) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(contents):
            archive.writestr(f"{number}.bin", content)
    return target.getvalue()


def pdf(content: bytes) -> bytes:
    packed = zlib.compress(content)
    return b"%PDF-1.7\n1 0 obj <</Filter/FlateDecode>>\nstream\n" + packed + b"\nendstream\n%\xff\0"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"]
)
def test_text_of_any_encoding_is_masked(masker: Masker, encoding: str) -> None:
    around = "prix élevé: " if encoding == "latin-1" else "price: "
    content = f"{around}{SECRET}\n".encode(encoding)
    masked = masked_file(masker, content)
    assert masked.decode(encoding) == f"{around}<PASSWORD>\n"
    clean = f"{around}nothing\n".encode(encoding)
    assert masked_file(masker, clean) is clean


def test_a_spelling_in_text_is_masked(masker: Masker) -> None:
    assert SECRET.encode().hex().encode() not in masked_file(masker, SECRET.encode().hex().encode())


@pytest.mark.parametrize(
    "content",
    [
        PICTURE + SECRET.encode() + b"\0\xff",
        PICTURE + SECRET.encode("utf-16-le") + b"\xff\xff",
        PICTURE + b"\0" * 999_990 + SECRET.encode() + b"\xff",
        zipped(b"nothing", SECRET.encode()),
        zipped(zipped(PICTURE + SECRET.encode())),
        gzip.compress(SECRET.encode()),
        bz2.compress(SECRET.encode()),
        lzma.compress(SECRET.encode()),
        pdf(b"BT (" + SECRET.encode() + b") Tj ET"),
    ],
    ids=["bytes", "wide", "late", "zip", "zip in zip", "gzip", "bzip2", "xz", "pdf"],
)
def test_what_is_no_text_is_withheld(masker: Masker, content: bytes) -> None:
    assert text_encoding(content) is None
    with pytest.raises(FileWithheld):
        masked_file(masker, content)


@pytest.mark.parametrize(
    "content",
    [PICTURE, zipped(b"nothing"), gzip.compress(b"nothing"), pdf(b"(nothing) Tj"), b""],
    ids=["picture", "zip", "gzip", "pdf", "empty"],
)
def test_what_holds_none_is_left_as_it_is(masker: Masker, content: bytes) -> None:
    assert masked_file(masker, content) is content


@pytest.mark.parametrize(
    "content",
    [
        zipped(zipped(zipped(zipped(zipped(b"deep"))))),
        gzip.compress(bytes(65_000_000)),
        gzip.compress(b"cut" * 100)[:-12],
        b"PK\x03\x04" + b"\0" * 40,
    ],
    ids=["deep", "bomb", "cut", "broken"],
)
def test_what_cannot_be_looked_through_says_so(masker: Masker, content: bytes) -> None:
    with pytest.raises(Sealed):
        masked_file(masker, content)


def test_an_encrypted_archive_cannot_be_looked_through(masker: Masker) -> None:
    archive = bytearray(zipped(b"nothing"))
    # The flag of the member in its own head, and in the directory at the end.
    archive[6] |= 1
    archive[archive.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(Sealed):
        masked_file(masker, bytes(archive))


def test_without_secrets_nothing_is_looked_at() -> None:
    content = gzip.compress(bytes(1000))[:-12]
    assert masked_file(Masker(), content) is content
