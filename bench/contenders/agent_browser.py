"""agent-browser in its MCP mode: a front end that talks to a daemon which drives the browser."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.contenders.contender import ContenderFailed
from bench.contenders.peer import Peer
from bench.contenders.result import Result

__all__ = ["AgentBrowser"]

_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}


class AgentBrowser(Peer):
    """`agent-browser mcp`, the native binary itself, with its default tools.

    A snapshot is of the interactive elements by default, and a click says nothing of its effect.
    In a container it gives its browser `--no-sandbox` of its own accord.
    """

    name = "agent-browser"
    package = "agent-browser"
    ref = r'{role} "{name}" \[[^\]\n]*ref=(\w+)'

    def command(self, home: Path) -> tuple[Sequence[str | Path], Mapping[str, str]]:
        machine = _MACHINES.get(platform.machine(), platform.machine())
        binary = self.packages.path(self.package, "bin", f"agent-browser-linux-{machine}")
        if not binary.is_file():
            raise ContenderFailed(f"it has no binary for {machine}")
        # npm ran no script of the package, so the binary is not marked as one yet.
        binary.chmod(0o755)
        return self.as_user([binary, "mcp"]), {
            "AGENT_BROWSER_EXECUTABLE_PATH": str(self.arena.browser),
            "AGENT_BROWSER_SOCKET_DIR": str(home),
            "AGENT_BROWSER_ARGS": "--disable-component-update",
        }

    async def open(self, url: str) -> Result:
        return await self.call("agent_browser_open", url=url)

    async def look(self) -> Result:
        return await self.call("agent_browser_snapshot")

    async def controls(self) -> Result:
        return await self.look()

    async def everything(self) -> Result:
        return await self.call("agent_browser_snapshot", interactive=False)

    async def click_ref(self, ref: str) -> Result:
        return await self.call("agent_browser_click", selector=f"@{ref}")

    async def click_and_look(self, name: str) -> Result:
        """The default snapshot leaves out text, which is what a click often changes."""
        clicked = await self.click(name)
        return clicked.then(await self.everything())

    async def fill_ref(self, ref: str, text: str) -> Result:
        return await self.call("agent_browser_fill", selector=f"@{ref}", text=text)

    async def screenshot(self) -> Result:
        return await self.call("agent_browser_screenshot", format="jpeg")

    async def farewell(self) -> None:
        """Its daemon outlives the client for an hour unless the browser is closed."""
        await self.call("agent_browser_close")
