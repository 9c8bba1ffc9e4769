from __future__ import annotations

from base64 import b64decode

import pytest
from mcp.types import ImageContent, ResourceLink, TextContent

from stockade.kernel.results import Link, Reply
from stockade.media.picture import Picture
from stockade.surfaces.mcp.content import result_of
from tests.support.mcp import HANDSHAKE, STATELESS

LINK = Link("stockade://s/downloads/1", "a.csv", "text/csv", 12)


def test_text_and_what_stands_beside_it() -> None:
    result = result_of(Reply("call", ok=True, text="[]", aside="untrusted"), HANDSHAKE)
    assert result.content == [TextContent(text="[]"), TextContent(text="untrusted")]
    assert result.is_error is False
    assert result.structured_content is None


def test_data_is_given_as_data_too_where_programs_read_it() -> None:
    reply = Reply("call", ok=True, text='{"a":1}', data={"a": 1}, structured=True)
    assert result_of(reply, HANDSHAKE).structured_content == {"a": 1}


def test_what_is_not_ok_is_an_error_with_its_body_as_text() -> None:
    result = result_of(Reply("call", ok=False, text='{"ok":false}', data={"ok": False}), STATELESS)
    assert result.is_error is True
    assert result.content == [TextContent(text='{"ok":false}')]


def test_a_verdict_is_no_error() -> None:
    reply = Reply("call_1", ok=False, text='{"ok":false}', data={"ok": False}, verdict=True)
    assert result_of(reply, STATELESS).is_error is False


def test_pictures() -> None:
    reply = Reply("call", ok=True, text="", images=(Picture(b"\x89PNG\x00", "png"),))
    [picture] = result_of(reply, HANDSHAKE).content
    assert isinstance(picture, ImageContent)
    assert b64decode(picture.data) == b"\x89PNG\x00"
    assert picture.mime_type == "image/png"


@pytest.mark.parametrize("version", ["2025-06-18", HANDSHAKE, STATELESS])
def test_links(version: str) -> None:
    [link] = result_of(Reply("call", ok=True, text="", links=(LINK,)), version).content
    assert isinstance(link, ResourceLink)
    assert (link.uri, link.name, link.mime_type, link.size) == (
        *("stockade://s/downloads/1", "a.csv", "text/csv"),
        12,
    )


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26"])
def test_clients_from_before_there_were_links_are_told_in_words(version: str) -> None:
    [told] = result_of(Reply("call", ok=True, text="", links=(LINK,)), version).content
    assert told == TextContent(text="a.csv (text/csv): stockade://s/downloads/1")


def test_half_a_character_becomes_a_question_mark() -> None:
    reply = Reply("call", ok=True, text='"\ud800é"', data={"x": "\ud800é"}, structured=True)
    result = result_of(reply, HANDSHAKE)
    assert result.content == [TextContent(text='"?é"')]
    assert result.structured_content == {"x": "?é"}
