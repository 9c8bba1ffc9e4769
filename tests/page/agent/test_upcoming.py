"""Signs that a document is on its way to another state."""

from __future__ import annotations

import pytest

from tests.page.test_upcoming import expects_something, until_quiet
from tests.support.tabs import CALLER, Tab


@pytest.mark.parametrize(
    "begin",
    [
        "() => { p.animate({opacity: [1, 0]}, 60000); }",
        "() => { p.style.transition = 'opacity 60s'; p.offsetWidth; p.style.opacity = 0; }",
        "() => { p.append('more'); }",
        "() => { document.open(); document.write('<p>half'); }",
    ],
)
async def test_something_is_expected(tab: Tab, begin: str) -> None:
    await tab.show("<p id=p>Text")
    await until_quiet(tab)
    await tab.main(begin)
    assert await expects_something(tab)


@pytest.mark.parametrize(
    "begin",
    [
        "() => { p.animate({opacity: [1, 0]}, {duration: 1000, iterations: Infinity}); }",
        "() => { p.animate({opacity: [1, 0]}, 1000).pause(); }",
        "() => { setTimeout(() => 0, 60000); }",
    ],
)
async def test_nothing_is_expected(tab: Tab, begin: str) -> None:
    await tab.show("<p id=p>Text")
    await until_quiet(tab)
    await tab.main(begin)
    assert not await expects_something(tab)


async def test_something_is_expected_after_an_action_and_not_for_ever(tab: Tab) -> None:
    await tab.show("<button>Nothing</button>")
    await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert await expects_something(tab)
    await until_quiet(tab)
