"""What tests of the page agent's Python faces share."""

from __future__ import annotations

import pytest

from stockade.engines.port import Page
from stockade.page.agent import PageAgent


@pytest.fixture
def agent(page: Page) -> PageAgent:
    """The page agent of an empty tab."""
    return PageAgent(page)
