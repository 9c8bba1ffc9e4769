"""Playwright MCP. It puts the snapshot after an action into a file; one asked for is inline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.contenders.peer import Peer
from bench.contenders.result import Result

__all__ = ["Playwright"]


class Playwright(Peer):
    """`@playwright/mcp`, headless, with a profile in memory."""

    name = "playwright"
    package = "@playwright/mcp"
    ref = r'{role} "{name}"[^\n]*\[ref=(\w+)\]'

    def command(self, home: Path) -> tuple[Sequence[str | Path], Mapping[str, str]]:
        return self.as_user(
            [
                self.packages.node,
                self.packages.command(self.package, "playwright-mcp"),
                "--headless",
                "--isolated",
                "--sandbox",
                f"--executable-path={self.arena.browser}",
                "--viewport-size=1280x720",
                f"--output-dir={home / 'output'}",
            ]
        ), {}

    async def open(self, url: str) -> Result:
        return await self.call("browser_navigate", url=url)

    async def look(self) -> Result:
        return await self.call("browser_snapshot")

    async def controls(self) -> Result:
        return await self.look()

    async def everything(self) -> Result:
        return await self.look()

    async def click_ref(self, ref: str) -> Result:
        return await self.call("browser_click", element="the button", target=ref)

    async def fill_ref(self, ref: str, text: str) -> Result:
        return await self.call("browser_type", element="the field", target=ref, text=text)

    async def screenshot(self) -> Result:
        return await self.call("browser_take_screenshot", type="jpeg")
