"""Going to documents over the real pipe."""

from __future__ import annotations

import pytest

from stockade.engines.port import Page
from stockade.errors import NavigationFailed
from tests.support.site import Site


async def test_navigate_reaches_the_document(either_page: Page, site: Site) -> None:
    site.page("/hello", "<title>Hello</title>")
    arrived = await either_page.navigate(site.url("/hello"))
    assert arrived.url == site.url("/hello")
    assert await either_page.title() == "Hello"


async def test_a_refused_connection_is_a_typed_error(either_page: Page) -> None:
    with pytest.raises(NavigationFailed) as caught:
        await either_page.navigate("http://127.0.0.1:9/")
    assert "ERR_" in caught.value.details["reason"]


async def test_history_moves_both_ways(either_page: Page, site: Site) -> None:
    site.page("/one", "<title>One</title>")
    site.page("/two", "<title>Two</title>")
    await either_page.navigate(site.url("/one"))
    await either_page.navigate(site.url("/two"))
    assert await either_page.go(-1) is not None
    assert await either_page.title() == "One"
    assert await either_page.go(1) is not None
    assert await either_page.title() == "Two"
    assert await either_page.go(5) is None


async def test_history_moves_on_from_a_page_that_failed(either_page: Page, site: Site) -> None:
    """The browser changes processes for its error pages, and refuses commands meanwhile."""
    site.page("/one", "<title>One</title>")
    site.page("/two", "<title>Two</title>")
    await either_page.navigate(site.url("/one"))
    with pytest.raises(NavigationFailed):
        await either_page.navigate("http://127.0.0.1:9/")
    await either_page.navigate(site.url("/two"))
    for _ in range(20):
        with pytest.raises(NavigationFailed):
            await either_page.go(-1, until="commit")
        assert await either_page.go(1, until="commit") is not None
        assert either_page.main_frame.url == site.url("/two")
