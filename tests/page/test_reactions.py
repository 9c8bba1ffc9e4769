"""Controls that react to the first event of a gesture: the rest goes where a person's would."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import NotActionable
from tests.support.site import Request, Response
from tests.support.tabs import CALLER, Tab

LOG = """<script>
  globalThis.heard = [];
  for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'keydown', 'keyup', 'input'])
    window.addEventListener(type, (e) => heard.push(type + ' ' + (e.target.id || e.target.tagName)), true);
</script>"""

OVER = "margin:0;position:absolute;left:0;top:0;width:300px;height:200px"


async def heard(tab: Tab) -> list[str]:
    found: list[str] = await tab.main("() => heard")
    return found


@pytest.mark.parametrize("event", ["pointerdown", "mousedown", "focus"])
async def test_a_list_that_opens_over_its_button_on_the_press(either_tab: Tab, event: str) -> None:
    tab = either_tab
    await tab.show(
        LOG + f"<body style='margin:0'><button id=b on{event}='list.hidden = false'>Size</button>"
        f"<ul id=list hidden style='{OVER}'><li>Small</ul>"
    )
    outcome = await tab.actions.click(await tab.ref("#b"), caller=CALLER)
    assert outcome.settled.effect == "changed"
    assert outcome.after["attached"] is True
    assert await tab.main("() => list.hidden") is False
    assert [each for each in await heard(tab) if each.startswith("mouseup")] != []


@pytest.mark.parametrize(
    "reaction",
    [
        "this.remove()",
        "this.hidden = true",
        "this.replaceWith(Object.assign(document.createElement('p'), {textContent: 'Done'}))",
        "this.textContent = 'Stop'",
        "this.style.marginTop = '300px'",
        "this.disabled = true",
        "event.stopPropagation(); this.textContent = 'Stop'",
        "event.preventDefault(); document.body.append('more')",
        "document.body.innerHTML = '<h1>Over</h1>'",
    ],
)
@pytest.mark.parametrize("event", ["pointerdown", "mousedown", "focus"])
async def test_what_a_control_does_at_the_press_is_told_and_not_refused(
    tab: Tab, event: str, reaction: str
) -> None:
    await tab.show(
        "<script>globalThis.times = 0</script><body style='margin:0'>"
        f'<button on{event}="times += 1; {reaction}">Play</button><p>Text'
    )
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.target == 'button "Play"'
    assert outcome.settled.effect == "changed"
    assert await tab.main("() => times") == 1


async def test_a_field_whose_focus_ends_the_task(tab: Tab) -> None:
    await tab.show(
        "<body style='margin:0'><input aria-label=Name onfocus='over.hidden = false'>"
        f"<div id=over hidden style='{OVER}'>Task done</div>"
    )
    outcome = await tab.actions.click(await tab.ref("input"), caller=CALLER)
    assert outcome.settled.effect == "changed"


async def test_a_press_that_navigates(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/next", "<p>Next")
    await tab.show("<button onmousedown=\"location.href = '/next'\">Go</button>")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled.effect == "navigated"


async def test_a_press_that_opens_a_list_in_a_frame_over_it(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/list", LOG + "<body>Small")
    other = tab.site.url("/list", host="a.localhost")
    await tab.show(
        "<body style='margin:0'><button onmousedown='f.style.left = 0'>Size</button>"
        f"<iframe id=f src='{other}' style='{OVER};left:900px;border:0'></iframe>"
    )
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled.settled
    assert await tab.main("() => f.style.left") == "0px"


async def test_a_double_click_whose_first_click_replaces_the_cell(tab: Tab) -> None:
    await tab.show(
        LOG + "<body style='margin:0'><div id=cell role=button style='width:200px;height:40px'"
        " onclick=\"this.outerHTML = `<input id=edit style='width:200px;height:40px'>`\">Cell</div>"
    )
    outcome = await tab.actions.click(await tab.ref("#cell"), caller=CALLER, count=2)
    assert outcome.after["attached"] is False
    assert "mousedown edit" in await heard(tab)


async def test_what_covers_before_the_press_withholds_it(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        LOG + "<body style='margin:0'><button id=b onmouseenter='over.hidden = false'>Go</button>"
        f"<button id=over hidden style='{OVER}'>Pay</button>"
    )
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(await tab.ref("#b"), caller=CALLER)
    assert caught.value.retryable
    assert await heard(tab) == []


async def test_a_touch_whose_start_hides_the_target(tab: Tab) -> None:
    await tab.show(
        "<body style='margin:0'><button ontouchstart='this.hidden = true; out.textContent = 1'>Go</button>"
        "<p id=out>"
    )
    await tab.actions.tap(await tab.ref("button"), caller=CALLER)
    assert await tab.main("() => out.textContent") == "1"


# --- keys -------------------------------------------------------------------------------------------


async def test_tab_goes_to_the_next_field(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(LOG + "<form><input id=a aria-label=A><input id=b aria-label=B></form>")
    outcome = await tab.actions.press("Tab", ref=await tab.ref("#a"), caller=CALLER)
    assert outcome.settled.settled
    assert outcome.after["focused"] is False
    assert await heard(tab) == ["keydown a", "keyup b"]


async def test_an_arrow_in_a_menu_that_moves_the_focus(tab: Tab) -> None:
    await tab.show(
        "<div role=menu onkeydown=\"if (event.key === 'ArrowDown') event.target.nextElementSibling.focus()\">"
        "<div role=menuitem tabindex=0 id=a>One</div><div role=menuitem tabindex=-1 id=b>Two</div></div>"
    )
    await tab.actions.press("ArrowDown", ref=await tab.ref("#a"), caller=CALLER)
    assert await tab.main("() => document.activeElement.id") == "b"


async def test_escape_closes_a_dialog(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        "<button id=before>Open</button><dialog id=d><button id=inside>Inside</button></dialog>"
        "<script>before.focus(); d.showModal()</script>"
    )
    await tab.actions.press("Escape", ref=await tab.ref("#inside"), caller=CALLER)
    assert await tab.main("() => d.open") is False


@pytest.mark.parametrize(
    "reaction", ["other.focus()", "this.remove()", "this.blur()", "this.disabled = true"]
)
async def test_enter_is_taken_once_whatever_it_does_to_the_focus(tab: Tab, reaction: str) -> None:
    await tab.show(
        "<script>globalThis.orders = 0</script>"
        "<input id=f aria-label=Amount onkeydown=\"if (event.key === 'Enter') { orders += 1;"
        f' {reaction} }}"><button id=other>Other</button>'
    )
    await tab.actions.press("Enter", ref=await tab.ref("#f"), caller=CALLER)
    assert await tab.main("() => orders") == 1


async def test_typing_goes_on_in_the_fields_that_the_focus_is_passed_to(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        "<input maxlength=1 aria-label=1><input maxlength=1 aria-label=2><input maxlength=1 aria-label=3>"
        "<input maxlength=1 aria-label=4><script>for (const field of document.querySelectorAll('input'))"
        " field.oninput = () => field.nextElementSibling?.focus();</script>"
    )
    await tab.actions.type(await tab.ref("[aria-label='1']"), "4711", caller=CALLER)
    held = await tab.main(
        "() => [...document.querySelectorAll('input')].map((f) => f.value).join('')"
    )
    assert held == "4711"


async def test_typing_goes_on_in_the_frame_that_the_focus_is_passed_to(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/second", "<input id=second aria-label=Second>")
    await tab.show(
        "<input id=first aria-label=First maxlength=1><iframe src='/second'></iframe><script>"
        "first.oninput = () => frames[0].document.getElementById('second').focus();</script>"
    )
    await tab.actions.type(await tab.ref("#first"), "12", caller=CALLER)
    second = await tab.frame("/second")
    assert await tab.main("() => second.value", frame=second) == "2"


async def test_keys_after_a_focus_that_was_passed_on(tab: Tab) -> None:
    await tab.show(
        LOG + "<div id=box tabindex=0 aria-label=Box role=group onfocus='inner.focus()'>Box</div>"
        "<input id=inner aria-label=Inner>"
    )
    await tab.actions.type(await tab.ref("#box"), "ab", caller=CALLER)
    assert await tab.main("() => inner.value") == "ab"


async def test_a_field_that_goes_away_as_it_takes_the_focus_is_no_case_for_a_repeat(
    tab: Tab,
) -> None:
    await tab.show(
        "<script>globalThis.times = 0</script>"
        "<input id=f aria-label=Name onfocus='times += 1; this.remove()'>"
    )
    with pytest.raises(NotActionable) as caught:
        await tab.actions.type(await tab.ref("#f"), "ab", caller=CALLER)
    assert caught.value.retryable is False
    assert await tab.main("() => times") == 1


async def test_the_keys_of_a_secret_stay_in_their_field(tab: Tab) -> None:
    await tab.show(
        "<input id=f aria-label=Pin oninput='other.focus()'><input id=other aria-label=Other>"
    )
    with pytest.raises(NotActionable) as caught:
        await tab.actions.type(await tab.ref("#f"), "4711", follow=False, caller=CALLER)
    assert caught.value.retryable is False
    assert await tab.main("() => f.value + '/' + other.value") == "4/"


# --- fill -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "handler",
    [
        'onfocus="this.replaceWith(next); next.hidden = false; next.focus()"',
        'onfocus="next.hidden = false; next.focus()"',
    ],
)
async def test_fill_goes_where_the_field_passes_the_focus_on(tab: Tab, handler: str) -> None:
    await tab.show(
        f"<input id=f aria-label=Date {handler}><input id=next hidden aria-label=Day value=old>"
    )
    outcome = await tab.actions.fill(await tab.ref("#f"), "new", caller=CALLER)
    assert await tab.main("() => next.value") == "new"
    assert outcome.via == 'textbox "Day"'


@pytest.mark.parametrize(
    "reaction",
    [
        "this.remove()",
        "document.body.append(this)",
        "this.disabled = true",
        "other.focus()",
        "document.body.innerHTML = 'Thanks'",
    ],
)
async def test_fill_of_a_field_whose_input_handler_changes_it(tab: Tab, reaction: str) -> None:
    await tab.show(
        "<script>globalThis.got = []</script><input id=f aria-label=Code"
        f' oninput="got.push(this.value); {reaction}"><button id=other>Other</button>'
    )
    outcome = await tab.actions.fill(await tab.ref("#f"), "4711", caller=CALLER)
    assert outcome.settled.effect == "changed"
    assert await tab.main("() => got") == ["4711"]


async def test_a_fill_that_found_no_field_to_go_to_is_no_case_for_a_repeat(tab: Tab) -> None:
    await tab.show("<input id=f aria-label=Name onfocus=\"this.blur(); document.title = 'done'\">")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.fill(await tab.ref("#f"), "x", caller=CALLER)
    assert caught.value.retryable is False


async def test_a_box_that_stays_as_it_is_was_clicked_and_is_no_case_for_a_repeat(tab: Tab) -> None:
    await tab.show("<input type=checkbox aria-label=Agree onclick='event.preventDefault()'>")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.set_checked(await tab.ref("input"), checked=True, caller=CALLER)
    assert caught.value.retryable is False


async def test_what_has_no_size_while_its_hover_picture_loads_is_clicked(tab: Tab) -> None:
    async def picture(_: Request) -> Response:
        await asyncio.sleep(0.3)
        return Response(
            b'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>',
            content_type="image/svg+xml",
        )

    tab.site.route("/hover.svg", picture)
    await tab.show(
        "<style>span { content: url('data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22"
        " width=%2220%22 height=%2220%22/>') } span:hover { content: url(/hover.svg) }</style>"
        "<div onclick=\"out.textContent += 'row '\"><span onclick=\"out.textContent += 'icon '\">"
        "</span> A row</div><p id=out></p>"
    )
    await tab.actions.click(await tab.ref("span"), caller=CALLER)
    assert await tab.main("() => out.textContent") == "icon row "
