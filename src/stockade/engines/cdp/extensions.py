"""The extensions of a browser, which live in the state that it has by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stockade.engines.port import DEADLINE, Page
from stockade.engines.values import ExtensionInfo
from stockade.errors import InvalidArgument, ProtocolFault

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser

__all__ = ["ChromiumExtensions"]

_PAGES: dict[str, Any] = {
    "autoAttach": True,
    "waitForDebuggerOnStart": False,
    "flatten": True,
    "filter": [{"type": "page"}],
}


class ChromiumExtensions:
    """Loads unpacked extensions, and uses what they put beside the address bar."""

    def __init__(self, browser: ChromiumBrowser) -> None:
        self._browser = browser

    async def load(self, path: str, *, timeout: float = DEADLINE) -> str:
        """Load the extension in that directory, anew if it is loaded already; its id."""
        try:
            answer = await self._send("Extensions.loadUnpacked", {"path": path}, timeout)
        except ProtocolFault as error:
            raise InvalidArgument(
                "the browser does not take that extension",
                hint="Is its manifest complete, and of version 3?",
                reason=error.message.replace(path, "…"),
            ) from None
        return str(answer["id"])

    async def all(self, *, timeout: float = DEADLINE) -> list[ExtensionInfo]:
        """Those that are loaded."""
        answer = await self._send("Extensions.getExtensions", {}, timeout)
        return [
            ExtensionInfo(each["id"], each["name"], each["version"], each["enabled"])
            for each in answer["extensions"]
        ]

    async def remove(self, id: str, *, timeout: float = DEADLINE) -> None:
        """Take one away."""
        await self._send("Extensions.uninstall", {"id": id}, timeout)

    async def press(self, id: str, page: Page, *, timeout: float = DEADLINE) -> None:
        """Press the button of an extension while `page` is shown."""
        # The browser means the tab in front, whichever it is told.
        await page.activate(timeout=timeout)
        tab = await self._tab_of(page, timeout)
        await self._send("Extensions.triggerAction", {"id": id, "targetId": tab}, timeout)

    async def _tab_of(self, page: Page, timeout: float) -> str:
        """The tab around a page: a target of its own, which tells what it holds only when asked."""
        found = await self._send("Target.getTargets", {"filter": [{"type": "tab"}]}, timeout)
        for info in found["targetInfos"]:
            tab = str(info["targetId"])
            if page.id in await self._held_by(tab, timeout):
                return tab
        raise InvalidArgument("the tab has no place for buttons of extensions")

    async def _held_by(self, tab: str, timeout: float) -> list[str]:
        connection = self._browser.connection
        answer = await self._send(
            "Target.attachToTarget", {"targetId": tab, "flatten": True}, timeout
        )
        session = connection.session(answer["sessionId"])
        held: list[str] = []
        session.on(
            "Target.attachedToTarget",
            lambda event: held.append(event["targetInfo"]["targetId"]),
            dict[str, Any],
        )
        await session.send("Target.setAutoAttach", _PAGES, timeout=timeout)
        await self._send("Target.detachFromTarget", {"sessionId": session.id}, timeout)
        return held

    async def _send(self, method: str, params: dict[str, Any], timeout: float) -> dict[str, Any]:
        return await self._browser.connection.root.send(method, params, timeout=timeout)
