"""JavaScript dialogs: nothing hangs on one, and each is answered as asked."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.events import DialogOpened
from stockade.engines.port import Page
from stockade.engines.values import Point, World
from stockade.errors import DialogOpen, InvalidArgument
from tests.support.site import Site


async def raise_dialog(page: Page, code: str) -> DialogOpened:
    """Have the page open a dialog by itself, as a timer of it would."""
    async with asyncio.TaskGroup() as group:
        opened = group.create_task(page.events.wait(DialogOpened, timeout=5))
        await asyncio.sleep(0)
        await page.main_frame.call(
            "(code) => { setTimeout(() => { globalThis.answer = eval(code); }); }",
            code,
            world=World.MAIN,
        )
    return opened.result()


@pytest.mark.parametrize(
    ("code", "accept", "text", "answer"),
    [
        ("alert('hi')", True, None, None),
        ("confirm('sure?')", True, None, True),
        ("confirm('sure?')", False, None, False),
        ("prompt('name?', 'nobody')", True, "me", "me"),
        ("prompt('name?', 'nobody')", False, None, None),
    ],
)
async def test_each_kind_is_told_and_answered(
    either_page: Page, code: str, accept: bool, text: str | None, answer: object
) -> None:
    page = either_page
    opened = await raise_dialog(page, code)
    assert code.startswith(opened.kind)
    assert page.dialog == opened
    await page.answer_dialog(accept=accept, text=text)
    assert page.dialog is None
    assert await page.main_frame.call("() => globalThis.answer", world=World.MAIN) == answer


async def test_calls_under_way_end_and_later_ones_are_not_sent(
    either_page: Page, site: Site
) -> None:
    page = either_page
    site.page("/", "<title>Here</title>")
    await page.navigate(site.url("/"))
    with pytest.raises(DialogOpen) as caught:
        await page.main_frame.call("() => { alert('now'); }", world=World.MAIN)
    assert caught.value.details == {"kind": "alert", "text": "now"}
    for blocked in (
        page.title(),
        page.screenshot(),
        page.navigate(site.url("/")),
        page.reload(),
        page.mouse.move(Point(1, 1)),
    ):
        with pytest.raises(DialogOpen):
            await blocked
    assert len(await page.history()) == 2
    await page.context.cookies()
    await page.answer_dialog(accept=True)
    assert await page.title() == "Here"


@pytest.mark.parametrize("leave", [True, False])
async def test_leaving_a_page_that_asks_first(either_page: Page, site: Site, leave: bool) -> None:
    page = either_page
    site.page(
        "/form", "<body onclick=1><script>onbeforeunload = (e) => e.preventDefault()</script>"
    )
    site.page("/next", "<title>Next</title>")
    await page.navigate(site.url("/form"), until="load")
    # Only a page that was touched may ask.
    await page.mouse.click(Point(5, 5))
    with pytest.raises(DialogOpen) as caught:
        await page.navigate(site.url("/next"))
    assert caught.value.details["kind"] == "beforeunload"
    await page.answer_dialog(accept=leave)
    if leave:
        await site.wait_asked("/next", 1)
        return
    assert await page.main_frame.call("() => location.pathname") == "/form"


async def test_who_stays_is_asked_again_each_time(either_page: Page, site: Site) -> None:
    """The no to one navigation must not end the next, however soon that comes."""
    form = site.page(
        "/form", "<body onclick=1><script>onbeforeunload = (e) => e.preventDefault()</script>"
    )
    other = site.page("/other", "<title>Other</title>")
    await either_page.navigate(form)
    await either_page.mouse.click(Point(5, 5))
    for _ in range(15):
        with pytest.raises(DialogOpen):
            await either_page.navigate(other)
        await either_page.answer_dialog(accept=False)


async def test_a_tab_with_a_dialog_can_be_closed(either_page: Page) -> None:
    await raise_dialog(either_page, "alert('stay')")
    await either_page.close()
    assert either_page.closed


async def test_there_must_be_a_dialog_to_answer(page: Page) -> None:
    with pytest.raises(InvalidArgument):
        await page.answer_dialog(accept=True)


async def test_a_storm_of_dialogs_does_not_wedge_the_page(either_page: Page) -> None:
    page = either_page
    await raise_dialog(page, "(() => { for (let i = 0; i < 20; i++) alert(i); })()")
    for _ in range(20):
        if page.dialog is None:
            await page.events.wait(DialogOpened, timeout=5)
        await page.answer_dialog(accept=True)
    assert await page.main_frame.call("() => 7") == 7
