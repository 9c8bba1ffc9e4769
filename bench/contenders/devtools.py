"""chrome-devtools-mcp. A snapshot after an action comes when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.contenders.peer import Peer
from bench.contenders.result import Result

__all__ = ["DevTools"]

_PAGE = 1


class DevTools(Peer):
    """`chrome-devtools-mcp`, headless, with a throw-away profile and nothing reported home."""

    name = "devtools"
    package = "chrome-devtools-mcp"
    ref = r'uid=(\w+) {role} "{name}"'

    def command(self, home: Path) -> tuple[Sequence[str | Path], Mapping[str, str]]:
        del home
        return self.as_user(
            [
                self.packages.node,
                self.packages.command(self.package, self.package),
                "--headless",
                "--isolated",
                f"--executablePath={self.arena.browser}",
                "--viewport=1280x720",
                "--no-usage-statistics",
                "--no-performance-crux",
            ]
        ), {
            "CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS": "1",
            "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1",
        }

    async def open(self, url: str) -> Result:
        return await self.call("navigate_page", pageId=_PAGE, type="url", url=url)

    async def look(self) -> Result:
        return await self.call("take_snapshot", pageId=_PAGE)

    async def controls(self) -> Result:
        return await self.look()

    async def everything(self) -> Result:
        return await self.look()

    async def click_ref(self, ref: str) -> Result:
        return await self.call("click", pageId=_PAGE, uid=ref)

    async def click_and_look(self, name: str) -> Result:
        ref = self._ref("button", name)
        return await self.call("click", pageId=_PAGE, uid=ref, includeSnapshot=True)

    async def fill_ref(self, ref: str, text: str) -> Result:
        return await self.call("fill", pageId=_PAGE, uid=ref, value=text)

    async def screenshot(self) -> Result:
        return await self.call("take_screenshot", pageId=_PAGE, format="jpeg")
