"""How rules look at elements."""

from __future__ import annotations

from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def kit(tab: Tab, html: str, expression: str) -> Any:
    await tab.show(html)
    await tab.ref("body")
    return await tab.page.main_frame.call(
        f"() => {{ const kit = ({script('audit_kit')})({{caller: 'test', prefix: ''}});"
        f" const at = (selector) => document.querySelector(selector); return {expression}; }}"
    )


async def test_what_the_keyboard_reaches(tab: Tab) -> None:
    html = (
        "<a href=/x>a</a><a>b</a><button disabled>c</button><p tabindex=-1>d</p><p tabindex=0>e</p>"
    )
    found = await kit(tab, html, "[...document.body.children].map(kit.reachable)")
    assert found == [True, False, False, False, True]


async def test_snippets_hold_no_secret(tab: Tab) -> None:
    html = "<input type=password value=hunter2 name=p>"
    shown = await kit(tab, html, "kit.show(at('input')).snippet")
    assert shown == '<input type="password" name="p">'


async def test_slotted_elements_are_inside(tab: Tab) -> None:
    html = (
        "<x-a><b>in</b></x-a><script>at = document.querySelector('x-a');"
        "at.attachShadow({mode: 'open'}).innerHTML = '<div><slot></slot></div>'</script>"
    )
    found = await kit(
        tab,
        html,
        "kit.inside(at('x-a').shadowRoot.firstChild, (el) => el.localName === 'b') !== null",
    )
    assert found is True
    assert await kit(tab, html, "kit.above(at('b')).localName") == "div"
