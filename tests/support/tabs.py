"""A tab with its agent and actions, for tests of everything above the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from stockade.engines.port import Browser, Frame, Page
from stockade.engines.values import ContextOptions, World
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent, init_script
from tests.support.site import Site

CALLER = "test"


@dataclass(frozen=True)
class Tab:
    """One tab, and short ways to what tests ask of it."""

    page: Page
    agent: PageAgent
    actions: Actions
    site: Site

    async def show(self, html: str, *, path: str = "/page") -> None:
        """Serve `html` and go there."""
        self.site.page(path, html)
        await self.page.navigate(self.site.url(path), until="load")

    async def ref(self, selector: str, *, frame: Frame | None = None, caller: str = CALLER) -> str:
        """The ref of the one element that `selector` names, as shown to `caller`."""
        found = await self.agent.call(
            frame or self.page.main_frame, "select", selector=selector, caller=caller
        )
        assert found["count"] == 1, f"{selector} means {found['count']} elements"
        return str(found["candidates"][0]["ref"])

    async def main(self, function: str, *arguments: Any, frame: Frame | None = None) -> Any:
        """Run code in the page's own world."""
        return await (frame or self.page.main_frame).call(function, *arguments, world=World.MAIN)

    async def frame(self, part: str) -> Frame:
        """The frame whose address contains `part`, once its document is parsed."""
        for frame in self.page.frames:
            if part in frame.url:
                await frame.call("() => document.readyState")
                return frame
        raise LookupError(part)


async def _tab(browser: Browser, site: Site) -> AsyncIterator[Tab]:
    context = await browser.new_context(ContextOptions(init_scripts=(init_script(),)))
    page = await context.new_page()
    agent = PageAgent(page)
    yield Tab(page, agent, Actions(agent), site)
    if browser.alive:
        await context.close()


@pytest.fixture
async def tab(browser: Browser, site: Site) -> AsyncIterator[Tab]:
    """A tab of the headless shell."""
    async for tab in _tab(browser, site):
        yield tab


@pytest.fixture
async def either_tab(either_browser: Browser, site: Site) -> AsyncIterator[Tab]:
    """A tab of each binary in turn."""
    async for tab in _tab(either_browser, site):
        yield tab
