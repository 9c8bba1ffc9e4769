"""File pickers of a session's pages: what they are given, and where it goes that they save."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from stockade.errors import QuotaExceeded, Unsupported
from stockade.sessions.options import AskingMode, Rule

__all__ = ["Pickers", "Saved"]

_MOST_STAGED = 20
_MOST_DRAFTS = 4
_WAIT = 20.0
"""Seconds that a picker which may have files waits for them."""


@dataclass(frozen=True)
class Saved:
    """A part of a file that a page has saved."""

    place: str
    name: str
    size: int
    at: int
    part: str
    """In base64."""


class Pickers:
    """The files that callers gave in advance, and those that pages are writing."""

    def __init__(self) -> None:
        self.rule = Rule()
        self.keep: Callable[[str, bytes, str | None], Awaitable[str]] = _nowhere
        """Keeps a file that a page saved, in place of another; the answer is what it is called."""
        self._kept: dict[tuple[str, str], str] = {}
        self._staged: dict[str, deque[list[str]]] = {}
        self._came = asyncio.Condition()
        self._drafts: OrderedDict[tuple[str, str], bytearray] = OrderedDict()

    def mode_of(self, api: str) -> AskingMode:
        """What becomes of a request; files given in advance are an answer, but to a no."""
        mode = self.rule.of(api)
        return "allow" if mode == "raise" and self._staged.get(api) else mode

    async def stage(self, api: str, paths: Sequence[str]) -> int:
        """Have the next request of that kind given these files; how many wait now."""
        waiting = self._staged.setdefault(api, deque())
        if len(waiting) >= _MOST_STAGED:
            raise QuotaExceeded(f"{_MOST_STAGED} answers wait for {api} already")
        async with self._came:
            waiting.append(list(paths))
            self._came.notify_all()
        return len(waiting)

    async def files(self, api: str) -> list[str] | None:
        """The files for a request that is allowed; none at all if nobody gives any in time."""
        if api in {"showSaveFilePicker", "showDirectoryPicker"}:
            waiting = self._staged.get(api)
            return waiting.popleft() if waiting else []
        try:
            async with asyncio.timeout(_WAIT), self._came:
                await self._came.wait_for(lambda: bool(self._staged.get(api)))
                return self._staged[api].popleft()
        except TimeoutError:
            return None

    def offered(self, api: str, suggested: str | None) -> str:
        """What the thing is called that a page gets."""
        plain = "".join(
            each for each in suggested or "" if each.isprintable() and each not in "/\\"
        )
        if plain.strip(". "):
            return plain[:200]
        return "Untitled" if api == "showSaveFilePicker" else "files"

    async def save(self, place: str, name: str, content: bytes) -> str:
        """Keep a file; what is saved again takes the place of what was saved before."""
        kept = await self.keep(name, content, self._kept.get((place, name)))
        self._kept[place, name] = kept
        return kept

    def take_in(self, saved: Saved) -> bytes | None:
        """Add a part; the whole file, once it is there."""
        key = saved.place, saved.name
        if saved.at == 0:
            self._drafts.pop(key, None)
            self._drafts[key] = bytearray()
            if len(self._drafts) > _MOST_DRAFTS:
                self._drafts.popitem(last=False)
        draft = self._drafts.get(key)
        if draft is None or len(draft) != saved.at:
            return None
        try:
            draft += base64.b64decode(saved.part, validate=True)
        except (binascii.Error, ValueError):
            return None
        if len(draft) < saved.size:
            return None
        del self._drafts[key]
        return bytes(draft) if len(draft) == saved.size else None


async def _nowhere(_name: str, _content: bytes, _former: str | None) -> str:
    raise Unsupported("there is no place for files here")
