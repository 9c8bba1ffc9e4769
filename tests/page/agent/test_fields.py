"""Making fields ready, setting what no key can fill, choosing options."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import InvalidArgument, NotActionable, TargetAmbiguous, TargetNotFound
from tests.support.tabs import CALLER, Tab


async def call(tab: Tab, method: str, selector: str, **arguments: Any) -> Any:
    number = int((await tab.ref(selector))[1:])
    return await tab.agent.call(tab.page.main_frame, method, caller=CALLER, ref=number, **arguments)


async def test_what_is_there_is_selected_so_that_new_text_replaces_it(tab: Tab) -> None:
    await tab.show("<input id=i value=old aria-label=A><div id=d contenteditable>old</div>")
    ready = await call(tab, "prepare_fill", "#i", value="new")
    assert ready["mode"] == "insert"
    assert await tab.main("() => [i.selectionStart, i.selectionEnd]") == [0, 3]
    await call(tab, "prepare_fill", "#d", value="new")
    assert await tab.main("() => getSelection().toString()") == "old"


async def test_a_page_that_takes_the_focus_away_is_noticed(tab: Tab) -> None:
    await tab.show("<input id=i aria-label=A onfocus='this.blur()'>")
    with pytest.raises(NotActionable) as caught:
        await call(tab, "prepare_fill", "#i", value="x")
    assert caught.value.details["reason"] == "focus-lost"


async def test_a_value_out_of_range_is_refused(tab: Tab) -> None:
    await tab.show("<input id=i type=range min=0 max=10 aria-label=A>")
    with pytest.raises(InvalidArgument):
        await call(tab, "prepare_fill", "#i", value="99")


async def test_a_password_is_filled_and_never_told(tab: Tab) -> None:
    await tab.show("<input id=i type=password value=hunter2 aria-label=Secret>")
    ready = await call(tab, "prepare_fill", "#i", value="x")
    assert "hunter2" not in str(ready)


SELECT = """<select id=s aria-label=S><option value=1>Same<option value=2>Same
<option value=3 disabled>Off<option value=4 label='Shown'>Real</select><button>B</button>"""


async def test_options_by_value_label_and_text(tab: Tab) -> None:
    await tab.show(SELECT)
    for wanted, value in (("2", "2"), ("Shown", "4"), ("Real", "4")):
        await call(tab, "choose", "#s", values=[wanted])
        assert await tab.main("() => s.value") == value


async def test_options_that_cannot_be_chosen(tab: Tab) -> None:
    await tab.show(SELECT)
    with pytest.raises(TargetAmbiguous) as ambiguous:
        await call(tab, "choose", "#s", values=["Same"])
    assert ambiguous.value.details["values"] == ["1", "2"]
    with pytest.raises(NotActionable):
        await call(tab, "choose", "#s", values=["Off"])
    with pytest.raises(TargetNotFound):
        await call(tab, "choose", "#s", values=["None"])
    with pytest.raises(InvalidArgument):
        await call(tab, "choose", "#s", values=["1", "2"])
    with pytest.raises(NotActionable):
        await call(tab, "choose", "button", values=["1"])


async def test_choosing_what_is_chosen_changes_nothing(tab: Tab) -> None:
    await tab.show(SELECT)
    await tab.main("() => { globalThis.count = 0; s.onchange = () => { count += 1; }; }")
    await call(tab, "choose", "#s", values=["2"])
    await call(tab, "choose", "#s", values=["2"])
    assert await tab.main("() => count") == 1


async def test_the_file_input_behind_a_label(tab: Tab) -> None:
    await tab.show("<label id=l>Pick <input type=file id=f multiple></label><button>B</button>")
    found = await call(tab, "file_input", "#l")
    assert found["multiple"] is True
    assert found["ref"] is not None
    assert (await call(tab, "file_input", "button"))["ref"] is None


async def test_a_choice_opens_no_list_of_a_plugin(tab: Tab) -> None:
    await tab.show(
        """<select id=s aria-label=Size onfocus='list.hidden = false'><option>Small<option>Large</select>
        <ul id=list hidden><li>Large</ul><script>globalThis.heard = [];
        for (const type of ['input', 'change']) s.addEventListener(type, () => heard.push(type));
        </script>"""
    )
    await tab.actions.select(await tab.ref("#s"), ["Large"], caller=CALLER)
    assert await tab.main("() => [s.value, list.hidden, heard]") == [
        "Large",
        True,
        ["input", "change"],
    ]


@pytest.mark.parametrize(
    ("html", "secret"),
    [
        ("<input id=f autocomplete=new-password value=tea>", False),
        ("<input id=f type=search autocomplete='section-a new-password' value=tea>", False),
        ("<input id=f type=password autocomplete=new-password value=tea>", True),
        ("<input id=f autocomplete=current-password value=tea>", True),
        ("<input id=f autocomplete=cc-csc value=123>", True),
        ("<input id=f style='-webkit-text-security:disc' value=tea>", True),
    ],
)
async def test_what_is_a_password(tab: Tab, html: str, secret: bool) -> None:
    await tab.show(html)
    said = await tab.page.main_frame.call(
        "() => stockade.modules.Dom.secret(document.getElementById('f'))"
    )
    assert said is secret


async def test_a_password_that_is_shown_for_a_moment_stays_one(tab: Tab) -> None:
    await tab.show("<input id=f type=password autocomplete=new-password value=tea>")
    await tab.main("() => { f.type = 'text'; }")
    said = await tab.page.main_frame.call(
        "() => stockade.modules.Dom.secret(document.getElementById('f'))"
    )
    assert said is True
