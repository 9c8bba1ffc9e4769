"""Code as a person types it into the console, on both binaries."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.errors import DeadlineExceeded, EngineError, ScriptFailed
from tests.support.site import Site

PLAIN = "async (given) => JSON.stringify(await given)"


async def run(page: Page, source: str, **options: Any) -> Any:
    return await page.main_frame.evaluate(source, PLAIN, **options)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("1 + 1", "2"),
        ("const a = 2; a", "2"),
        ("const a = 3; a", "3"),
        ("return 4", "4"),
        ("await 5", "5"),
        ("{ six: 6 }", '{"six":6}'),
        ("x => 7", "7"),
        ("{ let y = 8; y }", "8"),
    ],
)
async def test_expressions_and_statements(page: Page, source: str, answer: str) -> None:
    assert await run(page, source) == answer
    assert await run(page, source) == answer


async def test_an_element_of_the_page(page: Page, site: Site) -> None:
    site.page("/", "<p id=a>Text</p><script>a.own = 'mine'</script>")
    await page.navigate(site.url())
    element = await page.main_frame.call_handle("() => document.querySelector('p')")
    assert await run(page, "element.own", element=element) == '"mine"'
    assert await run(page, "e => e.id", element=element) == '"a"'
    assert await run(page, "const t = element; return t.id", element=element) == '"a"'


async def test_what_is_thrown(page: Page) -> None:
    for source, said in (("nothing", "nothing is not defined"), ("(", "SyntaxError")):
        with pytest.raises(ScriptFailed, match=said):
            await run(page, source)
    # A syntax error of the page's own making is not ours to mend.
    with pytest.raises(ScriptFailed, match="in JSON"):
        await run(page, "JSON.parse('{')")


async def test_only_what_runs_is_stopped(either_page: Page) -> None:
    assert not await either_page.main_frame.stop_script()
    with pytest.raises(DeadlineExceeded):
        await run(either_page, "while (true) {}", timeout=0.2)
    assert await either_page.main_frame.stop_script()
    assert await run(either_page, "9") == "9"


async def test_a_script_that_leaves(either_page: Page, site: Site) -> None:
    site.page("/", "")
    site.page("/next", "")
    await either_page.navigate(site.url())
    with pytest.raises(EngineError):
        await run(either_page, "location = '/next'; await new Promise(() => {})", timeout=10)
