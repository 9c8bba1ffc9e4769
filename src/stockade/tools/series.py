"""Pictures over time: at intervals, or whenever something happens."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, Self

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    Event,
    FrameNavigated,
    LifecycleReached,
    PageClosed,
    PageError,
    RequestAnswered,
    RequestFinished,
)
from stockade.engines.values import ScreenshotOptions
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    MaskingFailed,
    QuotaExceeded,
    Refused,
    TabClosed,
)
from stockade.files.artifacts import Artifact
from stockade.kernel.arguments import InTab
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, shown_path
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.masking.masker import Masker
from stockade.media.camera import Camera
from stockade.media.cast import Still, Watch, watching
from stockade.media.picture import Picture
from stockade.media.pixels import encoded, opened
from stockade.policy.capabilities import Capability
from stockade.sessions.tab import Tab
from stockade.tools.exports import folder_for, shown_folder

__all__ = ["screenshot_on", "screenshot_schedule"]

MOST_PICTURES = 50
_MOST_SCHEDULED = 300
_LONGEST = 600_000
_PATIENCE = 10.0
_LOAD_PATIENCE = 3.0
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_QUALITY = 80

_Format = Literal["png", "jpeg"]
_Folder = Annotated[str | None, Field(min_length=1, max_length=1000)]
Trigger = Literal["navigation", "console-error", "network-mutation", "dialog"]


class Schedule(InTab):
    """How often, and how many or how long."""

    every_ms: int = Field(ge=100, le=60_000)
    count: Annotated[int | None, Field(ge=1, le=_MOST_SCHEDULED)] = None
    duration_ms: Annotated[int | None, Field(ge=1, le=_LONGEST)] = None
    into_dir: _Folder = None
    format: _Format = "png"

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.count is None and self.duration_ms is None:
            raise ValueError("give count or durationMs")
        if self.seconds > _LONGEST / 1000:
            raise ValueError(f"it would take more than {_LONGEST} ms")
        return self

    @property
    def pictures(self) -> int:
        """How many there will be."""
        wanted = self.count or _MOST_SCHEDULED
        if self.duration_ms is not None:
            wanted = min(wanted, self.duration_ms // self.every_ms + 1)
        return wanted

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return (self.pictures - 1) * self.every_ms / 1000

    @property
    def lasts(self) -> float:
        """As long as was asked for."""
        return self.seconds


class OnEvent(InTab):
    """What to wait for, and how long."""

    trigger: Trigger
    duration_ms: int = Field(ge=1, le=_LONGEST)
    count: Annotated[int, Field(ge=1, le=MOST_PICTURES, description="ends after so many")] = (
        MOST_PICTURES
    )
    into_dir: _Folder = None
    format: _Format = "png"

    @property
    def lasts(self) -> float:
        """As long as was asked for."""
        return self.duration_ms / 1000


class Series(TypedDict):
    """The pictures that were taken."""

    ok: bool
    intoDir: str
    trigger: NotRequired[str]
    count: int
    capturedAt: list[str]
    paths: list[str]
    warnings: list[str]
    tokensEstimate: int


@dataclass
class _Album:
    """Pictures in a folder, as they are taken."""

    call: Call
    folder: str
    format: _Format
    kept: list[Artifact] = field(default_factory=list)
    taken_at: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    async def picture(self, tab: Tab) -> None:
        """Picture the tab now; what is in the way is told."""
        when = instant()
        try:
            tab.ensure_open()
            # Nobody holds the tab, so that it may have gone where it must not be looked at.
            self.call.policy.check_shown(tab.url)
            options = ScreenshotOptions(format=self.format, quality=_QUALITY)
            patience = min(_PATIENCE, self.call.left)
            taken = await Camera(tab, self.call.masker).take(options, timeout=patience)
        except (EngineError, Refused, DeadlineExceeded, MaskingFailed) as error:
            if isinstance(error, TabClosed):
                raise
            self.warn(f"no picture at {when}: {error.message}")
            return
        await self.keep(taken, when)

    async def keep(self, picture: Picture, when: str) -> None:
        """Save a picture that was taken at a moment."""
        name = f"{self.folder}/{len(self.kept) + 1:03d}.{self.format}"
        self.kept.append(await save(self.call, picture, path=name, default=name))
        self.taken_at.append(when)

    def warn(self, words: str) -> None:
        """Say something once."""
        if words not in self.warnings and len(self.warnings) < MOST_PICTURES:
            self.warnings.append(words)

    def result(self, **more: Any) -> Result:
        """What there is."""
        shown = shown_folder(self.call, self.kept[0], self.folder) if self.kept else self.folder
        data: dict[str, Any] = {
            "ok": True,
            "intoDir": shown,
            **more,
            "count": len(self.kept),
            "capturedAt": self.taken_at,
            "paths": [shown_path(self.call, each) for each in self.kept],
            "warnings": self.warnings,
        }
        data["tokensEstimate"] = estimate(compact(data))
        return Result(data=data, tokens=data["tokensEstimate"] + 100)


@tool(Capability.FILE_IO, gives=Series, toolset="media", reach="session", structured=True)
async def screenshot_schedule(call: Call, args: Schedule) -> Result:
    """Picture the tab at intervals, into files; other calls can work in it meanwhile."""
    tab = await call.session.tab(args.tab)
    album = _Album(call, folder_for(call, args.into_dir, "series"), args.format)
    loop = asyncio.get_running_loop()
    start = loop.time()
    with tab.watched():
        try:
            for number in range(args.pictures):
                await asyncio.sleep(start + number * args.every_ms / 1000 - loop.time())
                await album.picture(tab)
                await call.report(number + 1, args.pictures, "pictures")
        except (TabClosed, QuotaExceeded) as error:
            album.warn(f"it ended early: {error.message}")
    return album.result()


def _failed_change(event: RequestFinished) -> bool:
    return event.request.method in _CHANGING and bool(event.request.failure)


class _Watch:
    """Hears what the pictures are to be taken of; what comes together is one picture."""

    def __init__(self, tab: Tab, trigger: Trigger, masker: Masker) -> None:
        self.looker = Watch(tab, masker)
        self.waiting: deque[Event] = deque(maxlen=MOST_PICTURES)
        self.merged = 0
        self.gone = False
        self._moved = asyncio.Event()
        events = tab.page.events
        wanted: dict[Trigger, list[tuple[type[Event], Callable[[Any], bool]]]] = {
            "navigation": [(FrameNavigated, lambda event: event.frame.parent is None)],
            "console-error": [
                (ConsoleMessage, lambda event: event.level == "error"),
                (PageError, lambda _: True),
            ],
            # The head of the answer is enough: a body that nobody reads never ends.
            "network-mutation": [
                (RequestAnswered, lambda event: event.request.method in _CHANGING),
                (RequestFinished, _failed_change),
            ],
            "dialog": [(DialogOpened, lambda _: True)],
        }
        self.offs = [events.on(kind, self._heard(fits)) for kind, fits in wanted[trigger]]
        self.offs.append(events.on(PageClosed, self._closed))

    def _heard(self, fits: Callable[[Any], bool]) -> Callable[[Any], None]:
        def heard(event: Any) -> None:
            if not fits(event):
                return
            if isinstance(event, DialogOpened):
                # What the page showed when it stopped.
                self.waiting.append(_Stopped(self.looker.last, instant()))
            elif self.waiting:
                self.merged += 1
            else:
                self.waiting.append(event)
            self._moved.set()

        return heard

    def _closed(self, _: PageClosed) -> None:
        self.gone = True
        self._moved.set()

    async def next(self) -> Event | None:
        """The next to be pictured, or none when the tab is gone."""
        while not self.waiting and not self.gone:
            self._moved.clear()
            await self._moved.wait()
        return self.waiting.popleft() if self.waiting else None


@dataclass(frozen=True)
class _Stopped(Event):
    """A dialog opened over what was last painted."""

    still: Still | None
    at: str


async def _loaded(event: FrameNavigated) -> None:
    """Wait until there is something to be seen of a new document."""
    frame = event.frame
    if event.same_document or frame.reached("load"):
        return
    try:
        await frame.page.events.wait(
            LifecycleReached,
            where=lambda each: each.frame is frame and each.name == "load",
            timeout=_LOAD_PATIENCE,
        )
    except DeadlineExceeded:
        # It is pictured as far as it got.
        return


def _converted(picture: Picture, format: _Format) -> Picture:
    if picture.format == format:
        return picture
    return Picture(encoded(opened(picture.data), format), format)


async def _picture(album: _Album, tab: Tab, event: Event) -> None:
    if isinstance(event, _Stopped):
        try:
            album.call.policy.check_shown(tab.url)
        except Refused as error:
            album.warn(error.message)
            return
        if event.still is None:
            album.warn(f"no picture at {event.at}: nothing had been painted")
            return
        picture = await asyncio.to_thread(_converted, event.still.picture, album.format)
        await album.keep(picture, event.at)
        return
    if isinstance(event, FrameNavigated):
        await _loaded(event)
    await album.picture(tab)


@tool(Capability.FILE_IO, gives=Series, toolset="media", reach="session", structured=True)
async def screenshot_on(call: Call, args: OnEvent) -> Result:
    """Picture the tab, into files, whenever it navigates, errs, changes data or opens a dialog."""
    tab = await call.session.tab(args.tab)
    album = _Album(call, folder_for(call, args.into_dir, "events"), args.format)
    async with AsyncExitStack() as stack:
        watch = _Watch(tab, args.trigger, call.masker)
        for off in watch.offs:
            stack.callback(off)
        stack.enter_context(tab.watched())
        if args.trigger == "dialog":
            await stack.enter_async_context(watching(watch.looker))
        ends = asyncio.get_running_loop().time() + args.duration_ms / 1000
        try:
            while len(album.kept) < args.count:
                async with asyncio.timeout_at(ends):
                    event = await watch.next()
                if event is None:
                    album.warn("it ended early: the tab is closed")
                    break
                await _picture(album, tab, event)
                await call.report(len(album.kept), args.count, "pictures")
        except TimeoutError:
            # The time that was asked for is over.
            pass
        except (TabClosed, QuotaExceeded) as error:
            album.warn(f"it ended early: {error.message}")
    if watch.merged:
        album.warn(f"{watch.merged} more came while a picture was being taken")
    return album.result(trigger=args.trigger)
