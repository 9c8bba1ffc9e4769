"""HTTP authentication over the real pipe."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from contextlib import suppress

import pytest

from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.events import PageOpened, RequestHeld
from stockade.engines.port import Browser, Context, Page
from stockade.engines.routing import Answer, HeldRequest
from stockade.engines.values import ContextOptions, Credentials, Proxy, World
from stockade.errors import NavigationFailed
from tests.support.endpoints import PASSWORD, USER
from tests.support.levels import only_beside
from tests.support.logs import ended_request, worker_at
from tests.support.site import Request, Response, Site

RIGHT = Credentials(USER, PASSWORD)
WRONG = Credentials(USER, "guess")


async def run(page: Page, code: str, *arguments: object) -> object:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


async def test_a_navigation_is_answered(either_page: Page, site: Site) -> None:
    await either_page.set_credentials(RIGHT)
    arrived = await either_page.navigate(site.url("/basic-auth"))
    assert arrived.status == 200
    assert [bool(r.headers.get("authorization")) for r in site.asked("/basic-auth")] == [
        False,
        True,
    ]
    # One request to the log, challenge or not.
    assert len([r for r in either_page.requests if "/basic-auth" in r.url]) == 1


async def test_wrong_credentials_are_given_once(either_page: Page, site: Site) -> None:
    await either_page.set_credentials(WRONG)
    arrived = await either_page.navigate(site.url("/basic-auth"))
    assert arrived.status == 401
    assert await either_page.main_frame.call("() => document.body.innerText") == "Who are you?"
    assert len(site.asked("/basic-auth")) == 2


async def test_only_the_origin_they_are_for(either_page: Page, site: Site) -> None:
    bound = Credentials(USER, PASSWORD, site.url("").rstrip("/"))
    await either_page.set_credentials(bound)
    assert (await either_page.navigate(site.url("/basic-auth"))).status == 200
    try:
        refused = await either_page.navigate(site.other.url("/basic-auth"))
    except NavigationFailed as error:
        # Full Chromium takes a challenge nobody answers for a failure.
        assert "AUTH" in error.details["reason"]  # noqa: PT017
    else:
        assert refused.status == 401
    assert all("authorization" not in r.headers for r in site.other.asked("/basic-auth"))


async def test_fetches_frames_and_workers(either_page: Page, site: Site) -> None:
    site.page("/home", "<title>Home</title>")
    await either_page.set_credentials(RIGHT)
    await either_page.navigate(site.url("/home"))
    answer = "() => fetch('/basic-auth?fetch').then(answer => answer.status)"
    assert await run(either_page, answer) == 200
    await run(
        either_page,
        "url => { const frame = document.createElement('iframe');"
        " frame.src = url; document.body.append(frame); }",
        site.other.url("/basic-auth"),
    )
    frame = await ended_request(either_page, site.other.url("/basic-auth"))
    assert frame.status == 200


async def test_a_dedicated_workers_challenge(either_page: Page, site: Site) -> None:
    site.page(
        "/worker.js",
        "fetch('/basic-auth').then(answer => { self.status = answer.status; })",
        content_type="text/javascript",
    )
    await either_page.set_credentials(RIGHT)
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    await run(either_page, "() => { globalThis.worker = new Worker('/worker.js'); }")
    await worker_at(either_page.context, "/worker.js")
    await site.wait_asked("/basic-auth", 2)
    assert "authorization" in site.asked("/basic-auth")[1].headers


async def test_without_credentials_nothing_is_held(page: Page, site: Site) -> None:
    assert isinstance(page, ChromiumPage)
    held: list[object] = []
    page.session.on("Fetch.requestPaused", held.append, dict)
    site.page("/home", "<title>Home</title>")
    await page.navigate(site.url("/home"))
    assert not held
    await page.set_credentials(RIGHT)
    await page.navigate(site.url("/home"))
    count = len(held)
    assert count
    await page.set_credentials(None)
    await page.navigate(site.url("/home"))
    assert len(held) == count


async def test_requests_under_way_survive_a_change(either_page: Page, site: Site) -> None:
    gate = asyncio.Event()
    site.page("/slow", "slow", delay=gate)
    await either_page.set_credentials(RIGHT)
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    await run(either_page, "() => { globalThis.slow = fetch('/slow').then(a => a.text()); }")
    await site.wait_asked("/slow")
    await either_page.set_credentials(None)
    gate.set()
    assert await run(either_page, "() => slow") == "slow"


class _Mock:
    """Answers for one path."""

    patterns: Sequence[str] = ("*/mock",)

    def matches(self, request: HeldRequest) -> bool:
        return request.url.endswith("/mock")

    def answer(self, request: HeldRequest) -> Answer | None:
        return Answer(body=b"mocked") if self.matches(request) else None


async def test_routes_and_credentials_go_together(either_page: Page, site: Site) -> None:
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    text = "path => fetch(path).then(async a => [a.status, await a.text()])"
    await either_page.set_credentials(RIGHT)
    await either_page.context.set_routes([_Mock()])
    assert await run(either_page, text, "/mock") == [200, "mocked"]
    assert (await run(either_page, text, "/basic-auth"))[0] == 200  # type: ignore[index]
    await either_page.set_credentials(None)
    assert await run(either_page, text, "/mock") == [200, "mocked"]
    [routed] = {each.routed for each in either_page.requests if each.url.endswith("/mock")}
    assert routed
    await either_page.context.set_routes([])
    assert (await run(either_page, text, "/mock"))[0] == 404  # type: ignore[index]
    assert len(site.asked("/mock")) == 1


class TestContext:
    """Credentials of the context answer for every tab and worker in it."""

    @pytest.fixture
    def context_options(self) -> ContextOptions:
        return ContextOptions(credentials=RIGHT)

    @pytest.mark.parametrize("features", ["", "noopener"])
    async def test_a_popups_first_request(
        self, either_page: Page, site: Site, features: str
    ) -> None:
        opened: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
        either_page.context.events.on(PageOpened, lambda event: opened.set_result(event.page))
        await either_page.navigate(site.page("/home", "<title>Home</title>"))
        await run(either_page, f"() => {{ window.open('/basic-auth', '', '{features}'); }}")
        popup = await asyncio.wait_for(opened, 10)
        assert (await ended_request(popup, "/basic-auth")).status == 200

    async def test_a_shared_workers_challenge(self, either_page: Page, site: Site) -> None:
        site.page("/shared.js", "", content_type="text/javascript")
        await either_page.navigate(site.page("/home", "<title>Home</title>"))
        await run(either_page, "() => { globalThis.shared = new SharedWorker('/shared.js'); }")
        worker = await worker_at(either_page.context, "/shared.js")
        status = await worker.call("() => fetch('/basic-auth').then(answer => answer.status)")
        assert status == 200

    async def test_each_context_has_its_own(self, either_context: Context, site: Site) -> None:
        page = await either_context.new_page()
        assert (await page.navigate(site.url("/basic-auth"))).status == 200
        stranger = await either_context.browser.new_context(ContextOptions(credentials=WRONG))
        other = await stranger.new_page()
        assert (await other.navigate(site.url("/basic-auth"))).status == 401
        await stranger.close()


@only_beside
async def test_a_proxys_challenge_is_never_answered(either_browser: Browser, site: Site) -> None:
    async def challenge(_request: Request) -> Response:
        return Response("who?", 407, headers={"proxy-authenticate": 'Basic realm="proxy"'})

    site.route("http://somewhere.test/", challenge)
    options = ContextOptions(proxy=Proxy(site.url("")), credentials=RIGHT)
    context = await either_browser.new_context(options)
    page = await context.new_page()
    with suppress(NavigationFailed):
        assert (await page.navigate("http://somewhere.test/", timeout=10)).status == 407
    asked = site.asked("http://somewhere.test/")
    assert asked
    assert all("proxy-authorization" not in request.headers for request in asked)
    await context.close()


class Wicket:
    """A gate that decides as it is told, by the last part of the address."""

    past_workers = True

    def __init__(self) -> None:
        self.seen: list[HeldRequest] = []
        self.later: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def admit(self, request: HeldRequest) -> bool | HeldRequest | asyncio.Future[bool]:
        self.seen.append(request)
        if request.url.endswith("/later"):
            return self.later
        if request.url.endswith("/other"):
            encoded = base64.b64encode(b"in its place").decode()
            return HeldRequest(request.url, "POST", request.headers, None, (encoded,))
        return not request.url.endswith("/never")


async def test_a_gate_says_what_may_go_out(either_page: Page, site: Site) -> None:
    for path in ("/never", "/later", "/other", "/fine"):
        site.page(path, "ok")
    await either_page.navigate(site.url("/"))
    gate = Wicket()
    await either_page.context.set_gate(gate)
    send = (
        "(path) => fetch(path, {method: 'POST', body: 'x'.repeat(3)}).then((r) => r.text(), String)"
    )
    assert await run(either_page, send, "/fine") == "ok"
    assert "Failed" in str(await run(either_page, send, "/never"))
    assert await run(either_page, send, "/other") == "ok"
    assert [each.body for each in site.asked("/other")] == [b"in its place"]
    async with asyncio.TaskGroup() as group:
        heard = group.create_task(either_page.events.wait(RequestHeld, timeout=10))
        await asyncio.sleep(0)
        asked = group.create_task(run(either_page, send, "/later"))
        assert (await heard).url == site.url("/later")
        assert site.asked("/later") == []
        gate.later.set_result(True)
    assert asked.result() == "ok"
    assert site.asked("/never") == []
    fine = next(each for each in gate.seen if each.url.endswith("/fine"))
    assert (fine.method, fine.body, fine.type, fine.page) == ("POST", b"xxx", "XHR", either_page)


async def test_a_navigation_that_may_not_leaves_the_page(either_page: Page, site: Site) -> None:
    site.page("/never", "<title>Never</title>")
    await either_page.navigate(site.url("/"))
    await either_page.context.set_gate(Wicket())
    await run(
        either_page,
        "() => { const f = document.createElement('form'); f.method = 'post'; f.action = '/never';"
        " document.body.append(f); f.submit(); }",
    )
    # The page that is there answers, and nothing was asked of the server.
    assert await run(either_page, "() => document.forms.length") == 1
    assert site.asked("/never") == []
    await either_page.context.set_gate(None)
    assert (await either_page.navigate(site.url("/never"))).status == 200
