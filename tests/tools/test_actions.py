"""Actions over the kernel: what they do, what they report, and when they refuse."""

from __future__ import annotations

import pytest

from tests.support.callers import Caller
from tests.support.websocket import WebSocket

FORM = """<title>Form</title>
<form onsubmit="event.preventDefault(); out.textContent = 'Hello ' + who.value">
<label>Name <input id=who></label><button>Send</button></form><p role=status id=out></p>"""


async def test_a_click_shows_what_it_changed(caller: Caller) -> None:
    await caller.show(FORM)
    await caller.ok("fill", selector="label=Name", value="Ann")
    done = await caller.ok("click", selector="role=button[name=Send]")
    assert done["action"]["target"] == 'button "Send"'
    assert done["structure"]["appeared"] == [{"role": "status"}]
    assert "Hello Ann" in done["snapshotDelta"]["tree"]
    assert "warnings" not in done


async def test_a_ref_from_a_snapshot_is_acted_on(caller: Caller) -> None:
    await caller.show(FORM)
    text = await caller.text("snapshot")
    line = next(line for line in text.splitlines() if 'button "Send"' in line)
    ref = line.rpartition("[")[2].rstrip("]")
    done = await caller.ok("click", ref=ref)
    assert "action" not in done


async def test_a_click_without_effect_says_so(caller: Caller) -> None:
    await caller.show("<button>Dead</button>")
    done = await caller.ok("click", selector="role=button")
    assert done["warnings"] == ["nothing was seen to happen"]


async def test_a_disabled_button_is_not_clicked(caller: Caller) -> None:
    await caller.show("<button disabled onclick=out.textContent=1>Buy</button><p id=out>")
    refusal = await caller.refused("click", selector="role=button")
    assert (refusal["code"], refusal["reason"]) == ("not_actionable", "disabled")


async def test_what_covers_an_element_is_named(caller: Caller) -> None:
    await caller.show(
        """<button>Buy</button>
        <div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#fff'></div>"""
    )
    refusal = await caller.refused("click", selector="role=button[name=Buy]")
    assert refusal["code"] == "not_actionable"
    assert "Cookies" in refusal["error"]


async def test_force_clicks_the_place_and_says_so(caller: Caller) -> None:
    await caller.show(
        """<button>Buy</button><p role=status id=out></p>
        <div style='position:fixed;inset:0' onclick="out.textContent='cover'"></div>"""
    )
    done = await caller.ok("click", selector="role=button[name=Buy]", force=True)
    assert "cover" in done["snapshotDelta"]["tree"]
    assert any("forced" in warning for warning in done["warnings"])


async def test_one_of_several_is_not_guessed(caller: Caller) -> None:
    await caller.show("<button>One</button><button>Two</button>")
    refusal = await caller.refused("click", selector="role=button")
    assert refusal["code"] == "ambiguous"
    assert {each["description"] for each in refusal["candidates"]} == {
        'button "One"',
        'button "Two"',
    }


async def test_a_point_is_clicked(caller: Caller) -> None:
    await caller.show(
        "<body onclick=\"out.textContent = event.clientX + ',' + event.clientY\"><p role=status id=out>"
    )
    done = await caller.ok("click", coords={"x": 200, "y": 150})
    assert "200,150" in done["snapshotDelta"]["tree"]


async def test_double_right_and_modified_clicks(caller: Caller) -> None:
    await caller.show(
        """<button ondblclick="out.textContent='double'"
        oncontextmenu="out.textContent='menu'; event.preventDefault()"
        onclick="if (event.shiftKey) out.textContent='shift'">B</button><p role=status id=out></p>"""
    )
    for given, expected in (
        ({"count": 2}, "double"),
        ({"button": "right"}, "menu"),
        ({"modifiers": ["Shift"]}, "shift"),
    ):
        done = await caller.ok("click", selector="role=button", **given)
        assert expected in done["snapshotDelta"]["tree"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"ref": "e1", "selector": "role=button"},
        {"ref": "e1", "coords": {"x": 1, "y": 1}},
        {"ref": "nonsense"},
        {"selector": ""},
        {"selector": "role=["},
        {"coords": {"x": 1}},
        {"coords": {"x": "a", "y": 2}},
        {"ref": "e1", "button": "fourth"},
        {"ref": "e1", "count": 99},
        {"ref": "e1", "timeoutMs": 0},
        {"ref": "e1", "mode": "all"},
        {"ref": 5},
        {"ref": "e1", "unheard": 1},
    ],
    ids=str,
)
async def test_bad_arguments_are_refused_before_anything_happens(
    caller: Caller, arguments: dict[str, object]
) -> None:
    await caller.show("<button onclick=out.textContent=1>B</button><p id=out>")
    refusal = await caller.refused("click", **arguments)
    assert refusal["code"] == "invalid_argument"
    assert refusal["failure"]["source"] == "caller"


async def test_a_ref_of_a_past_document_is_stale(caller: Caller) -> None:
    await caller.show("<button>One</button>")
    found = await caller.ok("find", query="One button")
    await caller.ok("reload")
    refusal = await caller.refused("click", ref=found["candidates"][0]["ref"])
    assert refusal["code"] == "stale_ref"


async def test_the_value_is_in_the_evidence(caller: Caller) -> None:
    await caller.show(FORM)
    done = await caller.ok("fill", selector="label=Name", value="Ünïcode ✓")
    assert done["element"]["value"] == "Ünïcode ✓"
    assert "stillAttached" not in done["element"]
    typed = await caller.ok("type", selector="label=Name", text=" more")
    assert typed["element"]["value"] == "Ünïcode ✓ more"


async def test_a_password_is_never_shown(caller: Caller) -> None:
    await caller.show("<label>Secret <input type=password></label>")
    reply = await caller.reply("fill", selector="label=Secret", value="hunter2-hunter2")
    assert reply.ok
    assert "hunter2" not in reply.text


async def test_a_key_goes_to_an_element_or_to_the_focus(caller: Caller) -> None:
    await caller.show(FORM)
    await caller.ok("fill", selector="label=Name", value="Bo")
    done = await caller.ok("press", selector="label=Name", key="Enter")
    assert "Hello Bo" in done["snapshotDelta"]["tree"]
    await caller.ok("click", selector="label=Name")
    await caller.ok("press", key="Control+A")
    await caller.ok("press", key="Delete")
    assert 'textbox "Name"' in (text := await caller.text("snapshot"))
    assert ": Bo" not in text


async def test_text_goes_to_the_focus_and_is_sent_with_enter(caller: Caller) -> None:
    await caller.show(
        "<form onsubmit='event.preventDefault(); out.textContent = q.value'>"
        "<label>Query <input id=q value=green></label></form><p role=status id=out></p>"
    )
    await caller.ok("click", selector="label=Query")
    await caller.ok("press", key="End")
    await caller.ok("type", text=" te")
    done = await caller.ok("type", selector="label=Query", text="a", submit=True)
    assert "green tea" in done["snapshotDelta"]["tree"]


async def test_an_unknown_key_is_refused(caller: Caller) -> None:
    await caller.show(FORM)
    assert (await caller.refused("press", key="Hyper+Q"))["code"] == "invalid_argument"


async def test_options_are_chosen_by_value_or_label(caller: Caller) -> None:
    await caller.show(
        "<select aria-label=Size><option value=s>Small<option value=l>Large</select>"
        "<select aria-label=Many multiple><option>A<option>B<option>C</select>"
    )
    for wanted in ("l", "Large"):
        await caller.ok("select", selector="label=Size", values=["Small"])
        done = await caller.ok("select", selector="label=Size", values=[wanted])
        assert done["element"]["selected"] == ["Large"]
    done = await caller.ok("select", selector="label=Many", values=["A", "C"])
    assert done["element"]["selected"] == ["A", "C"]
    refusal = await caller.refused("select", selector="label=Size", values=["Huge"])
    assert refusal["code"] in {"not_found", "invalid_argument"}


async def test_hovering_shows_what_it_opens(caller: Caller) -> None:
    await caller.show(
        """<style>#tip{display:none} button:hover + #tip{display:block}</style>
        <button>Info</button><div id=tip role=tooltip>Details</div>"""
    )
    done = await caller.ok("hover", selector="role=button")
    assert "Details" in done["snapshotDelta"]["tree"]


async def test_modes_decide_how_much_of_the_page_is_shown(caller: Caller) -> None:
    await caller.show(FORM)
    nothing = await caller.ok("click", selector="label=Name", mode="none")
    assert "snapshotDelta" not in nothing
    whole = await caller.ok("click", selector="label=Name", mode="full")
    assert 'button "Send"' in whole["snapshotDelta"]["tree"]


async def test_a_result_stays_within_its_budget(caller: Caller) -> None:
    rows = "".join(f"<li>Row number {index} with words</li>" for index in range(2000))
    await caller.show(
        f"""<button onclick="document.querySelector('ul').hidden=false">Show</button>
        <ul hidden>{rows}</ul>"""
    )
    for tokens in (300, 600, 2000):
        await caller.ok("reload", mode="none")
        reply = await caller.reply("click", selector="role=button", maxResultTokens=tokens)
        assert reply.ok
        assert len(reply.text) / 4 <= tokens + 40
        assert reply.data is not None
        assert reply.data["snapshotDelta"]["truncated"]


async def test_a_form_in_a_frame_of_another_origin_and_a_closed_root(caller: Caller) -> None:
    caller.site.other.page("/inner", FORM)
    await caller.show(
        f"""<iframe src="{caller.site.other.url("/inner")}" width=600 height=200></iframe>
        <div id=host></div><p role=status id=said></p><script>
        const root = host.attachShadow({{mode: 'closed'}});
        root.innerHTML = '<button>Inside</button>';
        root.firstChild.onclick = () => {{ said.textContent = 'shadow clicked'; }};
        </script>"""
    )
    await caller.ok("wait_for", selector="role=button[name=Send]", mode="none")
    text = await caller.text("snapshot")
    assert 'button "Inside"' in text
    filled = await caller.ok("fill", selector="label=Name", value="Framed")
    assert filled["action"]["ref"].startswith("f")
    sent = await caller.ok("click", selector="role=button[name=Send]")
    assert "Hello Framed" in sent["snapshotDelta"]["tree"]
    inside = await caller.ok("click", selector="role=button[name=Inside]")
    assert "shadow clicked" in inside["snapshotDelta"]["tree"]


async def test_a_popup_is_a_tab_of_the_session(caller: Caller) -> None:
    caller.site.page("/popup", "<title>Pop</title><h1>Popup</h1>")
    await caller.show("<a href=/popup target=_blank>Open</a>")
    done = await caller.ok("click", selector="text=Open")
    (new,) = done["structure"]["newTabs"]
    assert (new["url"], new["title"]) == (caller.site.url("/popup"), "Pop")
    listed = await caller.ok("tabs")
    assert [tab.get("current", False) for tab in listed["tabs"]] == [True, False]
    assert "Popup" in await caller.text("snapshot", tab=new["tab"])


async def test_requests_that_may_have_changed_something_are_named(caller: Caller) -> None:
    caller.site.page("/api/orders/12345", "{}", content_type="application/json")
    await caller.show(
        """<button onclick="fetch('/api/orders/12345?token=abc', {method: 'POST', body: 'x'})
        .then((r) => r.text()).then(() => { out.textContent = 'sent' })">Go</button>
        <p role=status id=out></p>"""
    )
    done = await caller.ok("click", selector="role=button")
    (mutation,) = done["network"]["mutations"]
    assert (mutation["method"], mutation["status"], mutation["ok"]) == ("POST", 200, True)
    assert mutation["urlPattern"].endswith("/api/orders/:id?…")
    assert "abc" not in str(done)


async def test_errors_of_the_page_are_told(caller: Caller) -> None:
    await caller.show(
        """<button onclick="console.error('bad'); throw new Error('worse')">X</button>"""
    )
    done = await caller.ok("click", selector="role=button")
    assert done["console"]["errors"] == ["bad"]
    assert any("worse" in error for error in done["pageErrors"])


async def test_what_was_asked_for_stands_beside_what_is_there(caller: Caller) -> None:
    await caller.show(
        '<label>Code <input oninput="this.value = this.value.toUpperCase()"></label>'
        "<label>PIN <input type=password></label>"
    )
    element = (await caller.ok("fill", selector="label=Code", value="ab"))["element"]
    assert (element["value"], element["valueRequested"]) == ("AB", "ab")
    secret = (await caller.ok("fill", selector="label=PIN", value="1234"))["element"]
    assert "valueRequested" not in secret
    assert "1234" not in str(secret)


async def test_a_point_tells_what_it_met(caller: Caller) -> None:
    await caller.show(
        "<button style='position:absolute;left:0;top:0;width:90px;height:40px'"
        " onclick=\"this.textContent = 'Done'\">Do</button>"
    )
    element = (await caller.ok("click", coords={"x": 20, "y": 20}))["element"]
    assert element["hit"]["before"] == {
        "tag": "button",
        "role": "button",
        "text": "Do",
        "ancestorText": "Do",
    }
    assert (element["hit"]["after"]["text"], element["hit"]["focusChanged"]) == ("Done", True)
    again = (await caller.ok("hover", coords={"x": 20, "y": 20}))["element"]
    assert again["hit"]["focusChanged"] is False


async def test_messages_of_sockets_are_counted(caller: Caller) -> None:
    async def talk(socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            await socket.send(f"heard {message!r}")

    caller.site.websocket("/talk", talk)
    await caller.show(
        "<button onclick=\"news.send('hello')\">Say</button><p id=out></p><script>"
        "const news = new WebSocket(location.href.replace(/^http/, 'ws').replace('page', 'talk'));"
        "news.onmessage = (event) => { out.textContent = event.data }</script>"
    )
    await caller.ok("wait_for", selector="button")
    result = await caller.ok("click", selector="button")
    while "network" not in result:
        result = await caller.ok("click", selector="button")
    assert list(result["network"]) == ["wsTotal"]
    assert "hello" not in str(result["network"])


async def test_the_tool_decides_which_of_several_is_meant(caller: Caller) -> None:
    await caller.show(
        "<button>Search</button><input aria-label=Search><label>Size<select><option>S<option>L"
        "</select></label><button>Size</button>"
    )
    assert (await caller.ok("fill", selector="label=Search", value="tea"))["element"][
        "value"
    ] == "tea"
    assert (await caller.ok("type", selector="label=Search", text="s"))["ok"]
    chosen = await caller.ok("select", selector="label=Size", values=["L"])
    assert chosen["element"]["value"] == "L"
    form = [{"selector": "label=Search", "value": "x"}, {"selector": "label=Size", "value": "S"}]
    assert (await caller.ok("fill_form", fields=form))["ok"]
    refused = await caller.refused("hover", selector="label=Search")
    assert refused["code"] == "ambiguous"


@pytest.mark.parametrize("hidden", ["aria-hidden", "inert"])
async def test_a_modal_is_what_a_click_changed(caller: Caller, hidden: str) -> None:
    rows = "".join(
        f"<li><label>Order {row} <input></label><button>Cancel</button></li>" for row in range(60)
    )
    await caller.show(
        f"""<main id=page><button>Delete</button><ul>{rows}</ul></main><div id=host></div><script>
        document.querySelector('button').onclick = () => {{
          page.setAttribute('{hidden}', 'true');
          host.innerHTML = '<div role=dialog aria-modal=true aria-label=Sure><button>Yes</button></div>';
        }}</script>"""
    )
    await caller.text("snapshot")
    done = await caller.ok("click", selector="role=button[name=Delete]")
    told = done["snapshotDelta"]["tree"]
    assert '+ dialog "Sure"' in told
    assert '+ button "Yes"' in told
    assert "Order" not in told
    assert "more" not in told
