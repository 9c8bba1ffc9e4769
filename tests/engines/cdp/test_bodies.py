"""Bodies on demand over the real pipe."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.errors import ContentGone, DeadlineExceeded, InvalidArgument
from tests.support.logs import begun_request, ended_request
from tests.support.site import Site


async def run(page: Page, code: str, *arguments: object) -> object:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


@pytest.fixture
async def home(page: Page, site: Site) -> Page:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    return page


@pytest.fixture
async def either_home(either_page: Page, site: Site) -> Page:
    """The same in each binary in turn, for what has to do with more than a document."""
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    return either_page


async def test_text_and_bytes(either_home: Page, site: Site) -> None:
    site.page("/text", "grüße")
    site.page("/bytes", b"\0\xff\xfe", content_type="application/octet-stream")
    for path, body in (("/text", "grüße".encode()), ("/bytes", b"\0\xff\xfe")):
        await run(either_home, "path => fetch(path).then(answer => answer.arrayBuffer())", path)
        request = await ended_request(either_home, path)
        assert await either_home.response_body(request.id) == body


async def test_the_documents_own_body(home: Page) -> None:
    request = await ended_request(home, "/home")
    assert await home.response_body(request.id) == b"<title>Home</title>"


async def test_a_body_is_waited_for(home: Page, site: Site) -> None:
    gate = asyncio.Event()
    site.page("/slow", "at last", delay=gate)
    await run(home, "() => { fetch('/slow').then(answer => answer.text()); }")
    request = await begun_request(home, "/slow")
    with pytest.raises(DeadlineExceeded):
        await home.response_body(request.id, timeout=0.05)
    async with asyncio.TaskGroup() as group:
        body = group.create_task(home.response_body(request.id, timeout=10))
        gate.set()
    assert body.result() == b"at last"


async def test_bodies_of_a_past_document_are_gone(home: Page, site: Site) -> None:
    request = await ended_request(home, "/home")
    await home.navigate(site.page("/next", "<title>Next</title>"))
    with pytest.raises(ContentGone):
        await home.response_body(request.id)


async def test_bodies_of_a_closed_tab_are_gone(either_home: Page) -> None:
    request = await ended_request(either_home, "/home")
    await either_home.close()
    with pytest.raises(ContentGone):
        await either_home.response_body(request.id)


async def test_redirects_have_no_body(either_page: Page, site: Site) -> None:
    site.page("/end", "<title>End</title>")
    await either_page.navigate(site.url("/redirect?to=/end"))
    with pytest.raises(ContentGone) as caught:
        await either_page.response_body(either_page.requests[0].id)
    assert caught.value.details["redirected_to"] == site.url("/end")


async def test_unknown_requests_are_the_callers_mistake(home: Page) -> None:
    for unknown in ("r9999", "r0", "x", "", "r-1"):
        with pytest.raises(InvalidArgument):
            await home.response_body(unknown)


async def test_a_body_too_large_to_keep_is_gone(home: Page, site: Site) -> None:
    site.page("/huge", b"x" * (8 << 20), content_type="application/octet-stream")
    await run(home, "() => fetch('/huge').then(answer => answer.arrayBuffer()).then(() => 0)")
    request = await ended_request(home, "/huge")
    with pytest.raises(ContentGone):
        await home.response_body(request.id)


async def test_what_was_sent(home: Page, site: Site) -> None:
    await run(
        home,
        "() => fetch('/sent', {method: 'POST', body: 'grüße'}).then(answer => answer.text())",
    )
    request = await ended_request(home, "/sent")
    assert request.has_post_data
    assert await home.request_body(request.id) == "grüße".encode()
    assert await home.request_body((await ended_request(home, "/home")).id) == b""


async def test_a_submitted_form(home: Page, site: Site) -> None:
    site.page("/submitted", "<title>Thanks</title>")
    await run(
        home,
        """() => {
            const form = document.createElement('form');
            form.method = 'post';
            form.action = '/submitted';
            form.innerHTML = '<input name=a value=1><input name=b value="x y">';
            document.body.append(form);
            form.submit();
        }""",
    )
    request = await ended_request(home, "/submitted")
    assert await home.request_body(request.id) == b"a=1&b=x+y"
