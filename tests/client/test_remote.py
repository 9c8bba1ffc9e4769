"""A server that answers as no server of ours does."""

from __future__ import annotations

import pytest

from stockade.client.remote import Remote
from stockade.errors import InvalidArgument, SetupError, StockadeError
from tests.support.site import Site


async def test_another_kind_of_server_is_told_apart(site: Site) -> None:
    site.page("/v1/tools", "<p>hello</p>", status=500)
    remote = Remote(site.url(""), "token")
    try:
        with pytest.raises(StockadeError, match="answered 500, which is not one of its answers"):
            await remote.open()
        with pytest.raises(InvalidArgument):
            await remote.read("https://example.com/x")
    finally:
        await remote.close()
    assert site.asked("/v1/tools")[0].headers["authorization"] == "Bearer token"


async def test_nobody_there() -> None:
    remote = Remote("http://127.0.0.1:1/", None)
    try:
        with pytest.raises(SetupError, match="cannot be reached"):
            await remote.call("s", "snapshot", {})
    finally:
        await remote.close()
