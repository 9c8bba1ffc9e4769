"""A program with a browser, on a server and in its own process: it cannot tell which."""

from __future__ import annotations

import pytest

from stockade.client import Image, Stockade
from stockade.errors import (
    AddressDenied,
    ArtifactNotFound,
    Conflict,
    InternalError,
    InvalidArgument,
    NotActionable,
    SessionNotFound,
    SetupError,
    Unauthenticated,
)
from tests.support.serving import Served
from tests.support.shop import open_shop
from tests.support.site import Site


async def test_a_small_program(stockade: Stockade, site: Site) -> None:
    tab = await stockade.open(open_shop(site))
    assert 'button "Order now"' in await tab.snapshot()
    filled = await tab.fill("label=Full name", value="Ada")
    assert (filled["element"]["value"], filled["ok"]) == ("Ada", True)
    found = await tab.find(query="order now")
    ordered = await tab.click(found["candidates"][0]["ref"])
    assert [each["role"] for each in ordered["structure"]["appeared"]] == ["dialog"]
    assert "Thank you, Ada" in ordered["snapshotDelta"]["tree"]


async def test_pictures_and_files_come_as_bytes(stockade: Stockade, site: Site) -> None:
    tab = await stockade.open(open_shop(site))
    shot = await tab.screenshot(format="png")
    [image] = shot["images"]
    assert isinstance(image, Image)
    assert (image.mime_type, image.data[:4]) == ("image/png", b"\x89PNG")
    clicked = await tab.click("text=Price list")
    [link] = clicked["links"]
    assert (await stockade.read(link.uri)).startswith(b"Assam 4.20")


async def test_each_open_is_a_session_of_its_own(stockade: Stockade, site: Site) -> None:
    first = await stockade.open(site.page("/a", "<title>A</title>"))
    second = await stockade.open(
        site.page("/b", "<title>B</title>"), viewport={"width": 800, "height": 600}
    )
    assert first.session != second.session
    rows = (await stockade.list_sessions())["sessions"]
    assert {first.session, second.session} <= {row["id"] for row in rows}
    await first.close()
    with pytest.raises(SessionNotFound):
        await first.snapshot()
    assert "title: B" in await second.snapshot()
    with pytest.raises(Conflict):
        await stockade.open(session=second.session)


async def test_what_was_opened_ends_with_the_client(server: Served, site: Site) -> None:
    async with Stockade.connect(server.url, server.token) as stockade:
        tab = await stockade.open(site.page("/a", "<title>A</title>"))
    async with Stockade.connect(server.url, server.token) as stockade:
        rows = (await stockade.list_sessions())["sessions"]
        assert tab.session not in {row["id"] for row in rows}


async def test_errors_are_those_of_the_tree(stockade: Stockade, site: Site) -> None:
    tab = await stockade.open(site.page("/a", "<button disabled>Pay</button>"))
    with pytest.raises(NotActionable) as caught:
        await tab.click("text=Pay", timeout_ms=300)
    assert caught.value.details["reason"] == "disabled"
    with pytest.raises(InvalidArgument):
        await tab.call("click", {"nonsense": 1})
    with pytest.raises(AddressDenied):
        await tab.navigate(url="file:///etc/passwd")


async def test_a_server_that_is_not_there_or_not_ours(server: Served) -> None:
    with pytest.raises(SetupError, match="cannot be reached"):
        await Stockade.connect("http://127.0.0.1:1").__aenter__()
    with pytest.raises(Unauthenticated):
        await Stockade.connect(server.url, "stk_wrong").__aenter__()
    with pytest.raises(InternalError, match="not open"):
        await Stockade.embedded().session().snapshot()


async def test_only_addresses_of_files_are_read(stockade: Stockade) -> None:
    with pytest.raises((InvalidArgument, ArtifactNotFound)):
        await stockade.read("http://127.0.0.1/x")
