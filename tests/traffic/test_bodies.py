"""Bodies as results and files show them."""

from __future__ import annotations

import base64

import pytest

from stockade.masking.masker import Masker
from stockade.traffic.bodies import is_text, masked, shown


@pytest.mark.parametrize(
    ("content", "mime_type", "text"),
    [
        (b"", "", True),
        (b"plain", "", True),
        ("grün".encode(), "text/plain", True),
        ("grün".encode("latin-1"), "text/plain", False),
        (b'{"a": "\\u0000"}', "application/json", True),
        (b"\x00\x01", "application/octet-stream", False),
        (b"\x00\x01", "text/plain", True),
        (b"<a/>", "image/svg+xml; charset=utf-8", True),
        (b"\x89PNG\r\n\x1a\n", "image/png", False),
    ],
)
def test_text_is_told_from_bytes(content: bytes, mime_type: str, text: bool) -> None:
    assert is_text(content, mime_type) is text


def test_bytes_are_shown_as_base64() -> None:
    assert shown("tä".encode(), "text/plain") == ("tä", False)
    assert shown(b"\xff\x00") == (base64.b64encode(b"\xff\x00").decode(), True)


async def test_secrets_go_and_other_bytes_stay() -> None:
    masker = Masker()
    masker.add("KEY", "grüner-schlüssel")
    before = b"\xff\x80" + "grüner-schlüssel".encode() + b"\x00\xfe"
    assert await masked(masker, before) == b"\xff\x80<KEY>\x00\xfe"
    assert await masked(masker, bytes(range(256))) == bytes(range(256))
