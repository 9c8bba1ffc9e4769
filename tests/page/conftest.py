"""What tests of the page agent's Python faces share."""

from __future__ import annotations

import pytest

from stockade.engines.port import Page
from stockade.page.agent import PageAgent
from tests.page.looks import SHOP, Looks
from tests.support.tabs import Tab


@pytest.fixture
def agent(page: Page) -> PageAgent:
    """The page agent of an empty tab."""
    return PageAgent(page)


@pytest.fixture
def looks(tab: Tab) -> Looks:
    """A caller that looks at one tab."""
    return Looks(tab)


@pytest.fixture
async def shop(looks: Looks) -> Looks:
    """A caller that has looked at a page where much can change."""
    await looks.see(SHOP)
    return looks
