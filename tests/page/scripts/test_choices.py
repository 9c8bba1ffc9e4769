"""The options of a control, wherever they are drawn."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab


async def ask(tab: Tab, step: str, **arguments: Any) -> Any:
    return await tab.agent.call(
        tab.page.main_frame, "choices.js", step=step, caller=CALLER, **arguments
    )


async def begun(tab: Tab, selector: str, option: str, *, exact: bool = True) -> Any:
    ref = await tab.ref(selector)
    return await ask(tab, "begin", ref=int(ref[1:]), option=option, exact=exact)


async def test_kinds(tab: Tab) -> None:
    await tab.show(
        """<select id=s><option>A</select><input id=d list=l><datalist id=l></datalist>
        <div id=b role=listbox><div role=option>A</div></div><button id=p>More</button>
        <input id=c role=combobox><input id=r type=radio name=n>"""
    )
    kinds = {
        each: (await begun(tab, f"#{each}", "A"))["kind"] for each in ("s", "d", "b", "p", "c", "r")
    }
    assert kinds == {
        "s": "select",
        "d": "datalist",
        "b": "list",
        "p": "popup",
        "c": "popup",
        "r": "list",
    }


async def test_only_what_came_up_is_offered(tab: Tab) -> None:
    await tab.show("<div role=menu><div role=menuitem>Old</div></div><button id=p>More</button>")
    await begun(tab, "#p", "Old")
    assert (await ask(tab, "look", option="Old", exact=True))["matches"] == []
    await tab.main(
        "() => document.body.insertAdjacentHTML('beforeend',"
        " '<div role=menu><div role=menuitem data-value=7>New</div></div>')"
    )
    looked = await ask(tab, "look", option="7", exact=True)
    assert [each["name"] for each in looked["matches"]] == ["New"]
    await ask(tab, "end")
    assert await tab.page.main_frame.call("() => 'stockadeChoice' in globalThis") is False


async def test_a_list_is_scrolled_to_its_end(tab: Tab) -> None:
    await tab.show(
        "<div id=b role=listbox style='height:50px;overflow:auto'>"
        + "".join(f"<div role=option style='height:20px'>{n}</div>" for n in range(10))
        + "</div>"
    )
    await begun(tab, "#b", "9")
    moves = [(await ask(tab, "scroll"))["moved"] for _ in range(6)]
    assert moves[0]
    assert not moves[-1]
    await ask(tab, "top")
    assert await tab.main("() => b.scrollTop") == 0
