"""The way out of a session, seen by its agent: what is refused is said, and nothing gets there."""

from __future__ import annotations

import asyncio
from typing import Any

from stockade.engines.events import Request
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from tests.support.callers import Caller
from tests.support.site import Site
from tests.support.waiting import until

FORBIDDEN = "127.0.0.2"
"""An address of this machine that tests do not allow."""


def forbidden(site: Site, path: str = "/") -> str:
    return site.url(path, host=FORBIDDEN)


def confined(caller: Caller, *origins: str) -> Caller:
    rules = tuple(map(OriginRule.parse, origins))
    return caller.another(policy=Policy(caller.principal.policy.capabilities, allowed=(rules,)))


def check_denied(error: dict[str, Any], site: Site) -> None:
    assert error["code"] == "egress_denied"
    assert f"http://{FORBIDDEN}:{site.port}" in error["error"]
    assert f"--allow {FORBIDDEN}:{site.port}" in error["hint"]
    assert error["failure"]["source"] == "stockade"


async def test_a_page_that_may_not_be_reached_is_refused_with_its_remedy(caller: Caller) -> None:
    site = caller.site
    site.page("/on", "", status=302, headers={"location": forbidden(site)})
    for url in (forbidden(site), site.url("/on")):
        refusal = await caller.refused("navigate", url=url)
        check_denied(refusal, site)
        assert refusal["origin"] == f"http://{FORBIDDEN}:{site.port}"
        assert refusal["rule"] == "port"
        assert not refusal["retryable"]
    check_denied(await caller.refused("tabs", action="new", url=forbidden(site)), site)
    secure = await caller.refused("navigate", url=f"https://{FORBIDDEN}:{site.port}/")
    assert (secure["code"], secure["rule"]) == ("egress_denied", "port")
    assert [each.path for each in site.requests] == ["/on"]


async def test_an_action_that_ends_there_has_failed(caller: Caller) -> None:
    site = caller.site
    site.page("/on", "", status=302, headers={"location": forbidden(site)})
    links = f"""<a href="{forbidden(site)}">Away</a><a href="/on">Round</a>
        <button onclick="window.open('{forbidden(site)}')">Open</button>"""
    for name in ("Away", "Round", "Open"):
        await caller.show(links)
        result = await caller.reply("click", selector=f"text={name}")
        assert result.data is not None
        assert not result.ok
        assert result.data["ok"] is False
        check_denied(result.data, site)
    assert {each.path for each in site.requests} <= {"/page", "/on"}


CHANNELS = """async (away) => {
  const image = new Image();
  await new Promise((done) => { image.onerror = done; image.src = `${away}/pixel/beacon`; });
  const error = await fetch(`${away}/fetch`, { mode: 'no-cors' }).then(() => '', String);
  navigator.sendBeacon(`${away}/collect`, 'secret');
  const socket = new WebSocket(away.replace('http', 'ws') + '/socket');
  await new Promise((done) => { socket.onerror = done; });
  const frame = document.createElement('iframe');
  frame.src = `${away}/frame`;
  await new Promise((done) => { frame.onload = done; document.body.append(frame); });
  return error;
}"""


async def test_every_attempt_off_the_list_is_counted_and_none_arrives(mighty: Caller) -> None:
    site = mighty.site
    other = site.other.url("").removesuffix("/")
    narrow = confined(mighty, site.url(""))
    said = f"<button onclick=\"({CHANNELS})('{other}').then(e => out.textContent = e)\">Go</button>"
    page = site.page("/go", f"{said}<p id=out></p>")
    await narrow.ok("navigate", url=page)
    result = await narrow.ok("click", selector="text=Go")
    await narrow.ok("wait_for", text="TypeError", timeoutMs=5000)
    network = result.get("network", {})
    rows = network.get("requests", [])
    counted = network.get("egressOffAllowlist", 0)

    async def all_counted() -> bool:
        nonlocal counted
        later = (await narrow.ok("scroll", to="top")).get("network", {})
        counted += later.get("egressOffAllowlist", 0)
        return bool(counted >= 5)

    await until(all_counted)
    assert counted == 5, "an image, a fetch, a beacon, a socket and a frame"
    assert site.other.requests == []
    said_of_it = f"egress_denied: {other} is not among the allowed origins"
    assert all(row["failure"] == said_of_it for row in rows)
    read = await narrow.text("network_read")
    assert read.count("egress_denied: ") >= 4
    shown = await narrow.text("snapshot")
    assert "TypeError: Failed to fetch" in shown, "what a page hears is a network error"
    assert "stockade" not in shown.lower()


async def test_what_a_browser_would_have_said_is_still_said(caller: Caller) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        broken = await caller.refused("navigate", url=f"http://127.0.0.1:{port}/")
    gone = await caller.refused("navigate", url=f"http://127.0.0.1:{port}/")
    secure = await caller.refused("navigate", url=f"https://127.0.0.1:{port}/")
    nobody = await caller.refused("navigate", url="http://nobody.invalid/")
    found = [(each["code"], each["reason"]) for each in (broken, gone, secure, nobody)]
    assert found == [
        ("navigation_failed", "net::ERR_CONNECTION_CLOSED"),
        ("navigation_failed", "net::ERR_CONNECTION_REFUSED"),
        ("navigation_failed", "net::ERR_CONNECTION_REFUSED"),
        ("navigation_failed", "net::ERR_NAME_NOT_RESOLVED"),
    ]


async def test_an_origin_is_let_in_as_often_as_it_is_not_taken_back(caller: Caller) -> None:
    site, other = caller.site, caller.site.other
    other.page("/data", "words", headers={"access-control-allow-origin": "*"})
    narrow = confined(caller, site.url(""))
    await narrow.show("<p>Here")
    session = caller.kernel.sessions.find(narrow.principal, "default")
    frame = (await session.tab()).page.main_frame

    async def fetched() -> str:
        said = await frame.call(f"() => fetch('{other.url('/data')}').then(a => a.text(), String)")
        return str(said)

    origin = other.url("").removesuffix("/")
    assert "TypeError" in await fetched()
    await session.outgoing.admit(origin)
    await session.outgoing.admit(origin)
    assert await fetched() == "words"
    await session.outgoing.withdraw(origin)
    assert await fetched() == "words"
    await session.outgoing.withdraw(origin)
    assert "TypeError" in await fetched()


async def test_the_server_itself_is_out_of_reach_and_so_is_the_way(caller: Caller) -> None:
    await caller.show("<p>Here")
    session = caller.kernel.sessions.find(caller.principal, "default")
    way = (await session.outgoing.proxy()).server
    assert (await caller.refused("navigate", url=f"{way}/"))["rule"] == "own"
    mine = session.outgoing.off_list([Request("r1", f"{way}/", "GET", "Image", 0.0)])
    assert mine is None, "without a list there is nothing to be off"
