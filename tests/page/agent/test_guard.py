"""The guard: no trusted event reaches a page that nobody permitted."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.values import Point
from tests.support.tabs import Tab

PAGE = """<body style='margin:0'><button id=a style='width:100px;height:40px'>A</button><br>
<button id=b style='width:100px;height:40px'>B</button><input id=i>
<script>
globalThis.seen = [];
for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'beforeinput', 'input'])
  window.addEventListener(type, (e) => seen.push(type + ' ' + e.target.id), true);
</script>"""
ON_A, ON_B = Point(20, 20), Point(20, 60)


async def allow(tab: Tab, selector: str, options: str = "{}") -> None:
    await tab.page.main_frame.call(
        f"(s) => stockade.modules.Guard.allow([document.querySelector(s)], {options})", selector
    )


async def end(tab: Tab) -> Any:
    return await tab.page.main_frame.call("() => stockade.modules.Guard.end()")


async def test_nothing_passes_without_permission(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(PAGE)
    await tab.page.mouse.click(ON_A)
    await tab.main("() => i.focus()")
    await tab.page.keyboard.type("x")
    await tab.page.keyboard.insert("y")
    assert await tab.main("() => seen") == []
    assert await tab.main("() => i.value") == ""


async def test_only_the_target_takes_input(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(PAGE)
    await allow(tab, "#a")
    await tab.page.mouse.click(ON_B)
    verdict = await end(tab)
    assert await tab.main("() => seen") == []
    assert verdict["landed"] == []
    assert verdict["blocked"][0]["hit"] == 'button "B"'
    await allow(tab, "#a")
    await tab.page.mouse.click(ON_A)
    assert "click" in (await end(tab))["landed"]
    assert "click a" in await tab.main("() => seen")


async def test_permission_ends_with_the_document(tab: Tab) -> None:
    await tab.show(PAGE)
    await allow(tab, "#a")
    await tab.show(PAGE, path="/next")
    await tab.page.mouse.click(ON_A)
    assert await tab.main("() => seen") == []


async def test_a_document_written_anew_is_guarded_too(tab: Tab) -> None:
    await tab.show(PAGE)
    await tab.main("(html) => { document.open(); document.write(html); document.close(); }", PAGE)
    await allow(tab, "#a")
    await tab.page.mouse.click(ON_B)
    assert "click" not in (await end(tab))["landed"]
    assert await tab.main("() => document.activeElement.id") != "b"


@pytest.mark.parametrize("tag", ["label for=c", "span"])
async def test_a_label_clicks_its_control(tab: Tab, tag: str) -> None:
    await tab.show(
        f"<body style='margin:0'><label><{tag} id=l>Agree</{tag.split(maxsplit=1)[0]}>"
        "<input type=checkbox id=c></label>"
    )
    await allow(tab, "#l")
    await tab.page.mouse.click(Point(10, 10))
    assert "click" in (await end(tab))["landed"]
    assert await tab.main("() => c.checked") is True


async def test_enter_in_a_field_submits_its_form(tab: Tab) -> None:
    await tab.show("<form onsubmit='globalThis.sent = 1; return false'><input id=i><button>Go")
    await allow(tab, "#i")
    await tab.main("() => i.focus()")
    await tab.page.keyboard.press("Enter")
    assert await tab.main("() => globalThis.sent") == 1


async def test_what_the_page_does_by_itself_is_not_its_business(tab: Tab) -> None:
    await tab.show(PAGE)
    await tab.main("() => { a.click(); i.dispatchEvent(new Event('input')); }")
    assert await tab.main("() => seen") == ["click a", "input i"]


async def test_a_target_that_turned_into_another_is_not_hit(tab: Tab) -> None:
    await tab.show(PAGE)
    await allow(tab, "#a", "{ unchanged: () => false }")
    await tab.page.mouse.click(ON_A)
    verdict = await end(tab)
    assert verdict["changed"] is True
    assert verdict["landed"] == []
    assert await tab.main("() => seen") == []


async def test_what_follows_the_first_event_goes_where_it_goes(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(PAGE)
    await allow(tab, "#a")
    await tab.page.mouse.move(ON_A)
    await tab.page.mouse.down()
    await tab.page.mouse.move(ON_B)
    await tab.page.mouse.up()
    assert (await end(tab))["begun"] is True
    assert await tab.main("() => seen.slice(0, 3)") == ["pointerdown a", "mousedown a", "mouseup b"]


async def test_a_gesture_whose_first_event_is_withheld_is_withheld_to_its_end(tab: Tab) -> None:
    await tab.show(PAGE)
    await allow(tab, "#a")
    await tab.page.mouse.move(ON_B)
    await tab.page.mouse.down()
    await tab.page.mouse.move(ON_A)
    await tab.page.mouse.up()
    assert (await end(tab))["begun"] is False
    assert await tab.main("() => seen") == []


async def test_a_frame_that_looks_on_takes_no_first_event(tab: Tab) -> None:
    await tab.show(PAGE)
    await tab.agent.call(tab.page.main_frame, "look_on")
    await tab.page.mouse.click(ON_A)
    assert await tab.main("() => seen") == []
    await tab.agent.call(tab.page.main_frame, "guard_open")
    await tab.page.mouse.move(ON_A)
    await tab.page.mouse.down()
    await tab.agent.call(tab.page.main_frame, "look_on")
    await tab.page.mouse.up()
    assert "mouseup a" in await tab.main("() => seen")


async def test_a_guard_that_fails_lets_nothing_through(tab: Tab) -> None:
    await tab.show(PAGE)
    await allow(tab, "#a", "{ unchanged: () => { throw new Error('broken'); } }")
    await tab.page.mouse.click(ON_A)
    assert await tab.main("() => seen") == []


async def test_open_guards_let_everything_through(tab: Tab) -> None:
    await tab.show(PAGE)
    await tab.agent.call(tab.page.main_frame, "guard_open")
    await tab.page.mouse.click(ON_B)
    assert "click b" in await tab.main("() => seen")


async def test_inside_a_closed_root_the_very_element_counts(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        """<body style='margin:0'><div id=h></div><script>globalThis.seen = [];
        r = h.attachShadow({mode: 'closed'});
        r.innerHTML = `<button style='width:90px;height:40px'>One</button><br>
          <button style='width:90px;height:40px'>Two</button>`;
        for (const b of r.querySelectorAll('button')) b.onclick = () => seen.push(b.textContent);
        </script>"""
    )
    frame = tab.page.main_frame
    host = await frame.call_handle("() => document.getElementById('h')")
    root = await host.closed_shadow_root()
    await host.call("function (root) { stockade.adopt(this, root); }", root)
    permit = "function () { stockade.modules.Guard.allow([this.querySelector('button')]); }"
    assert root is not None
    await root.call(permit)
    await tab.page.mouse.click(Point(20, 60))
    await root.call(permit)
    await tab.page.mouse.click(Point(20, 20))
    assert await tab.main("() => seen") == ["One"]
