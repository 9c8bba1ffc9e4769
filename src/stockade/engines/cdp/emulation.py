"""What a page is told about its device, in every process it runs in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.identity import identity
from stockade.engines.cdp.limits import check_emulation
from stockade.engines.events import PageClosed
from stockade.engines.values import ContextOptions, Emulation, NetworkConditions, Viewport
from stockade.errors import InvalidArgument, ProtocolFault, StockadeError

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["FOCUS_OFF", "FOCUS_ON", "Change", "Emulator", "worker_setup"]

_TOUCH_POINTS = 5
FOCUS_ON: Command = ("Emulation.setFocusEmulationEnabled", {"enabled": True})
FOCUS_OFF: Command = ("Emulation.setFocusEmulationEnabled", {"enabled": False})
_AUTOMATED: Command = ("Emulation.setAutomationOverride", {"enabled": True})
"""What `navigator.webdriver` says; browsers are started so that it says nothing by itself."""
_THAW: Command = ("Page.setWebLifecycleState", {"state": "active"})


@dataclass(frozen=True)
class Setting:
    """The commands that bring one side of an emulation about."""

    commands: tuple[Command, ...]
    field: str
    """The field of Emulation a refusal speaks of."""
    everywhere: bool = True
    """Whether each process of the page must be told, or the tab alone."""


_NEUTRAL = Emulation()
_ALWAYS = frozenset({"metrics", "identity", "line"})
_FOR_WORKERS = frozenset({"identity", "locale", "timezone", "network", "line"})
_IN_EFFECT = "already in effect"
"""Said when another session of the same process has set the same."""


def _settings(emulation: Emulation, browser: ChromiumBrowser) -> Mapping[str, Setting]:
    viewport = emulation.viewport
    return {
        "metrics": Setting((_metrics(viewport),), "viewport", everywhere=False),
        "touch": Setting((_touch(viewport),), "viewport"),
        "identity": Setting(
            (
                (
                    "Emulation.setUserAgentOverride",
                    identity(emulation, browser.user_agent, browser.product),
                ),
            ),
            "user_agent",
        ),
        "locale": Setting((_locale(emulation.locale),), "locale"),
        "timezone": Setting(_timezone(emulation.timezone), "timezone"),
        "geolocation": Setting((_geolocation(emulation),), "geolocation", everywhere=False),
        "media": Setting((_media(emulation),), "media"),
        "network": Setting((_network(emulation.network),), "network"),
        "line": Setting((_line(emulation.network),), "network"),
        "cpu": Setting(
            (("Emulation.setCPUThrottlingRate", {"rate": emulation.cpu_slowdown}),), "cpu_slowdown"
        ),
    }


def _always(options: ContextOptions) -> frozenset[str]:
    """What a target is told even if it is nothing unusual; a person's browser stays as it is."""
    return frozenset() if options.attended else _ALWAYS


def _metrics(viewport: Viewport) -> Command:
    return (
        "Emulation.setDeviceMetricsOverride",
        {
            "width": viewport.width,
            "height": viewport.height,
            "screenWidth": viewport.width,
            "screenHeight": viewport.height,
            "deviceScaleFactor": viewport.scale,
            "mobile": viewport.mobile,
            "screenOrientation": {"type": "portraitPrimary", "angle": 0}
            if viewport.height > viewport.width
            else {"type": "landscapePrimary", "angle": 90 if viewport.mobile else 0},
        },
    )


def _touch(viewport: Viewport) -> Command:
    points = {"maxTouchPoints": _TOUCH_POINTS} if viewport.touch else {}
    return ("Emulation.setTouchEmulationEnabled", {"enabled": viewport.touch, **points})


def _locale(locale: str | None) -> Command:
    return ("Emulation.setLocaleOverride", {"locale": locale or ""})


def _timezone(timezone: str | None) -> tuple[Command, ...]:
    clear: Command = ("Emulation.setTimezoneOverride", {"timezoneId": ""})
    if timezone is None:
        return (clear,)
    # A change from one zone to another is not checked; setting one anew is.
    return (clear, ("Emulation.setTimezoneOverride", {"timezoneId": timezone}))


def _geolocation(emulation: Emulation) -> Command:
    place = emulation.geolocation
    if place is None:
        return ("Emulation.clearGeolocationOverride", {})
    return (
        "Emulation.setGeolocationOverride",
        {"latitude": place.latitude, "longitude": place.longitude, "accuracy": place.accuracy},
    )


def _media(emulation: Emulation) -> Command:
    motion = {None: "", True: "reduce", False: "no-preference"}[emulation.reduced_motion]
    return (
        "Emulation.setEmulatedMedia",
        {
            "media": emulation.media or "",
            "features": [
                {"name": "prefers-color-scheme", "value": emulation.color_scheme or ""},
                {"name": "prefers-reduced-motion", "value": motion},
            ],
        },
    )


def _network(conditions: NetworkConditions) -> Command:
    return (
        "Network.emulateNetworkConditions",
        {
            "offline": conditions.offline,
            "latency": conditions.latency_ms,
            "downloadThroughput": conditions.download_bytes_per_second,
            "uploadThroughput": conditions.upload_bytes_per_second,
            "packetLoss": conditions.packet_loss_percent,
        },
    )


def _line(conditions: NetworkConditions) -> Command:
    """What pages are told of the line.

    Chromium takes itself to be offline where loopback is all there is, as in a jail, whatever comes
    through a proxy there. It heeds this only if it is not the same as no emulation at all.
    """
    return (
        "Network.overrideNetworkState",
        {
            "offline": conditions.offline,
            "latency": max(conditions.latency_ms, 1),
            "downloadThroughput": conditions.download_bytes_per_second,
            "uploadThroughput": conditions.upload_bytes_per_second,
        },
    )


def worker_setup(
    emulation: Emulation, context: ChromiumContext, *, whole: bool = False
) -> Sequence[Command]:
    """What to tell a worker before its first line runs; the whole, if it was told before."""
    browser = context.browser
    neutral = _settings(_NEUTRAL, browser)
    always = _always(context.options)
    return [
        command
        for name, setting in _settings(emulation, browser).items()
        if name in _FOR_WORKERS and (whole or name in always or setting != neutral[name])
        for command in setting.commands
    ]


@dataclass(frozen=True)
class Change:
    """A change of device that a page has taken on and is yet to be told of."""

    emulator: Emulator
    old: Emulation
    before: Mapping[str, Setting]
    changed: Mapping[str, Setting]

    async def finish(self, timeout: float) -> None:
        """Tell the page; a field the browser refuses keeps its value."""
        refused = await self.emulator.send(self.changed, timeout)
        if refused:
            kept = {field: getattr(self.old, field) for field in refused}
            self.emulator.current = replace(self.emulator.current, **kept)
            self.emulator.post(
                {name: self.before[name] for name in self.changed if self._field(name) in refused}
            )
        for field, reason in refused.items():
            raise InvalidArgument(f"{field} was refused: {reason}", field=field)

    def _field(self, name: str) -> str:
        return self.before[name].field

    def post(self) -> None:
        """Tell the page as soon as it listens, and do not wait."""
        self.emulator.post(self.changed)

    def undo(self) -> None:
        """Leave the page as it was."""
        self.emulator.current = self.old
        self.emulator.post({name: self.before[name] for name in self.changed})


class Emulator:
    """Keeps every session of a page at one emulation, and freezes the page."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self.current = page.context.emulation
        self.frozen = False
        self._owed: Mapping[str, Setting] = {}
        """What a crashed page was told in vain: its next renderer has to hear it again."""
        self._unsubscribe = page.context.events.on(PageClosed, self._closed)

    def watch(self, session: Session) -> None:
        """Hear of new documents, which may run in another process."""
        session.on("Page.frameNavigated", lambda _: self._new_document(session), dict)

    def _new_document(self, session: Session) -> None:
        self._claim_place(session)
        owed, self._owed = self._owed, {}
        if owed:
            self.post(owed)

    def _closed(self, event: PageClosed) -> None:
        if event.page is self._page:
            self._unsubscribe()
            return
        for session in self._page.sessions:
            self._claim_place(session)

    def _claim_place(self, session: Session) -> None:
        """Say locale and timezone once more.

        They belong to a process, which takes them from one session alone: the others are refused,
        and left without when that one closes or when they move to another process.
        """
        if self.current.locale is not None:
            session.post(_locale(self.current.locale))
        if self.current.timezone is not None:
            session.post(_timezone(self.current.timezone)[-1])

    def setup(self, session: Session) -> Sequence[Command]:
        """The whole emulation, for a target that knows nothing yet."""
        options = self._page.context.options
        neutral = _settings(_NEUTRAL, self._page.context.browser)
        always = _always(options)
        top = session is self._page.session
        commands = [FOCUS_ON] if top else []
        if not options.stealth and not options.attended:
            commands.append(_AUTOMATED)
        for name, setting in _settings(self.current, self._page.context.browser).items():
            if (top or setting.everywhere) and (name in always or setting != neutral[name]):
                commands.extend(setting.commands)
        return commands

    async def apply(self, emulation: Emulation, timeout: float) -> None:
        """Change what differs; a field the browser refuses keeps its value."""
        check_emulation(emulation)
        await self._page.ready(timeout=timeout)
        if (obstacle := self._page.obstacle()) is not None:
            raise obstacle
        await self.begin(emulation).finish(timeout)

    def begin(self, emulation: Emulation) -> Change:
        """Take on what differs: frames that begin from now on are told the new at once."""
        old, browser = self.current, self._page.context.browser
        before = _settings(old, browser)
        after = _settings(emulation, browser)
        changed = {name: each for name, each in after.items() if each != before[name]}
        self.current = emulation
        return Change(self, old, before, changed)

    async def send(self, settings: Mapping[str, Setting], timeout: float) -> dict[str, str]:
        """Tell every process of the page, and say which fields were refused and why."""
        waiting = [
            (session, setting, future)
            for session in self._page.sessions
            if session.failure is None
            for setting in settings.values()
            if setting.everywhere or session is self._page.session
            for future in session.connection.submit(session, setting.commands, timeout)
        ]
        self._post_workers(settings)
        refused: dict[str, str] = {}
        for session, setting, future in waiting:
            try:
                await future
            except ProtocolFault as error:
                if _IN_EFFECT not in error.message or self._locale_is_disputed():
                    refused.setdefault(setting.field, error.message)
            except StockadeError:
                # A frame may go away meanwhile; the tab may not.
                if session is self._page.session:
                    raise
        return refused

    def _locale_is_disputed(self) -> bool:
        """Whether another tab, which may share our process, has another locale."""
        return any(
            page.emulation.locale not in {None, self.current.locale}
            for page in self._page.context.pages
        )

    def post(self, settings: Mapping[str, Setting]) -> None:
        """Tell every process of the page, and do not wait."""
        if self._page.crashed:
            self._owed = {**self._owed, **settings}
        for session in self._page.sessions:
            for setting in settings.values():
                if setting.everywhere or session is self._page.session:
                    session.post(*setting.commands)
        self._post_workers(settings)

    def _post_workers(self, settings: Mapping[str, Setting]) -> None:
        for worker in self._page.workers:
            for name, setting in settings.items():
                if name in _FOR_WORKERS:
                    worker.post(*setting.commands)

    async def freeze(self, timeout: float) -> None:
        """Stop timers and painting; without losing emulated focus first, freezing does nothing."""
        await self._page.ready(timeout=timeout)
        if self.frozen:
            return
        self.frozen = True
        try:
            await self._page.session.send_all(
                [FOCUS_OFF, ("Page.setWebLifecycleState", {"state": "frozen"})], timeout=timeout
            )
        except StockadeError:
            self.frozen = False
            self._page.session.post(*self._thawing())
            raise

    async def thaw(self, timeout: float) -> None:
        """Let the page go on."""
        if not self.frozen:
            return
        self.frozen = False
        await self._page.session.send_all(self._thawing(), timeout=timeout)

    def _thawing(self) -> Sequence[Command]:
        # One that was in the background stays there.
        return [_THAW] if self._page.hidden else [_THAW, FOCUS_ON]
