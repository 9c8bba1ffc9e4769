"""Actions in a real browser: they reach what was shown or nothing, and tell what came of it."""

from __future__ import annotations

import pytest

from stockade.errors import (
    DialogOpen,
    InvalidArgument,
    NotActionable,
    StaleRef,
    TargetChanged,
    TargetNotFound,
)
from stockade.page.settle import Settled
from stockade.page.uploading import give_files
from tests.support.browsers import writable_by_browser
from tests.support.levels import only_beside
from tests.support.tabs import CALLER, Tab

LOG = """
<script>
  globalThis.seen = [];
  for (const type of ['click', 'dblclick', 'auxclick', 'contextmenu', 'input', 'change', 'keydown',
                      'drop', 'touchstart', 'mousedown'])
    addEventListener(type, (event) => seen.push(
      [type, event.target.id || event.target.tagName, event.button, event.ctrlKey, event.key]), true);
</script>
"""


async def kinds(tab: Tab) -> list[str]:
    return [entry[0] for entry in await tab.main("() => seen")]


async def test_click_reaches_the_button_and_tells_the_change(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show("<button onclick='out.textContent = 1'>Go</button><p id=out></p>")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled.settled
    assert outcome.settled.effect == "changed"
    assert outcome.target == 'button "Go"'
    assert await tab.main("() => out.textContent") == "1"


async def test_a_click_without_effect_says_so(tab: Tab) -> None:
    await tab.show("<button>Nothing</button>")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled.effect == "none"
    assert outcome.settled.settled


@pytest.mark.parametrize(
    ("button", "count", "expected"),
    [("left", 2, "dblclick"), ("right", 1, "contextmenu"), ("middle", 1, "auxclick")],
)
async def test_other_clicks(either_tab: Tab, button: str, count: int, expected: str) -> None:
    tab = either_tab
    await tab.show(LOG + "<button>Go</button>")
    await tab.actions.click(
        await tab.ref("button"),
        caller=CALLER,
        button=button,  # type: ignore[arg-type]
        count=count,
    )
    assert expected in await kinds(tab)


async def test_modifiers_are_held_during_the_click(tab: Tab) -> None:
    await tab.show(LOG + "<button>Go</button>")
    await tab.actions.click(await tab.ref("button"), caller=CALLER, modifiers=["Control"])
    clicks = [entry for entry in await tab.main("() => seen") if entry[0] == "click"]
    assert [entry[3] for entry in clicks] == [True]


async def test_a_disabled_button_is_refused(tab: Tab) -> None:
    await tab.show(LOG + "<fieldset disabled><button>Go</button></fieldset>")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert caught.value.details["reason"] == "disabled"
    assert await kinds(tab) == []


async def test_an_overlay_is_named_and_nothing_is_clicked(tab: Tab) -> None:
    await tab.show(
        LOG
        + "<button>Go</button>"
        + "<div id=veil style='position:fixed;inset:0' role=dialog aria-label='Cookies'></div>"
    )
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert caught.value.details["reason"] == "obscured"
    assert "Cookies" in caught.value.details["by"]
    assert await kinds(tab) == []


async def test_a_hidden_element_is_refused(tab: Tab) -> None:
    await tab.show("<button id=b>Go</button>")
    ref = await tab.ref("button")
    await tab.main("() => { b.style.visibility = 'hidden'; }")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(ref, caller=CALLER)
    assert caught.value.details["reason"] == "hidden"


async def test_an_element_below_the_fold_is_scrolled_to(tab: Tab) -> None:
    await tab.show(
        "<div style='position:sticky;top:0;height:90px;background:red'></div>"
        "<div style='height:4000px'></div><button onclick='this.textContent=1'>Go</button>"
        "<div style='height:4000px'></div>"
    )
    await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert await tab.main("() => document.querySelector('button').textContent") == "1"


async def test_a_checkbox_that_only_its_label_shows_is_clicked_through_it(tab: Tab) -> None:
    await tab.show(
        "<label><input type=checkbox id=c style='position:absolute;opacity:0;width:0;height:0'>"
        "<span>I agree</span></label>"
    )
    outcome = await tab.actions.set_checked(await tab.ref("#c"), checked=True, caller=CALLER)
    assert outcome.via is not None
    assert await tab.main("() => c.checked") is True
    again = await tab.actions.set_checked(await tab.ref("#c"), checked=True, caller=CALLER)
    assert again.settled.effect == "none"


async def test_unchecking_a_radio_is_explained(tab: Tab) -> None:
    await tab.show("<label><input type=radio id=r checked>One</label>")
    with pytest.raises(InvalidArgument):
        await tab.actions.set_checked(await tab.ref("#r"), checked=False, caller=CALLER)


async def test_a_removed_element_is_stale(tab: Tab) -> None:
    await tab.show("<button id=b>Go</button>")
    ref = await tab.ref("button")
    await tab.main("() => { b.remove(); }")
    with pytest.raises(StaleRef):
        await tab.actions.click(ref, caller=CALLER)


async def test_a_ref_of_another_document_is_stale(tab: Tab) -> None:
    await tab.show("<button>Go</button>")
    ref = await tab.ref("button")
    await tab.show("<button>Go</button>", path="/other")
    with pytest.raises(StaleRef):
        await tab.actions.click(ref, caller=CALLER)
    assert await tab.ref("button") != ref


async def test_a_renamed_button_is_asked_about_once(tab: Tab) -> None:
    await tab.show("<button id=b onclick='out.textContent=1'>Cancel</button><p id=out></p>")
    ref = await tab.ref("button")
    await tab.main("() => { b.textContent = 'Delete everything'; }")
    with pytest.raises(TargetChanged) as caught:
        await tab.actions.click(ref, caller=CALLER)
    assert "Cancel" in caught.value.details["shown"]
    assert "Delete everything" in caught.value.details["now"]
    assert await tab.main("() => out.textContent") == ""
    await tab.actions.click(ref, caller=CALLER)
    assert await tab.main("() => out.textContent") == "1"


async def test_a_counter_in_a_name_does_not_count_as_a_change(tab: Tab) -> None:
    await tab.show("<button id=b onclick='out.textContent=1'>Like (12)</button><p id=out></p>")
    ref = await tab.ref("button")
    await tab.main("() => { b.textContent = 'Like (13)'; }")
    await tab.actions.click(ref, caller=CALLER)
    assert await tab.main("() => out.textContent") == "1"


async def test_a_recycled_row_is_not_deleted(tab: Tab) -> None:
    await tab.show(
        LOG
        + "<table><tr><td id=who>Alice<td><button>Delete</button>"
        + "<tr><td>Bob<td><button>Delete</button></table>"
    )
    ref = await tab.ref("tr:first-child button")
    await tab.main("() => { who.textContent = 'Carol'; }")
    with pytest.raises(TargetChanged):
        await tab.actions.click(ref, caller=CALLER)
    assert "click" not in await kinds(tab)


async def test_an_inserted_row_leaves_the_old_ref_on_its_row(tab: Tab) -> None:
    await tab.show(
        "<ul id=l><li>Alice <button onclick=\"out.textContent='Alice'\">Open</button></ul>"
        "<p id=out></p>"
    )
    ref = await tab.ref("button")
    await tab.main(
        "() => l.insertAdjacentHTML('afterbegin',"
        " `<li>Zed <button onclick=\"out.textContent='Zed'\">Open</button>`)"
    )
    await tab.actions.click(ref, caller=CALLER)
    assert await tab.main("() => out.textContent") == "Alice"


async def test_a_link_navigates_and_the_new_document_is_there(tab: Tab) -> None:
    tab.site.page("/next", "<title>Next</title><p>there</p>")
    await tab.show("<a href=/next>Next</a>")
    outcome = await tab.actions.click(await tab.ref("a"), caller=CALLER)
    assert outcome.settled.effect == "navigated"
    assert outcome.url_after == tab.site.url("/next")
    assert await tab.page.title() == "Next"


async def test_a_popup_is_told_of(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/pop", "<title>Popup</title>")
    await tab.show("<a href=/pop target=_blank>Open</a>")
    outcome = await tab.actions.click(await tab.ref("a"), caller=CALLER)
    assert outcome.settled.effect == "opened"
    assert len(outcome.facts.opened) == 1


async def test_a_dialog_ends_the_wait_at_once(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show("<button onclick=\"alert('Sure?')\">Go</button>")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled.effect == "dialog"
    assert tab.page.dialog is not None
    assert tab.page.dialog.message == "Sure?"
    with pytest.raises(DialogOpen):
        await tab.main("() => 1")
    await tab.page.answer_dialog(accept=True)
    assert await tab.main("() => 1") == 1


HIDDEN_FIELD = """
<div id=host></div><p id=said></p><script>
  host.attachShadow({mode: 'open'}).innerHTML = `
    <div class=box style='position:relative;width:200px;height:40px;background:white'>
      <input role=combobox aria-label=Skills readonly
        style='position:absolute;inset:0;width:100%;height:100%;z-index:-1;opacity:0'>
    </div>`;
  host.shadowRoot.querySelector('.box').addEventListener('mousedown', () => { said.textContent = 'open'; });
</script>
"""


async def test_a_field_that_does_not_show_is_clicked_in_the_box_around_it(tab: Tab) -> None:
    await tab.show(HIDDEN_FIELD)
    outcome = await tab.actions.click(await tab.ref("role=combobox"), caller=CALLER)
    assert outcome.via == "<div.box>"
    assert await tab.main("() => said.textContent") == "open"


async def test_a_field_that_shows_is_covered_by_what_its_box_draws_over_it(tab: Tab) -> None:
    await tab.show(
        """<style>.busy{position:relative;width:200px;height:40px}.busy::after{content:'';
        position:absolute;inset:0;background:#fffc}</style>
        <div class=busy><input aria-label=Skills style='width:100%;height:100%'></div>"""
    )
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(await tab.ref("input"), caller=CALLER)
    assert caught.value.details["reason"] == "obscured"


async def test_a_wide_row_is_clicked_where_it_takes_the_click(tab: Tab) -> None:
    await tab.show(
        """<div role=tree><div id=pear role=treeitem style='width:600px'><i style='padding:9px'></i>
        <span style='cursor:pointer' onclick='said.textContent = "chosen"'>Pear</span></div></div>
        <p id=said></p>"""
    )
    outcome = await tab.actions.click(await tab.ref("#pear"), caller=CALLER)
    assert outcome.via is None
    assert await tab.main("() => said.textContent") == "chosen"


async def test_a_button_that_is_all_slotted_text_is_clicked(tab: Tab) -> None:
    await tab.show(
        """<x-item>Home</x-item><p id=said></p><script>
        customElements.define('x-item', class extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({mode: 'open'}).innerHTML =
              '<button style="all:unset;display:inline;line-height:1"><slot></slot></button>';
            this.shadowRoot.firstChild.onclick = () => { said.textContent = 'clicked'; };
          }
        });</script>"""
    )
    outcome = await tab.actions.click(await tab.ref("role=button"), caller=CALLER)
    assert outcome.via is None
    assert await tab.main("() => said.textContent") == "clicked"


async def test_fill_replaces_the_value_with_trusted_input(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(LOG + "<label>Name <input id=n value=old></label>")
    outcome = await tab.actions.fill(await tab.ref("#n"), "Ünïcödé ✓", caller=CALLER)
    assert await tab.main("() => n.value") == "Ünïcödé ✓"
    assert outcome.after["value"] == "Ünïcödé ✓"
    assert "input" in await kinds(tab)
    await tab.actions.fill(await tab.ref("#n"), "", caller=CALLER)
    assert await tab.main("() => n.value") == ""


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "2026-02-28"),
        ("time", "13:45"),
        ("datetime-local", "2026-02-28T13:45"),
        ("month", "2026-02"),
        ("week", "2026-W09"),
        ("color", "#aabbcc"),
        ("range", "40"),
        ("number", "12.5"),
        ("email", "a@b.test"),
        ("password", "s3cret"),
    ],
)
async def test_fill_knows_every_kind_of_field(tab: Tab, kind: str, value: str) -> None:
    await tab.show(LOG + f"<label>Field <input id=n type={kind} step=any></label>")
    await tab.actions.fill(await tab.ref("#n"), value, caller=CALLER)
    assert await tab.main("() => n.value") == value
    assert "input" in await kinds(tab)


async def test_fill_refuses_what_the_field_cannot_hold(tab: Tab) -> None:
    await tab.show("<input id=d type=date aria-label=Day><input id=n type=number aria-label=Age>")
    with pytest.raises(InvalidArgument) as caught:
        await tab.actions.fill(await tab.ref("#d"), "tomorrow", caller=CALLER)
    assert "YYYY-MM-DD" in caught.value.message
    with pytest.raises(InvalidArgument):
        await tab.actions.fill(await tab.ref("#n"), "many", caller=CALLER)


async def test_fill_refuses_what_takes_no_text(tab: Tab) -> None:
    await tab.show("<button>Go</button><input id=r readonly value=x aria-label=Fixed>")
    with pytest.raises(NotActionable):
        await tab.actions.fill(await tab.ref("button"), "x", caller=CALLER)
    with pytest.raises(NotActionable) as caught:
        await tab.actions.fill(await tab.ref("#r"), "y", caller=CALLER)
    assert caught.value.details["reason"] == "read-only"


async def test_fill_a_contenteditable_and_a_textarea(tab: Tab) -> None:
    await tab.show(
        "<div id=e contenteditable aria-label=Note>old <b>text</b></div>"
        "<textarea id=t aria-label=Long>one</textarea>"
    )
    await tab.actions.fill(await tab.ref("#e"), "new", caller=CALLER)
    await tab.actions.fill(await tab.ref("#t"), "a\nb", caller=CALLER)
    assert await tab.main("() => e.textContent") == "new"
    assert await tab.main("() => t.value") == "a\nb"


async def test_type_appends_and_press_submits(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/sent", "<title>Sent</title>")
    await tab.show(LOG + "<form action=/sent><input id=q name=q aria-label=Query></form>")
    await tab.actions.type(await tab.ref("#q"), "Hello W", caller=CALLER)
    await tab.actions.type(await tab.ref("#q"), "orld!", caller=CALLER)
    assert await tab.main("() => q.value") == "Hello World!"
    outcome = await tab.actions.press("Enter", ref=await tab.ref("#q"), caller=CALLER)
    assert outcome.settled.effect == "navigated"
    assert "q=Hello+World%21" in outcome.url_after


async def test_chords_edit(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show("<input id=q value='some words' aria-label=Query>")
    ref = await tab.ref("#q")
    await tab.actions.press("Control+a", ref=ref, caller=CALLER)
    await tab.actions.press("Backspace", ref=ref, caller=CALLER)
    assert await tab.main("() => q.value") == ""


async def test_press_without_a_target_goes_to_the_focus(tab: Tab) -> None:
    await tab.show(LOG + "<button autofocus id=b onclick='this.textContent=1'>Go</button>")
    await tab.main("() => b.focus()")
    await tab.actions.press("Enter", caller=CALLER)
    assert await tab.main("() => b.textContent") == "1"


async def test_select_by_value_or_label(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        LOG + "<select id=s aria-label=Size><option value=s>Small<option value=l>Large</select>"
    )
    outcome = await tab.actions.select(await tab.ref("#s"), ["Large"], caller=CALLER)
    assert outcome.extra["selected"] == ["Large"]
    assert await tab.main("() => s.value") == "l"
    assert await kinds(tab) == ["input", "change"]
    with pytest.raises(TargetNotFound) as caught:
        await tab.actions.select(await tab.ref("#s"), ["Huge"], caller=CALLER)
    assert caught.value.details["options"] == ["Small", "Large"]


async def test_select_many(tab: Tab) -> None:
    await tab.show("<select id=s multiple aria-label=Tags><option>a<option>b<option>c</select>")
    await tab.actions.select(await tab.ref("#s"), ["a", "c"], caller=CALLER)
    assert await tab.main("() => [...s.selectedOptions].map((o) => o.value)") == ["a", "c"]


async def test_hover_opens_a_menu(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        "<div id=m tabindex=0 role=button onmouseenter='out.textContent=1'>Menu</div><p id=out></p>"
    )
    outcome = await tab.actions.hover(await tab.ref("#m"), caller=CALLER)
    assert outcome.settled.effect == "changed"


@only_beside
async def test_upload_to_an_input_and_through_a_chooser(
    either_tab: Tab, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tab = either_tab
    folder = writable_by_browser(tmp_path_factory.mktemp("up"))
    (folder / "a.txt").write_text("hello", encoding="utf-8")
    await tab.show(
        "<label>File <input id=f type=file></label>"
        "<button onclick=\"i=document.createElement('input');i.type='file';"
        'i.onchange=()=>out.textContent=i.files[0].name;i.click()">Choose</button><p id=out></p>'
    )
    await give_files(tab.actions, await tab.ref("#f"), [str(folder / "a.txt")], caller=CALLER)
    assert await tab.main("() => f.files[0].text()") == "hello"
    await give_files(tab.actions, await tab.ref("button"), [str(folder / "a.txt")], caller=CALLER)
    assert await tab.main("() => out.textContent") == "a.txt"


async def test_tap_is_a_touch(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(LOG + "<button ontouchstart='this.textContent=1'>Go</button>")
    await tab.actions.tap(await tab.ref("button"), caller=CALLER)
    assert await tab.main("() => document.querySelector('button').textContent") == "1"


FRAMED = """<body style='margin:0'><p>Top</p>
<iframe style='border:7px solid;margin:40px 0 0 90px;transform:rotate(3deg) scale(.9)' width=600 height=300
 src='{inner}'></iframe>"""


@pytest.mark.parametrize("host", ["127.0.0.1", "a.localhost"])
async def test_input_reaches_frames_of_any_site_through_transforms(
    either_tab: Tab, host: str
) -> None:
    tab = either_tab
    tab.site.page(
        "/leaf",
        "<div style='height:900px'></div><button onclick='this.textContent=1'>Leaf</button>"
        "<input id=i aria-label=Text>",
    )
    leaf = tab.site.url("/leaf", host="b.localhost")
    tab.site.page("/mid", f"<iframe width=400 height=200 src='{leaf}'></iframe>")
    await tab.show(FRAMED.format(inner=tab.site.url("/mid", host=host)), path="/framed")
    frame = await tab.frame("/leaf")
    ref = await tab.ref("button", frame=frame)
    assert ref.startswith("f")
    await tab.actions.click(ref, caller=CALLER)
    assert await tab.main("() => document.querySelector('button').textContent", frame=frame) == "1"
    await tab.actions.fill(await tab.ref("#i", frame=frame), "inside", caller=CALLER)
    assert await tab.main("() => i.value", frame=frame) == "inside"


async def test_an_overlay_over_a_frame_is_seen(tab: Tab) -> None:
    tab.site.page("/leaf", "<button onclick='this.textContent=1'>Leaf</button>")
    await tab.show(
        f"<iframe width=400 height=200 src='{tab.site.url('/leaf', host='a.localhost')}'></iframe>"
        "<div style='position:fixed;inset:0' id=veil></div>"
    )
    frame = await tab.frame("/leaf")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(await tab.ref("button", frame=frame), caller=CALLER)
    assert caught.value.details["reason"] == "obscured"


async def test_a_closed_shadow_root_can_be_worked_in(tab: Tab) -> None:
    await tab.show(
        """<x-card></x-card><p id=out></p><script>
        customElements.define('x-card', class extends HTMLElement {
          constructor() {
            super();
            const root = this.attachShadow({mode: 'closed'});
            root.innerHTML = '<button>Inside</button><button>Other</button><input aria-label=Text>';
            root.firstChild.onclick = () => { out.textContent = 'inside'; };
            root.querySelector('input').oninput = (e) => { out.textContent = e.target.value; };
          }
        });</script>"""
    )
    frame = tab.page.main_frame
    await tab.agent.call(frame, "snapshot", caller=CALLER)
    assert await tab.agent.adopt_closed_roots(frame) == 1
    await tab.actions.click(await tab.ref("role=button[name='Inside']"), caller=CALLER)
    assert await tab.main("() => out.textContent") == "inside"
    await tab.actions.fill(await tab.ref("role=textbox"), "typed", caller=CALLER)
    assert await tab.main("() => out.textContent") == "typed"


async def test_a_frame_that_hangs_does_not_hold_the_others_up(tab: Tab) -> None:
    tab.site.page("/hang", "<script>onmessage = () => { for (;;); }</script>")
    hang = tab.site.url("/hang", host="a.localhost")
    await tab.show(
        f"<button onclick='out.textContent = 1'>Go</button><p id=out></p><iframe src='{hang}'>"
    )
    await tab.main("() => { frames[0].postMessage(1, '*'); }")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled == Settled(settled=True, effect="changed")
    assert (await tab.actions.press("Escape", caller=CALLER)).settled.settled
