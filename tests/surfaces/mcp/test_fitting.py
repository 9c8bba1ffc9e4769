"""Pictures over HTTP are no larger than a client takes."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from io import BytesIO
from random import Random

import pytest
from mcp.client import Client
from mcp.types import ImageContent, TextContent
from PIL import Image

from stockade.kernel.results import Reply, compact
from stockade.media.picture import Picture
from stockade.surfaces.mcp.fitting import LARGEST_EVENT, fitted
from tests.support.callers import Caller
from tests.support.mcp import STATELESS, on_the_web
from tests.support.pictures import picture_size

NOISE = """<body style="margin:0"><canvas width=1280 height=720></canvas><script>
const c = document.querySelector('canvas').getContext('2d'), d = c.createImageData(1280, 720);
for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
c.putImageData(d, 0, 0);</script>"""


def noise(width: int, height: int) -> Picture:
    file = BytesIO()
    Image.frombytes("RGB", (width, height), Random(1).randbytes(width * height * 3)).save(
        file, "PNG"
    )
    return Picture(file.getvalue(), "png")


def size(reply: Reply) -> int:
    return sum(len(each.data) for each in reply.images) * 4 // 3 + len(reply.text)


async def test_what_fits_is_left_as_it_is() -> None:
    reply = Reply("call", ok=True, text="{}", data={}, images=(noise(10, 10),))
    assert await fitted(reply) is reply
    plain = Reply("call", ok=True, text="x" * 900_000)
    assert await fitted(plain) is plain


async def test_what_does_not_fit_is_a_smaller_jpeg() -> None:
    small, large = noise(20, 20), noise(1280, 720)
    data = {"ok": True, "uri": "stockade://s/screenshots/1"}
    reply = await fitted(Reply("call", ok=True, text="", data=data, images=(small, large)))
    assert reply.images[0] is small
    assert reply.images[1].mime_type == "image/jpeg"
    assert picture_size(reply.images[1].data) == (1280, 720)
    assert size(reply) <= LARGEST_EVENT
    assert reply.data is not None
    assert "smaller jpeg" in reply.data["warnings"][0]
    assert "stockade://s/screenshots/1" in reply.data["warnings"][0]


async def test_fewer_pixels_where_nothing_else_helps() -> None:
    many = tuple(noise(1280, 720) for _ in range(10))
    reply = await fitted(Reply("call", ok=True, text="shots", images=many))
    assert size(reply) <= LARGEST_EVENT
    assert picture_size(reply.images[0].data).width < 1280


async def test_text_is_cut_and_keeps_the_marks_of_a_page() -> None:
    text = f"tab t1\n<page abc http://x>\n{'x' * 2_000_000}\n</page abc>"
    reply = await fitted(Reply("call", ok=True, text=text))
    assert len(reply.text.encode()) <= LARGEST_EVENT
    assert reply.text.startswith("[warning: cut, to fit into a message of 1 MiB")
    assert reply.text.endswith("x…\n</page abc>")


async def test_data_is_sent_once_before_it_is_cut() -> None:
    content = {"untrusted": "abc http://x", "content": "\x01" * 80_000, "end": "abc"}
    whole = Reply("call", ok=True, text=compact(content), data=content, structured=True)
    once = await fitted(whole)
    assert (once.text, once.structured) == (whole.text, False)
    content = {**content, "content": "\x01" * 200_000}
    cut = await fitted(Reply("call", ok=True, text=compact(content), data=content, structured=True))
    assert cut.data is not None
    assert (cut.data["truncated"], cut.data["end"]) == (True, "abc")
    assert "1 MiB" in cut.data["warnings"][0]
    assert len(json.dumps(cut.text)) <= LARGEST_EVENT


async def test_of_a_list_the_newest_stay() -> None:
    rows: list[dict[str, object]] = [{"line": number, "text": "y" * 900} for number in range(2000)]
    rows[0] = {"untrusted": "abc http://x", **rows[0]}
    rows[-1] = {**rows[-1], "end": "abc"}
    reply = await fitted(Reply("call", ok=True, text=compact(rows), data={"rows": rows}))
    assert reply.data is not None
    kept = reply.data["rows"]
    assert 500 < len(kept) < 1200
    assert (kept[0]["untrusted"], kept[-1]["line"], kept[-1]["end"]) == (
        "abc http://x",
        1999,
        "abc",
    )
    assert "1 MiB" in reply.aside


async def test_text_and_pictures_fit_together() -> None:
    reply = Reply("call", ok=True, text="x" * 2_000_000, images=(noise(1280, 720),))
    assert size(await fitted(reply)) <= 1_048_576


@pytest.mark.parametrize("era", ["legacy", STATELESS])
async def test_the_sdk_gets_a_long_text_over_http(caller: Caller, era: str) -> None:
    content = '"' * 120_000
    caller.site.page("/page", "<title>Home</title>")
    async with (
        asyncio.timeout(60),
        on_the_web(caller.kernel, {"me": caller.principal}) as served,
        Client(served.transport("me", "?toolsets=core,media"), mode=era) as client,
    ):
        await client.call_tool("navigate", {"url": caller.site.url("/page")})
        await client.call_tool("artifact_save", {"name": "long.txt", "content": content})
        told = await client.call_tool("artifact_get", {"name": "long.txt"})
        assert told.is_error is False
        (first, *_) = [each for each in told.content if isinstance(each, TextContent)]
        assert json.loads(first.text)["content"] == content
        assert (await client.call_tool("snapshot", {})).is_error is False


@pytest.mark.parametrize("era", ["legacy", STATELESS])
async def test_the_sdk_gets_a_large_picture_over_http(caller: Caller, era: str) -> None:
    caller.site.page("/page", NOISE)
    async with (
        asyncio.timeout(60),
        on_the_web(caller.kernel, {"me": caller.principal}) as served,
        Client(served.transport("me"), mode=era) as client,
    ):
        await client.call_tool("navigate", {"url": caller.site.url("/page")})
        shot = await client.call_tool("screenshot", {"format": "png"})
        (picture,) = [each for each in shot.content if isinstance(each, ImageContent)]
        words = " ".join(each.text for each in shot.content if isinstance(each, TextContent))
        if era == "legacy":
            assert picture.mime_type == "image/jpeg"
            assert "fit into a message of 1 MiB" in words
        else:
            assert len(b64decode(picture.data)) > 1_048_576
        # The connection has lived through it.
        assert (await client.call_tool("snapshot", {})).is_error is False
