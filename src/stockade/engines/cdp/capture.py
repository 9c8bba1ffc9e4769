"""Pictures of a page: screenshots, print, and a live cast."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.events import ScreencastFrame
from stockade.engines.values import (
    LONGEST_SIDE,
    MOST_PIXELS,
    Box,
    PdfOptions,
    ScreenshotOptions,
    largest_scale,
)
from stockade.errors import DeadlineExceeded, EngineError, InvalidArgument, ProtocolFault

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Capture"]

_PATIENCE = 0.3
_CHUNK = 1 << 20


class _Picture(msgspec.Struct):
    data: bytes


class _Stream(msgspec.Struct):
    stream: str


class _Chunk(msgspec.Struct):
    data: str
    base64Encoded: bool = False
    eof: bool = False


class _Area(msgspec.Struct):
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    pageX: float = 0
    pageY: float = 0
    clientWidth: float = 0
    clientHeight: float = 0


class _Metrics(msgspec.Struct):
    cssVisualViewport: _Area
    cssContentSize: _Area


class _CastMetadata(msgspec.Struct):
    deviceWidth: float = 0
    deviceHeight: float = 0
    timestamp: float = 0


class _CastFrame(msgspec.Struct):
    data: bytes
    metadata: _CastMetadata
    sessionId: int


class Capture:
    """Takes pictures of one page."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self.last_frame: ScreencastFrame | None = None
        self._one_at_a_time = asyncio.Lock()

    def setup(self, session: Session) -> Sequence[Command]:
        """Nothing to send."""
        del session
        return ()

    def watch(self, session: Session) -> None:
        """Hear of screencast frames, which the tab's own session alone sends."""
        if session is self._page.session:
            session.on("Page.screencastFrame", self._cast, _CastFrame)

    # --- screenshots --------------------------------------------------------------------------

    async def screenshot(self, options: ScreenshotOptions, timeout: float) -> bytes:
        """A picture of the viewport, a part of the page, or all of it."""
        _check(options)
        ends = asyncio.get_running_loop().time() + timeout
        await self._page.ready(timeout=timeout)
        try:
            # Two at once would each undo what the other needs of background and size.
            async with asyncio.timeout_at(ends):
                await self._one_at_a_time.acquire()
        except TimeoutError:
            raise DeadlineExceeded("another screenshot took all the time") from None
        try:
            return await self._take(options, ends)
        finally:
            self._one_at_a_time.release()

    async def _take(self, options: ScreenshotOptions, ends: float) -> bytes:
        session, loop = self._page.session, asyncio.get_running_loop()
        encoding = "png" if options.lossless else options.format
        params: dict[str, Any] = {"format": encoding, "optimizeForSpeed": True}
        if encoding != "png":
            params["quality"] = options.quality
        if options.clip is not None or options.full_page or options.scale != 1:
            metrics = await self._metrics(ends - loop.time())
            clip = _clip(options, metrics)
            params["clip"] = {**clip._asdict(), "scale": self._scale(clip, options)}
            params["captureBeyondViewport"] = not _within(clip, metrics.cssVisualViewport)
        if options.transparent:
            session.post(_background({"r": 0, "g": 0, "b": 0, "a": 0}))
        try:
            picture = await self._shoot(params, ends - loop.time())
        finally:
            if options.transparent:
                session.post(_background(None))
        if not picture.data:
            raise EngineError("the browser gave an empty picture")
        return picture.data

    async def area(self, options: ScreenshotOptions, timeout: float) -> Box:
        """The part of the document that a picture shows."""
        _check(options)
        return _clip(options, await self._metrics(timeout))

    async def _metrics(self, timeout: float) -> _Metrics:
        return await self._page.session.send_typed(
            "Page.getLayoutMetrics", None, _Metrics, timeout=timeout
        )

    async def _shoot(self, params: Mapping[str, Any], timeout: float) -> _Picture:
        """Ask for a picture, and bring the tab to the front while it does not come.

        Full Chromium now and then forgets a picture of a tab that is behind another, until that
        tab is shown. Every tab believes to be in front anyway, so none can tell. A picture of a
        document that goes away meanwhile never comes: the next one is pictured.
        """
        ends = asyncio.get_running_loop().time() + timeout
        patience = _PATIENCE
        document, answer = self._submit(params, timeout)
        while not answer.done():
            await asyncio.wait((answer,), timeout=patience)
            if answer.done():
                break
            if self._page.main_frame.document != document:
                answer.cancel()
                document, answer = self._submit(params, ends - asyncio.get_running_loop().time())
            self._page.session.post(("Page.bringToFront", {}))
            patience *= 2
        return msgspec.json.decode(answer.result(), type=_Picture)

    def _submit(
        self, params: Mapping[str, Any], timeout: float
    ) -> tuple[str, asyncio.Future[msgspec.Raw]]:
        """Ask for a picture of the document that is there now."""
        if (obstacle := self._page.obstacle()) is not None:
            raise obstacle
        session = self._page.session
        [answer] = session.connection.submit(session, [("Page.captureScreenshot", params)], timeout)
        return self._page.main_frame.document, answer

    def _scale(self, clip: Box, options: ScreenshotOptions) -> float:
        """The scale of the picture, which is one that the encoder can make."""
        density = options.scale * self._page.emulation.viewport.scale
        width, height = math.ceil(clip.width * density), math.ceil(clip.height * density)
        fits = largest_scale(options.format, width, height)
        if fits == 1:
            return options.scale
        if options.fit:
            # A pixel less, for the browser rounds up.
            return options.scale * fits * (1 - 1 / max(width, height))
        side = LONGEST_SIDE[options.format]
        raise InvalidArgument(
            f"the picture would be {width}x{height} pixels; {options.format} can have"
            f" {side} on a side and {MOST_PIXELS} in all",
            hint="Picture a part of it, or make it smaller.",
            field="clip" if options.clip else "full_page",
            side_limit=side,
            pixel_limit=MOST_PIXELS,
        )

    # --- print --------------------------------------------------------------------------------

    async def pdf(self, options: PdfOptions, timeout: float) -> bytes:
        """The page as printed, read in pieces."""
        await self._page.ready(timeout=timeout)
        session = self._page.session
        ends = asyncio.get_running_loop().time() + timeout
        params = {
            "landscape": options.landscape,
            "printBackground": options.background,
            "scale": options.scale,
            "paperWidth": options.width,
            "paperHeight": options.height,
            **{f"margin{side}": options.margin for side in ("Top", "Bottom", "Left", "Right")},
            "pageRanges": options.pages,
            "transferMode": "ReturnAsStream",
        }
        try:
            answer = await session.send_typed("Page.printToPDF", params, _Stream, timeout=timeout)
        except ProtocolFault as error:
            if "Printing failed" in error.message:
                raise
            raise InvalidArgument(f"the page cannot be printed so: {error.message}") from error
        return await self._read(answer.stream, ends)

    async def _read(self, stream: str, ends: float) -> bytes:
        session = self._page.session
        loop = asyncio.get_running_loop()
        whole = bytearray()
        try:
            while True:
                chunk = await session.send_typed(
                    "IO.read",
                    {"handle": stream, "size": _CHUNK},
                    _Chunk,
                    timeout=ends - loop.time(),
                )
                whole += _decoded(chunk)
                if chunk.eof:
                    return bytes(whole)
        finally:
            session.post(("IO.close", {"handle": stream}))

    # --- screencast ---------------------------------------------------------------------------

    async def start_screencast(
        self,
        image_format: Literal["jpeg", "png"],
        quality: int,
        max_width: int,
        max_height: int,
        every_nth_frame: int,
        timeout: float,
    ) -> None:
        """Send frames whenever the page paints."""
        await self._page.ready(timeout=timeout)
        await self._page.session.send(
            "Page.startScreencast",
            {
                "format": image_format,
                "quality": quality,
                "maxWidth": max_width,
                "maxHeight": max_height,
                "everyNthFrame": every_nth_frame,
            },
            timeout=timeout,
        )

    async def stop_screencast(self, timeout: float) -> None:
        """End the cast."""
        await self._page.session.send("Page.stopScreencast", timeout=timeout)
        self.last_frame = None

    def _cast(self, event: _CastFrame) -> None:
        self._page.session.post(("Page.screencastFrameAck", {"sessionId": event.sessionId}))
        frame = ScreencastFrame(
            event.data,
            event.metadata.timestamp,
            event.metadata.deviceWidth,
            event.metadata.deviceHeight,
        )
        self.last_frame = frame
        self._page.events.emit(frame)


def _clip(options: ScreenshotOptions, metrics: _Metrics) -> Box:
    """The part of the page to picture, in whole pixels."""
    content, view = metrics.cssContentSize, metrics.cssVisualViewport
    if options.full_page:
        return Box(0, 0, math.ceil(content.width), math.ceil(content.height))
    if options.clip is None:
        return Box(view.pageX, view.pageY, view.clientWidth, view.clientHeight)
    left, top = max(math.floor(options.clip.x), 0), max(math.floor(options.clip.y), 0)
    right = math.ceil(options.clip.x + options.clip.width)
    bottom = math.ceil(options.clip.y + options.clip.height)
    # A page shorter than its viewport can still be pictured all over it.
    right = min(right, math.ceil(max(content.width, view.pageX + view.clientWidth)))
    bottom = min(bottom, math.ceil(max(content.height, view.pageY + view.clientHeight)))
    if right <= left or bottom <= top:
        raise InvalidArgument("the clip is outside of the page", field="clip")
    return Box(left, top, right - left, bottom - top)


def _within(clip: Box, view: _Area) -> bool:
    return (
        clip.x >= view.pageX
        and clip.y >= view.pageY
        and clip.x + clip.width <= view.pageX + view.clientWidth
        and clip.y + clip.height <= view.pageY + view.clientHeight
    )


def _background(color: dict[str, int] | None) -> Command:
    return (
        "Emulation.setDefaultBackgroundColorOverride",
        {} if color is None else {"color": color},
    )


def _decoded(chunk: _Chunk) -> bytes:
    if chunk.base64Encoded:
        return msgspec.json.decode(f'"{chunk.data}"', type=bytes)
    return chunk.data.encode()


def _check(options: ScreenshotOptions) -> None:
    if not 0 <= options.quality <= 100:  # noqa: PLR2004
        raise InvalidArgument("quality must be between 0 and 100", field="quality")
    if not 0 < options.scale <= 1:
        raise InvalidArgument("scale must be above 0 and at most 1", field="scale")
    if options.transparent and options.format == "jpeg":
        raise InvalidArgument("jpeg has no transparency", field="transparent")
    if options.clip is not None and options.full_page:
        raise InvalidArgument("give a clip or the full page, not both", field="full_page")
    if options.clip is not None and not (options.clip.width > 0 and options.clip.height > 0):
        raise InvalidArgument("the clip is empty", field="clip")
