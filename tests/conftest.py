"""What every test can use; the parts are in `tests.support`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest

from tests.support import endpoints
from tests.support.site import LOOPBACK, Site

# The sites of tests are on loopback, where no page gets unless it is allowed.
os.environ["STOCKADE_EGRESS_ALLOW"] = LOOPBACK

pytest_plugins = [
    "tests.support.browsers",
    "tests.support.callers",
    "tests.support.leaks",
    "tests.support.patience",
    "tests.support.persons",
    "tests.support.postgres",
    "tests.support.signals",
    "tests.support.soak",
    "tests.support.tabs",
    "tests.support.tiers",
]


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    """A web site on loopback, with the standing endpoints; `site.other` is another origin."""
    async with Site.serve() as site:
        endpoints.install(site)
        endpoints.install(site.other)
        yield site
