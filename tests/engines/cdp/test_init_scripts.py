"""Scripts at the start of every document, that come and go."""

from __future__ import annotations

from stockade.engines.port import Context, Page
from stockade.engines.values import InitScript, World
from tests.support.site import Site
from tests.support.waiting import until

MARK = InitScript("globalThis.marked = (globalThis.marked || 0) + 1", World.MAIN)
READ = "() => globalThis.marked || 0"


async def marks(page: Page) -> list[int]:
    return [await frame.call(READ, world=World.MAIN) for frame in page.frames]


async def test_documents_there_are_and_documents_to_come(
    context: Context, page: Page, site: Site
) -> None:
    site.other.page("/frame", "<p>frame</p>")
    frame = site.other.url("/frame", "localhost")
    site.page(
        "/", f"<iframe src='{frame}'></iframe><script>globalThis.early = globalThis.marked</script>"
    )
    await page.navigate(site.url("/"), until="load")
    remove = await context.add_script(MARK)
    assert await marks(page) == [1, 1]
    await page.reload(until="load")
    assert await marks(page) == [1, 1]
    assert await page.main_frame.call("() => globalThis.early", world=World.MAIN) == 1
    fresh = await context.new_page()
    await fresh.navigate(site.url("/"), until="load")
    assert await marks(fresh) == [1, 1]
    await remove()
    await page.reload(until="load")
    await fresh.reload(until="load")
    assert await marks(page) == await marks(fresh) == [0, 0]


async def test_other_contexts_are_left_alone(context: Context, page: Page, site: Site) -> None:
    site.page("/", "<p>hello</p>")
    stranger = await context.browser.new_context(type(context.options)())  # type: ignore[attr-defined]
    try:
        await context.add_script(MARK)
        other = await stranger.new_page()
        await other.navigate(site.url("/"))
        await page.navigate(site.url("/"))
        assert await marks(other) == [0]
        assert await marks(page) == [1]
    finally:
        await stranger.close()


TELLS = """(tell) => {
  globalThis.say = (text) => tell(text);
  globalThis.names = Object.getOwnPropertyNames(globalThis).filter((name) => /^s[0-9a-f]{16}$/.test(name));
}"""


async def test_what_a_script_says_is_heard_of_its_frame(
    context: Context, page: Page, site: Site
) -> None:
    site.other.page("/frame", "<script>say('inner'); fetch('/names?' + names)</script>")
    frame = site.other.url("/frame", "localhost")
    site.page("/", f"<script>say('outer')</script><iframe src='{frame}'></iframe>")
    heard: list[tuple[str, str]] = []
    script = InitScript(TELLS, World.MAIN, lambda frame, text: heard.append((frame.url, text)))
    remove = await context.add_script(script)
    await page.navigate(site.url("/"), until="load")
    assert (await site.other.wait_asked("/names")).query == ""
    await until(lambda: len(heard) == 2)
    assert sorted(heard, key=lambda each: each[1]) == [
        (frame, "inner"),
        (site.url("/"), "outer"),
    ]
    await remove()
    await page.main_frame.call("() => say('after')", world=World.MAIN)
    await page.reload(until="load")
    assert await page.main_frame.call("() => typeof say", world=World.MAIN) == "undefined"
    assert len(heard) == 2
