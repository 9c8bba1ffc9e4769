"""The clipboard: a browser has one, and each state in it a content of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Literal

from stockade.engines.values import ContextOptions
from stockade.errors import EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.browser import ChromiumBrowser
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.port import Page

__all__ = ["BrowserClipboard", "Clipboard", "Editing"]

Editing = Literal["copy", "cut", "paste"]

_LISTEN = """() => {
  document.body.textContent = 'x';
  getSelection().selectAllChildren(document.body);
  const held = globalThis.held = { out: {}, in: {} };
  document.addEventListener('copy', (event) => {
    event.preventDefault();
    for (const [type, data] of Object.entries(held.out)) event.clipboardData.setData(type, data);
  });
  document.addEventListener('paste', (event) => {
    event.preventDefault();
    const { clipboardData: given } = event;
    held.in = Object.fromEntries([...given.types].map((type) => [type, given.getData(type)]));
  });
}"""


class BrowserClipboard:
    """What all states of a browser share, reached through an empty tab of our own."""

    def __init__(self, browser: ChromiumBrowser) -> None:
        self._browser = browser
        self._tab: Page | None = None
        self.turn = asyncio.Lock()
        """Held by whoever has something in it."""

    async def read(self, timeout: float) -> dict[str, str]:
        """What is in it, by type."""
        tab = await self._ready(timeout)
        await tab.main_frame.call("() => { held.in = {}; }", timeout=timeout)
        await tab.keyboard.press("Control+v", timeout=timeout)
        content: dict[str, str] = await tab.main_frame.call("() => held.in", timeout=timeout)
        return {kind: text for kind, text in content.items() if text}

    async def write(self, content: Mapping[str, str], timeout: float) -> None:
        """Put something into it, or nothing."""
        tab = await self._ready(timeout)
        given = dict(content) or {"text/plain": ""}
        await tab.main_frame.call("given => { held.out = given; }", given, timeout=timeout)
        await tab.keyboard.press("Control+c", timeout=timeout)

    async def _ready(self, timeout: float) -> Page:
        if self._tab is None or self._tab.closed or self._tab.crashed:
            context = await self._browser.new_context(ContextOptions(), timeout=timeout)
            self._tab = await context.new_page(timeout=timeout)
            await self._tab.main_frame.call(_LISTEN, timeout=timeout)
        return self._tab


class Clipboard:
    """What one state has copied.

    Where other states live in the same browser, its clipboard holds this content only while keys
    of this state are being pressed, so that none ever pastes what another copied.
    """

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._content: dict[str, str] = {}

    @property
    def _common(self) -> BrowserClipboard:
        return self._context.browser.clipboard

    async def during(
        self, editing: Editing, press: Callable[[], Awaitable[None]], timeout: float
    ) -> None:
        """Press keys that copy, cut or paste."""
        if not self._context.options.common_browser:
            await press()
            return
        async with self._common.turn:
            await self._common.write(self._content if editing == "paste" else {}, timeout)
            try:
                await press()
            finally:
                if editing != "paste":
                    self._content = await self._common.read(timeout) or self._content
                await self._common.write({}, timeout)

    async def text(self, timeout: float) -> str:
        """The text that pasting would give."""
        if self._context.options.common_browser:
            return self._content.get("text/plain", "")
        async with self._common.turn:
            try:
                content = await self._common.read(timeout)
            except EngineError:
                return ""
        return content.get("text/plain", "")
