"""What WebSockets descend from."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.site import Site


async def test_a_class_of_the_page_is_not_taken_for_it(page: Page, site: Site) -> None:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    code = f"""() => {{
        const real = WebSocket.prototype;
        globalThis.WebSocket = class Mine extends WebSocket {{}};
        return ({script("sockets_root")})() === real;
    }}"""
    assert await page.main_frame.call(code, world=World.MAIN) is True
