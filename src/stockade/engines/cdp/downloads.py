"""Downloads of all contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stockade.engines.cdp.connection import Session

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser
    from stockade.engines.cdp.context import ChromiumContext

__all__ = ["Downloads"]


class Downloads:
    """Follows the downloads of a browser."""

    def __init__(self, browser: ChromiumBrowser) -> None:
        self._browser = browser

    def watch(self, session: Session) -> None:
        """Hear of downloads."""

    async def configure(self, context: ChromiumContext, *, timeout: float) -> None:
        """Say where a context's downloads go, or that it has none."""
        params: dict[str, Any] = {"behavior": "deny", "browserContextId": context.id}
        if context.options.downloads is not None:
            params |= {
                "behavior": "allowAndName",
                "downloadPath": str(context.options.downloads),
                "eventsEnabled": True,
            }
        await self._browser.connection.root.send(
            "Browser.setDownloadBehavior", params, timeout=timeout
        )
