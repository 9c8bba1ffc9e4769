"""An errand: one contender, what it has told about the page, and what that has cost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable

from bench.contenders.contender import Contender, ContenderFailed
from bench.contenders.result import Result

__all__ = ["Errand"]

_THOUGHT_SECONDS = 0.3


class Errand:
    """Acts on what was told, and asks only when that is not enough."""

    def __init__(self, who: Contender) -> None:
        self._who = who
        self._told = ""
        self._calls = who.calls
        self.spent = Result(0.0, "", 0, 0)

    @property
    def calls(self) -> int:
        """How many calls it took so far."""
        return self._who.calls - self._calls

    async def open(self, url: str) -> None:
        """Begin at a page."""
        await self._hear(self._who.open(url))

    async def click(self, role: str, name: str) -> None:
        """Click something, and hear what comes of it."""
        ref = await self._ref(role, name)
        await self._hear(self._who.click_ref(ref))

    async def follow(self, role: str, name: str) -> None:
        """Click something that leads to another page; what was told of this one is past."""
        ref = await self._ref(role, name)
        self._told = ""
        await self._hear(self._who.click_ref(ref))

    async def fill(self, name: str, text: str) -> None:
        """Fill the field of that name."""
        ref = await self._ref("textbox", name)
        await self._hear(self._who.fill_ref(ref, text))

    async def read(self, wanted: str, words: str) -> None:
        """Learn something: it must come in what is told, or be asked for by those words."""
        pattern = re.compile(wanted, re.DOTALL)
        for ask in (None, self._who.look, lambda: self._who.search(words), self._who.everything):
            if ask is not None:
                await self._hear(ask())
            if pattern.search(self._told):
                return
        raise ContenderFailed(f"never told {wanted!r}")

    async def _ref(self, role: str, name: str) -> str:
        pattern = re.compile(self._who.ref.format(role=role, name=re.escape(name)))
        for ask in (None, self._who.look, lambda: self._who.locate(name), self._who.everything):
            if ask is not None:
                await self._hear(ask())
            found = pattern.findall(self._told)
            if found:
                return str(found[-1])
            if ask is not None and (ref := self._who.located(name)):
                return ref
        raise ContenderFailed(f'no {role} "{name}" in {self._told[-300:]!r}')

    async def _hear(self, call: Awaitable[Result]) -> None:
        # A model takes its time between calls, and pages go on meanwhile.
        await asyncio.sleep(_THOUGHT_SECONDS)
        result = await call
        self.spent = self.spent.then(result)
        # What comes in JSON has its quotes escaped.
        self._told += "\n" + result.text.replace('\\"', '"').replace("\\n", "\n")
