"""Stockade over stdio, self-contained, as any client would start it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from bench.contenders.contender import Contender, ContenderFailed
from bench.contenders.result import Result

__all__ = ["Stockade"]

_MOST_TOKENS = 20_000
_MOST_CALLS = 20
_CONTINUATION = re.compile(r"continuation=(\S+)")


class Stockade(Contender):
    """`stockade mcp` in a workspace of its own."""

    name = "stockade"
    ref = r'{role} "{name}" \[((?:f\d+)?e\d+)\b'

    _found: Mapping[str, str] = {}

    @property
    def version(self) -> str:
        return f"stockade {version('stockade')}"

    def command(self, home: Path) -> tuple[Sequence[str | Path], Mapping[str, str]]:
        if not self.arena.stockade.is_file():
            raise ContenderFailed(f"there is no {self.arena.stockade}")
        return [self.arena.stockade, "mcp"], self.settings(home)

    def settings(self, home: Path) -> dict[str, str]:
        """The environment that names the browser, the workspace and the site."""
        return {
            "STOCKADE_WORKSPACE": str(home / "workspace"),
            "STOCKADE_CHROMIUM": str(self.arena.browser),
            "STOCKADE_EGRESS_ALLOW": self.arena.allowed,
        }

    async def open(self, url: str) -> Result:
        return await self.call("navigate", url=url)

    async def look(self) -> Result:
        return await self.call("snapshot")

    async def controls(self) -> Result:
        return await self._whole("interactive")

    async def everything(self) -> Result:
        return await self._whole("full")

    async def _whole(self, mode: str) -> Result:
        budget = {"mode": mode, "maxResultTokens": _MOST_TOKENS}
        result = last = await self.call("snapshot", **budget)
        for _ in range(_MOST_CALLS):
            further = _CONTINUATION.search(last.text.partition("\n")[0])
            if further is None:
                break
            last = await self.call("snapshot", **budget, continuation=further[1])
            result = result.then(last)
        return result

    async def locate(self, name: str) -> Result:
        result = await self.call("find", query=name, maxCandidates=3)
        found = json.loads(result.text)["candidates"]
        self._found = {each["name"]: each["ref"] for each in reversed(found)}
        return result

    def located(self, name: str) -> str | None:
        return self._found.get(name)

    async def search(self, words: str) -> Result:
        return await self.call("text_search", text=words, maxMatches=5)

    async def click_ref(self, ref: str) -> Result:
        return await self.call("click", ref=ref)

    async def click_and_look(self, name: str) -> Result:
        return await self.click(name)

    async def fill_ref(self, ref: str, text: str) -> Result:
        return await self.call("fill", ref=ref, value=text)

    async def screenshot(self) -> Result:
        return await self.call("screenshot", format="jpeg")
