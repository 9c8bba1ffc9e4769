"""The fixtures of a tab, lent."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent, init_script
from tests.page.lending import Lender
from tests.support.site import Site
from tests.support.tabs import Tab


@pytest.fixture(scope="session")
async def lent_tab(_shell: Browser) -> AsyncIterator[Lender]:
    lender = Lender(_shell, ContextOptions(init_scripts=(init_script(),)))
    yield lender
    await lender.close()


@pytest.fixture(scope="session")
async def lent_bare(_shell: Browser) -> AsyncIterator[Lender]:
    lender = Lender(_shell, ContextOptions())
    yield lender
    await lender.close()


@pytest.fixture
async def tab(lent_tab: Lender, site: Site) -> AsyncIterator[Tab]:
    """A tab of the headless shell, which others may have had before."""
    agent = PageAgent(await lent_tab.lend())
    yield Tab(agent.page, agent, Actions(agent), site)
    await lent_tab.take_back()


@pytest.fixture
async def page(lent_bare: Lender) -> AsyncIterator[Page]:
    """The same, without the agent's script."""
    yield await lent_bare.lend()
    await lent_bare.take_back()
