"""What tests of the page agent's Python faces share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent, init_script
from tests.page.lending import Lender
from tests.page.looks import SHOP, Looks
from tests.support.site import Site
from tests.support.tabs import Tab


@pytest.fixture(scope="session")
async def _lent_tab(_shell: Browser) -> AsyncIterator[Lender]:
    lender = Lender(_shell, ContextOptions(init_scripts=(init_script(),)))
    yield lender
    await lender.close()


@pytest.fixture(scope="session")
async def _lent_page(_shell: Browser) -> AsyncIterator[Lender]:
    lender = Lender(_shell, ContextOptions())
    yield lender
    await lender.close()


@pytest.fixture
async def tab(_lent_tab: Lender, site: Site) -> AsyncIterator[Tab]:
    """A tab of the headless shell, which other tests may have had before."""
    agent = PageAgent(await _lent_tab.lend())
    yield Tab(agent.page, agent, Actions(agent), site)
    await _lent_tab.take_back()


@pytest.fixture
async def page(_lent_page: Lender) -> AsyncIterator[Page]:
    """The same, without the agent's script."""
    yield await _lent_page.lend()
    await _lent_page.take_back()


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
