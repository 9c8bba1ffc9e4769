"""A person with a browser of their own, which others may attach to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest

from stockade.engines.cdp.attached import AttachedChromium, attach
from stockade.engines.cdp.connection import Session
from stockade.engines.cdp.standing import Standing, start
from stockade.engines.values import LaunchOptions
from stockade.errors import TabClosed
from stockade.scratch import Scratch
from tests.support.browsers import FULL_CHROMIUM

_PATIENCE = 10.0


@dataclass(frozen=True)
class Person:
    """Somebody before a browser, who sees and does things in it without us."""

    browser: Standing
    eyes: AttachedChromium
    hands: Session

    @property
    def address(self) -> str:
        return self.browser.address

    async def open(self, url: str, *, context: str | None = None) -> str:
        """Open a tab, or one in a window apart; its name."""
        apart = {} if context is None else {"browserContextId": context}
        return str((await self._send("Target.createTarget", {"url": url, **apart}))["targetId"])

    async def open_apart(self, url: str) -> str:
        """Open a window that shares nothing with the others."""
        made = await self._send("Target.createBrowserContext", {"disposeOnDetach": False})
        return await self.open(url, context=made["browserContextId"])

    async def tabs(self) -> set[str]:
        """The names of all that is open."""
        found = await self._send("Target.getTargets", {})
        return {each["targetId"] for each in found["targetInfos"] if each["type"] == "page"}

    async def see(self, tab: str, expression: str) -> Any:
        """What a tab shows."""
        there = await self._at(tab)
        params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = await there.send("Runtime.evaluate", params, timeout=_PATIENCE)
        return answer["result"].get("value")

    async def click(self, tab: str, x: float, y: float) -> None:
        """Press the mouse there."""
        there = await self._at(tab)
        for kind in ("mousePressed", "mouseReleased"):
            params = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            await there.send("Input.dispatchMouseEvent", params, timeout=_PATIENCE)

    async def close(self, tab: str) -> None:
        with suppress(TabClosed):
            await self._send("Target.closeTarget", {"targetId": tab})

    async def _at(self, tab: str) -> Session:
        answer = await self._send("Target.attachToTarget", {"targetId": tab, "flatten": True})
        return self.eyes.connection.session(answer["sessionId"])

    async def _send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self.hands.send(method, params, timeout=_PATIENCE)


@asynccontextmanager
async def person_with_browser() -> AsyncIterator[Person]:
    """Start a browser for somebody; it ends with the block."""
    profile = Scratch(LaunchOptions.uid)
    try:
        browser = await start(FULL_CHROMIUM, profile.path, port=0, uid=LaunchOptions.uid)
        try:
            eyes = await attach(browser.address, timeout=_PATIENCE)
            root = eyes.connection.root
            answer = await root.send("Target.attachToBrowserTarget", timeout=_PATIENCE)
            yield Person(browser, eyes, eyes.connection.session(answer["sessionId"]))
            await eyes.close()
        finally:
            await asyncio.to_thread(browser.stop)
    finally:
        await asyncio.to_thread(profile.remove)


@pytest.fixture(scope="session")
async def _persons_browser() -> AsyncIterator[Person]:
    async with person_with_browser() as person:
        yield person


@pytest.fixture
async def person(_persons_browser: Person) -> AsyncIterator[Person]:
    """Somebody with a browser that has the one tab it began with."""
    before = await _persons_browser.tabs()
    yield _persons_browser
    for tab in await _persons_browser.tabs() - before:
        await _persons_browser.close(tab)
