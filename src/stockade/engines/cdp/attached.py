"""A browser that somebody else started and uses: we join it, and leave it as it was."""

from __future__ import annotations

import asyncio

from stockade.engines.cdp.browser import ChromiumBrowser
from stockade.engines.cdp.connection import Connection, Session
from stockade.engines.cdp.context import ChromiumContext
from stockade.engines.cdp.limits import check_emulation
from stockade.engines.cdp.own_context import AttendedContext
from stockade.engines.cdp.socket import open_socket
from stockade.engines.cdp.targets import AUTO_ATTACH, TargetInfo
from stockade.engines.port import DEADLINE
from stockade.engines.values import ContextOptions
from stockade.errors import BrowserGone, DeadlineExceeded, EngineError, LaunchFailed
from stockade.urls import Address, parse

__all__ = ["AttachedChromium", "attach", "debugger_path"]

_NOT_OURS = ("devtools://", "chrome-extension://")
"""What belongs to the browser or to what the person has put into it, and never to a session."""
_TABS_PATIENCE = 3.0
"""How long its tabs may take to answer; one that sleeps never does."""
_NO_ANSWER = "Start it with a debugging port on loopback: stockade chrome start"


class _Theirs:
    """A process that we neither started nor end."""

    pid = 0

    def __init__(self) -> None:
        self.gone: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def alive(self) -> bool:
        return not self.gone.done()

    async def wait(self) -> int:
        return await asyncio.shield(self.gone)

    async def end(self, grace: float) -> int:
        del grace
        return 0

    async def destroy(self) -> None:
        """Its profile is not ours either."""


class AttachedChromium(ChromiumBrowser):
    """One Chromium on the other end of a WebSocket, with a person before it."""

    def __init__(self, connection: Connection) -> None:
        self._theirs = _Theirs()
        super().__init__(connection, self._theirs, self._theirs)

    async def begin(self, *, timeout: float) -> None:
        """Meet the browser: learn its version, and disturb nothing yet."""
        root = self.connection.root
        self.watch_targets(root)
        self.downloads.watch(root)
        self._version = await root.send("Browser.getVersion", timeout=timeout)

    async def own_context(
        self, options: ContextOptions, *, timeout: float = DEADLINE
    ) -> ChromiumContext:
        """The person's own profile, with the tabs that are open in it."""
        check_emulation(options.emulation)
        root = self.connection.root
        context = AttendedContext(self, await self._profile_id(timeout), options)
        self.contexts[context.id] = context
        await self.downloads.configure(context, timeout=timeout)
        await root.send("Target.setAutoAttach", AUTO_ATTACH, timeout=timeout)
        patience = min(timeout, _TABS_PATIENCE)
        await asyncio.gather(
            *(page.ready(timeout=patience) for page in context.pages), return_exceptions=True
        )
        return context

    async def _profile_id(self, timeout: float) -> str:
        root = self.connection.root
        known = await root.send("Target.getBrowserContexts", timeout=timeout)
        if "defaultBrowserContextId" in known:
            return str(known["defaultBrowserContextId"])
        # Older browsers tell only those that were made for somebody.
        targets = await root.send("Target.getTargets", timeout=timeout)
        for target in targets["targetInfos"]:
            if target.get("browserContextId") not in {None, *known["browserContextIds"]}:
                return str(target["browserContextId"])
        raise LaunchFailed("the browser has no tab to begin with", hint="Open one in it.")

    def _context_of(self, info: TargetInfo) -> ChromiumContext | None:
        return None if info.url.startswith(_NOT_OURS) else super()._context_of(info)

    def _leave_alone(self, parent: Session, session: Session, info: TargetInfo) -> None:
        """Whatever it is, it is the person's."""
        del info
        parent.post(("Target.detachFromTarget", {"sessionId": session.id}))

    def _lost(self) -> None:
        super()._lost()
        if not self._theirs.gone.done():
            self._theirs.gone.set_result(0)

    async def close(self, *, grace: float = 3.0) -> None:
        """Let go of the browser, which takes back what we changed and goes on."""
        del grace
        self.connection.lost(BrowserGone("the browser was let go of"))
        self.connection.close()


async def attach(address: str, *, timeout: float) -> AttachedChromium:
    """Join the browser whose debugging address that is."""
    try:
        async with asyncio.timeout(timeout):
            return await _attach(address, timeout)
    except (OSError, TimeoutError, DeadlineExceeded, EngineError) as error:
        if isinstance(error, LaunchFailed):
            raise
        raise LaunchFailed(
            "no browser answers at the address of attach_cdp", hint=_NO_ANSWER
        ) from None


async def _attach(address: str, timeout: float) -> AttachedChromium:
    place = parse(address)
    path = _path(place) if place.scheme == "ws" else await debugger_path(address, timeout)
    connection = Connection()
    socket = await open_socket(
        place.host, place.port or 80, path, connection.received, connection.lost
    )
    connection.opened(socket.write, socket.close)
    browser = AttachedChromium(connection)
    try:
        await browser.begin(timeout=timeout)
    except BaseException:
        await browser.close()
        raise
    return browser


def _path(place: Address) -> str:
    return place.href.removeprefix(place.origin)


async def debugger_path(address: str, timeout: float) -> str:
    """Ask the browser where it is talked to: only the path of what it says is used."""
    # Nobody else needs it, and it takes long to import.
    import httpx  # noqa: PLC0415

    try:
        async with httpx.AsyncClient(trust_env=False, timeout=timeout) as client:
            answer = await client.get(f"{address.rstrip('/')}/json/version")
            return _path(parse(answer.json()["webSocketDebuggerUrl"]))
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        raise LaunchFailed(
            "no browser answers at the address of attach_cdp", hint=_NO_ANSWER
        ) from None
