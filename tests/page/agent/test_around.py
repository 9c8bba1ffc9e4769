"""What is around an element that is acted on, before and after."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab


async def clicked(tab: Tab, selector: str) -> dict[str, Any]:
    outcome = await tab.actions.click(await tab.ref(selector), caller=CALLER)
    return outcome.after


async def filled(tab: Tab, selector: str, value: str) -> dict[str, Any]:
    outcome = await tab.actions.fill(await tab.ref(selector), value, caller=CALLER)
    return outcome.after


async def test_an_ordinary_button_says_nothing_more(tab: Tab) -> None:
    await tab.show("<main><p>Words</p><button>Go</button><label>Name <input></label></main>")
    assert set(await clicked(tab, "button")) <= {"attached", "focused", "active"}
    assert set(await filled(tab, "input", "Ada")) <= {"attached", "focused", "active", "value"}


async def test_a_text_that_changes_is_told(tab: Tab) -> None:
    await tab.show("<button onclick=\"this.textContent = 'Following'\">Follow</button>")
    assert (await clicked(tab, "button"))["displayText"] == "Following"


async def test_what_a_field_shows_around_itself(tab: Tab) -> None:
    await tab.show(
        "<form><div><label for=a>Age</label><input id=a oninput=\"hint.textContent = 'Too young'\">"
        "<span id=hint></span></div><div><label>Name <input></label></div></form>"
    )
    after = await filled(tab, "#a", "3")
    assert after["displayText"] == "Age Too young"


async def test_the_row_that_is_acted_in(tab: Tab) -> None:
    await tab.show(
        '<table><tr><td>Assam</td><td class=n>0</td><td><button onclick="'
        "this.closest('tr').querySelector('.n').textContent = '1'\">Buy</button></td></tr>"
        "<tr><td>Sencha</td><td>0</td><td><a href='#x'>More</a></td></tr></table>"
        "<ul><li><a href='#y'>Alone</a></li></ul>"
    )
    after = await clicked(tab, "button")
    assert after["container"] == {
        "kind": "row",
        "rowKey": "Assam",
        "rowText": "Assam 1 Buy",
        "changed": True,
    }
    assert (await clicked(tab, "text=More"))["container"]["changed"] is False
    assert "container" not in await clicked(tab, "text=Alone")


async def test_a_row_that_goes(tab: Tab) -> None:
    await tab.show(
        "<ul><li>Tea <button onclick='this.parentElement.remove()'>Remove</button></li></ul>"
    )
    after = await clicked(tab, "button")
    assert after["attached"] is False
    assert (after["container"]["changed"], after["container"]["rowText"]) == (True, "")


async def test_an_option_belongs_to_the_combobox_that_opened_its_list(tab: Tab) -> None:
    await tab.show(
        "<label id=l>Team</label><div role=combobox aria-labelledby=l aria-controls=list tabindex=0"
        ' aria-expanded=true>None</div><ul id=list role=listbox><li role=option onclick="'
        "document.querySelector('[role=combobox]').textContent = this.textContent;"
        'this.parentElement.remove()">Engineering</li></ul>'
    )
    after = await clicked(tab, "[role=option]")
    assert after["ownerControl"] == {
        "label": "Team",
        "displayTextBefore": "None",
        "displayTextAfter": "Engineering",
        "changed": True,
    }


async def test_radios_and_selects(tab: Tab) -> None:
    await tab.show(
        "<div role=radiogroup aria-label=Size><label><input type=radio name=s checked>Small</label>"
        "<label><input type=radio name=s id=big>Big</label></div>"
        "<label>Delivery <select><option>Post<option>Bike</select></label>"
    )
    after = await clicked(tab, "#big")
    assert (after["checked"], after["ownerControl"]["displayTextAfter"]) == (True, "Big")
    assert after["ownerControl"]["displayTextBefore"] == "Small"
    ref = await tab.ref("select")
    chosen = await tab.actions.select(ref, ["Bike"], caller=CALLER)
    assert chosen.after["ownerControl"]["changed"] is True
    same = await tab.actions.select(ref, ["Bike"], caller=CALLER)
    assert "ownerControl" not in same.after


async def test_what_is_off_says_so(tab: Tab) -> None:
    await tab.show("<input type=checkbox checked>")
    assert (await clicked(tab, "input"))["checked"] is False


async def test_a_point_in_words(tab: Tab) -> None:
    await tab.show("<p>Around <b style='position:absolute;left:0;top:0'>Bold</b></p>")
    said = await tab.agent.call(tab.page.main_frame, "hit", x=5, y=5)
    assert said["hit"]["tag"] == "b"
    assert (said["hit"]["text"], said["hit"]["ancestorText"]) == ("Bold", "Around Bold")
    nothing = await tab.agent.call(tab.page.main_frame, "hit", x=-5, y=5)
    assert nothing["hit"] is None
