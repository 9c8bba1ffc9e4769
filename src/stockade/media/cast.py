"""The live pictures of a tab, shared by all who want them: a browser sends one stream per tab.

What the browser sends goes out as it is while there is no secret to keep. Otherwise it only tells
that the tab has painted, and the camera takes a picture then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from stockade.engines.events import PageClosed, ScreencastFrame
from stockade.engines.values import ScreenshotOptions
from stockade.errors import DeadlineExceeded, EngineError, MaskingFailed
from stockade.masking.masker import Masker
from stockade.media.camera import Camera
from stockade.media.picture import Picture
from stockade.sessions.tab import Tab

__all__ = ["Still", "Watch", "watch", "watching"]

QUALITY = 80
_PATIENCE = 10.0
_STOP_PATIENCE = 3.0
_PICTURE_PATIENCE = 2.0


@dataclass(frozen=True)
class Still:
    """What a tab showed at one moment, and how large its window was."""

    picture: Picture
    width: float
    height: float


@dataclass
class _Cast:
    """How many want the stream of a tab; a part of the tab."""

    users: int = 0
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


@asynccontextmanager
async def _casting(tab: Tab, size: tuple[int, int]) -> AsyncIterator[None]:
    """Have the tab send a frame whenever it paints, and keep it from being frozen."""
    cast = tab.parts.of(_Cast, _Cast)
    async with cast.changing:
        if not cast.users:
            await tab.page.start_screencast(
                quality=QUALITY, max_width=size[0], max_height=size[1], timeout=_PATIENCE
            )
        cast.users += 1
    try:
        with tab.watched():
            yield
    finally:
        async with cast.changing:
            cast.users -= 1
            if not cast.users and not tab.page.closed:
                await _stop(tab)


class Watch:
    """One who looks at a tab: told of every still, and able to ask for the last one."""

    def __init__(
        self,
        tab: Tab,
        masker: Masker,
        painted: Callable[[Still], None] = lambda _: None,
        size: tuple[int, int] = (1920, 1080),
    ) -> None:
        self.tab = tab
        self.size = size
        self.dropped = 0
        """Pictures that could not be given."""
        self._masker = masker
        self._painted = painted
        self._seen = b""
        self._last: Still | None = None
        self._is_veiled = False
        self._is_due = False
        self._is_ending = False
        self._woken = asyncio.Event()

    @property
    def last(self) -> Still | None:
        """What the tab last showed; where that may show a secret, another is taken now."""
        if self._masker.idle or self._is_veiled:
            return self._last
        self._ask()
        return None

    def heard(self, frame: ScreencastFrame) -> None:
        """The tab has painted."""
        if self._masker.idle:
            picture = Picture(frame.data, "jpeg")
            self._show(Still(picture, frame.width, frame.height), veiled=False)
        elif frame.data != self._seen:
            # To take a picture has the tab paint the same once more.
            self._ask()
        self._seen = frame.data

    def end(self) -> None:
        """Take what is due, and no more."""
        self._is_ending = True
        self._woken.set()

    async def work(self) -> None:
        """Take pictures when they are due."""
        while self._is_due or not self._is_ending:
            await self._woken.wait()
            self._woken.clear()
            if not self._is_due:
                continue
            self._is_due = False
            try:
                self._show(await self._taken(), veiled=True)
            except (EngineError, DeadlineExceeded, MaskingFailed):
                self.dropped += 1

    def _ask(self) -> None:
        self._is_due = True
        self._woken.set()

    def _show(self, still: Still, *, veiled: bool) -> None:
        self._last, self._is_veiled = still, veiled
        self._painted(still)

    async def _taken(self) -> Still:
        window = self.tab.page.emulation.viewport
        ratio = min(1.0, self.size[0] / window.width, self.size[1] / window.height)
        options = ScreenshotOptions(quality=QUALITY, scale=ratio / window.scale)
        picture = await Camera(self.tab, self._masker).take(options, timeout=_PICTURE_PATIENCE)
        return Still(picture, window.width, window.height)


@asynccontextmanager
async def watching(looker: Watch) -> AsyncIterator[None]:
    """Have somebody told what a tab shows."""
    tab = looker.tab
    async with AsyncExitStack() as stack:
        stack.callback(tab.page.events.on(ScreencastFrame, looker.heard))
        await stack.enter_async_context(_casting(tab, looker.size))
        group = await stack.enter_async_context(asyncio.TaskGroup())
        group.create_task(looker.work())
        stack.callback(looker.end)
        yield


async def _stop(tab: Tab) -> None:
    try:
        await tab.page.stop_screencast(timeout=_STOP_PATIENCE)
    except (EngineError, DeadlineExceeded):
        # It is gone, crashed or held by a dialog: nobody is left to send anything.
        return


async def watch(looker: Watch, until: asyncio.Event) -> bool:
    """The same until the tab is gone or `until` is set; whether it could be watched."""
    gone = asyncio.Event()
    async with AsyncExitStack() as stack:
        stack.callback(looker.tab.page.events.on(PageClosed, lambda _: gone.set()))
        try:
            await stack.enter_async_context(watching(looker))
        except (EngineError, DeadlineExceeded):
            return False
        async with asyncio.TaskGroup() as group:
            waits = [group.create_task(each.wait()) for each in (gone, until)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for each in waits:
                each.cancel()
    return True
