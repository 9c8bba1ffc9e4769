"""Permissions of a context, on both binaries."""

from __future__ import annotations

import pytest

from stockade.engines.cdp.permissions import NAMES
from stockade.engines.port import Context, Page
from stockade.errors import InvalidArgument
from tests.support.site import Site

QUERY = "name => navigator.permissions.query({name}).then(status => status.state)"


@pytest.fixture
async def here(either_page: Page, site: Site) -> Page:
    site.page("/", "")
    await either_page.navigate(site.url())
    return either_page


@pytest.mark.parametrize(
    "name", ["geolocation", "notifications", "camera", "clipboard-read", "midi"]
)
async def test_grant_deny_reset(either_context: Context, here: Page, name: str) -> None:
    own = await here.main_frame.call(QUERY, name)
    await either_context.grant_permissions([name])
    assert await here.main_frame.call(QUERY, name) == "granted"
    await either_context.set_permission(name, "denied")
    assert await here.main_frame.call(QUERY, name) == "denied"
    await either_context.reset_permissions()
    assert await here.main_frame.call(QUERY, name) == own


async def test_granting_one_leaves_the_others(either_context: Context, here: Page) -> None:
    own = await here.main_frame.call(QUERY, "geolocation")
    await either_context.grant_permissions(["camera", "microphone"])
    assert await here.main_frame.call(QUERY, "camera") == "granted"
    assert await here.main_frame.call(QUERY, "microphone") == "granted"
    assert await here.main_frame.call(QUERY, "geolocation") == own


async def test_an_origin_alone(either_context: Context, here: Page, site: Site) -> None:
    site.other.page("/", "")
    own = await here.main_frame.call(QUERY, "geolocation")
    await either_context.grant_permissions(["geolocation"], origin=site.other.url("/any/path"))
    assert await here.main_frame.call(QUERY, "geolocation") == own
    await here.navigate(site.other.url())
    assert await here.main_frame.call(QUERY, "geolocation") == "granted"


async def test_every_name_can_be_set(either_context: Context) -> None:
    await either_context.grant_permissions(NAMES)
    await either_context.reset_permissions()


async def test_an_unknown_name_is_answered_with_the_list(context: Context) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await context.grant_permissions(["camera", "teleport"])
    assert "'teleport'" in caught.value.message
    assert "geolocation" in caught.value.message


@pytest.mark.parametrize("origin", ["nonsense", "file:///etc", "https://", "about:blank"])
async def test_what_is_no_origin(context: Context, origin: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await context.set_permission("camera", "denied", origin=origin)
    assert caught.value.details["field"] == "origin"
