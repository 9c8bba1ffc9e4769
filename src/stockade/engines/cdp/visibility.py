"""Whether a tab is to be seen: in the foreground, where every tab is by default, or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stockade.engines.cdp.emulation import FOCUS_OFF, FOCUS_ON
from stockade.errors import StockadeError

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Visibility"]

_SEEN = "() => document.visibilityState === 'visible'"
_UNTIL = """seen => (document.visibilityState === 'visible') === seen || new Promise(
  done => document.addEventListener('visibilitychange', () => done(true), { once: true }))"""
_PATIENCE = 2.0


class Visibility:
    """Puts a tab in the background, so that the page is told and no longer paints."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self.hidden = False

    async def hide(self, timeout: float) -> None:
        """Put the tab in the background."""
        page = self._page
        await page.ready(timeout=timeout)
        self.hidden = True
        try:
            await page.session.send_all([FOCUS_OFF], timeout=timeout)
            if await self._seen(timeout) and not await self._cover(timeout):
                # Alone in its window, it is hidden with the window.
                await self._set_window("minimized", timeout)
            await self._until(seen=False, timeout=timeout)
        except StockadeError:
            self.hidden = False
            page.session.post(FOCUS_ON)
            raise

    async def show(self, timeout: float) -> None:
        """Bring it to the foreground again."""
        if not self.hidden:
            return
        self.hidden = False
        await self._page.ready(timeout=timeout)
        await self._set_window("normal", timeout)
        await self._page.session.send_all([FOCUS_ON], timeout=timeout)
        await self._until(seen=True, timeout=timeout)

    async def _cover(self, timeout: float) -> bool:
        """Bring another tab of the same window to the front, if there is one."""
        own = await self._window(self._page, timeout)
        for other in self._page.context.pages:
            if other is self._page or other.closed:
                continue
            if await self._window(other, timeout) == own:
                await other.activate(timeout=timeout)
                return True
        return False

    async def _window(self, page: ChromiumPage, timeout: float) -> int:
        answer = await page.context.browser.connection.root.send(
            "Browser.getWindowForTarget", {"targetId": page.id}, timeout=timeout
        )
        return int(answer["windowId"])

    async def _set_window(self, state: str, timeout: float) -> None:
        await self._page.context.browser.connection.root.send(
            "Browser.setWindowBounds",
            {
                "windowId": await self._window(self._page, timeout),
                "bounds": {"windowState": state},
            },
            timeout=timeout,
        )

    async def _seen(self, timeout: float) -> bool:
        return bool(await self._page.main_frame.call(_SEEN, timeout=timeout))

    async def _until(self, *, seen: bool, timeout: float) -> None:
        """The page hears of it a moment after the window does."""
        await self._page.main_frame.call(_UNTIL, seen, timeout=min(timeout, _PATIENCE))
