"""What a tab tells about itself."""

from __future__ import annotations

from stockade.instruments.vitals import memory, vitals
from tests.support.asking import page_says, tab_of
from tests.support.callers import Caller


async def test_every_document_is_asked(caller: Caller) -> None:
    caller.site.page("/a.css", "p { top: 0 }", content_type="text/css")
    inner = caller.site.page("/inner", "<link rel=stylesheet href=/a.css>").replace(
        "127.0.0.1", "localhost"
    )
    await caller.show(f'<link rel=stylesheet href=/a.css><p>x</p><iframe src="{inner}"></iframe>')
    await caller.site.wait_asked("/a.css", 2)
    await page_says(
        caller,
        "() => new Promise((done) => { document.readyState === 'complete' ? done(1) : (onload = done) }).then(() => 1)",
    )
    found = await vitals(tab_of(caller).page)
    urls = {each["url"] for each in found.resources if each["blocking"]}
    assert urls == {caller.site.url("/a.css"), caller.site.url("/a.css", "localhost")}
    assert caller.site.url("/page") in {each.url for each in found.requests}


async def test_elements_that_are_held_are_weighed(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    devtools = tab_of(caller).page.devtools[0]
    before = await memory(devtools, timeout=10)
    await page_says(
        caller,
        """() => {
          window.kept = document.createElement('ul');
          for (let i = 0; i < 500; i += 1) kept.append(document.createElement('li'));
        }""",
    )
    after = await memory(devtools, detached=True, timeout=10)
    assert after.nodes >= before.nodes + 500
    assert after.detached >= 1
    assert before.detached == 0
