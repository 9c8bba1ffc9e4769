"""Films that can be played, and show what happened when it did."""

from __future__ import annotations

import asyncio
import base64
from io import BytesIO
from typing import Any, cast

import av
import pytest

from stockade.engines.events import ScreencastFrame
from stockade.media import film as module
from tests.support.callers import Caller

COLOURS = {"red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255)}


def nearest(pixel: tuple[int, int, int]) -> str:
    def far(name: str) -> int:
        return sum((one - other) ** 2 for one, other in zip(COLOURS[name], pixel, strict=True))

    return min(COLOURS, key=far)


def shown(content: bytes) -> list[tuple[float, str]]:
    """Every picture of a film: when it is, and what colour its middle has."""
    with av.open(BytesIO(content), "r") as container:
        (stream,) = container.streams.video
        pictures = []
        for frame in container.decode(stream):
            image = cast("Any", frame).to_image()
            pixel = image.getpixel((image.width // 2, image.height // 2))
            pictures.append((float(frame.time or 0), nearest(pixel)))
        return pictures


def order(pictures: list[tuple[float, str]]) -> list[str]:
    """The colours without repetition."""
    names = [name for _, name in pictures]
    return [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]


def content(caller: Caller, name: str) -> bytes:
    session = caller.kernel.sessions.find(caller.principal, "default")
    return caller.kernel.artifacts.named(session, name).path.read_bytes()


async def painted(caller: Caller, act: Any) -> None:
    """Do something, and wait until the browser has sent a picture of it."""
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    waiting = tab.page.events.wait(ScreencastFrame, timeout=10)
    async with asyncio.TaskGroup() as group:
        group.create_task(waiting)
        await act


PAGE = "<body style='background:red'><button onclick=\"document.body.style.background='green'\">Go</button>"


async def test_a_film_shows_what_happened(mighty: Caller) -> None:
    await mighty.show(PAGE)
    begun = await mighty.ok("start_video", path="films/go.webm")
    assert (begun["path"], begun["width"], begun["height"]) == ("films/go.webm", 1280, 720)
    await painted(mighty, mighty.ok("click", selector="role=button"))
    mighty.site.page("/next", "<body style='background:blue'>")
    await painted(mighty, mighty.ok("navigate", url=mighty.site.url("/next", host="localhost")))
    refusal = await mighty.refused("start_video")
    assert refusal["code"] == "conflict"
    assert (await mighty.refused("get_video"))["code"] == "conflict"
    done = await mighty.ok("stop_video")
    pictures = shown(content(mighty, done["path"]))
    assert order(pictures)[-3:] == ["red", "green", "blue"]
    assert done["frames"] == len(pictures)
    times = [at for at, _ in pictures]
    assert times == sorted(set(times))
    # The last picture is held to the end.
    assert abs(times[-1] * 1000 - done["durationMs"]) < 100
    assert (await mighty.ok("get_video"))["uri"] == done["uri"]
    got = await mighty.ok("get_video", format="bytes")
    assert base64.b64decode(got["contentBase64"]) == content(mighty, done["path"])
    assert (await mighty.refused("stop_video"))["code"] == "not_found"


async def test_the_film_goes_with_the_tab_that_is_used(mighty: Caller) -> None:
    mighty.site.page(
        "/popup", "<body style='background:blue'><button onclick='close()'>Close</button>"
    )
    await mighty.show(
        "<body style='background:red'><button onclick=\"window.open('/popup')\">Open</button>"
    )
    await mighty.ok("start_video", size={"width": 300, "height": 200})
    done = await mighty.ok("click", selector="role=button")
    popup = done["structure"]["newTabs"][0]["tab"]
    await mighty.ok("tabs", action="select", tab=popup)
    await painted(mighty, mighty.ok("press", key="Tab"))
    await mighty.ok("tabs", action="close", tab=popup)
    stopped = await mighty.ok("stop_video")
    pictures = shown(content(mighty, stopped["path"]))
    assert order(pictures) == ["red", "blue", "red"]
    assert (stopped["width"], stopped["height"]) == (300, 200)


async def test_a_film_is_finished_when_its_session_is_closed(mighty: Caller) -> None:
    await mighty.show(PAGE)
    await mighty.ok("start_video", path="last.webm")
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    folder = mighty.kernel.artifacts.folder(session)
    await mighty.ok("close_session")
    assert order(shown((folder / "last.webm").read_bytes()))[-1] == "red"


async def test_without_the_library_the_extra_is_named(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    refusal = await mighty.refused("start_video")
    assert refusal["code"] == "unsupported"
    assert "stockade[video]" in refusal["hint"]


async def test_there_is_no_film_without_one(mighty: Caller, caller: Caller) -> None:
    assert (await mighty.refused("get_video"))["code"] == "not_found"
    assert (await caller.refused("start_video"))["code"] == "capability_disabled"
