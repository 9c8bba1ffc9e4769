"""Whole forms: every kind of field, and what is said when one cannot be filled."""

from __future__ import annotations

from tests.support.callers import Caller

FORM = """<form onsubmit="event.preventDefault(); out.textContent =
  [who.value, size.value, agree.checked, day.value, note.value, c2.checked].join('|')">
<label>Name <input id=who></label>
<label>Size <select id=size><option>Small<option>Large</select></label>
<label><input type=checkbox id=agree> Agree</label>
<label>Day <input type=date id=day></label>
<label>Note <textarea id=note></textarea></label>
<label><input type=radio name=c value=1 checked> First</label>
<label><input type=radio name=c value=2 id=c2> Second</label>
<button>Send</button></form><p role=status id=out></p>"""

FIELDS = [
    {"selector": "label=Name", "value": "Ann"},
    {"selector": "label=Size", "value": "Large"},
    {"selector": "label=Agree", "value": True},
    {"selector": "label=Day", "value": "2026-02-28"},
    {"selector": "label=Note", "value": "two\nlines"},
    {"selector": "label=Second", "value": True},
]


async def test_every_kind_of_field_is_filled_and_sent(caller: Caller) -> None:
    await caller.show(FORM)
    done = await caller.ok(
        "fill_form", fields=FIELDS, submit={"selector": "role=button[name=Send]"}
    )
    assert "Ann|Large|true|2026-02-28|two lines|true" in done["snapshotDelta"]["tree"]
    assert len(done["elements"]) == len(FIELDS)
    assert done["elements"][0]["value"] == "Ann"
    assert done["elements"][2]["checked"] is True


async def test_without_submit_nothing_is_sent(caller: Caller) -> None:
    await caller.show(FORM)
    done = await caller.ok("fill_form", fields=FIELDS[:1])
    assert "structure" not in done


async def test_a_field_that_is_not_there_stops_before_anything_is_filled(caller: Caller) -> None:
    await caller.show(FORM)
    missing = [*FIELDS[:1], {"selector": "label=Nowhere", "value": "x"}]
    refusal = await caller.refused("fill_form", fields=missing)
    assert refusal["code"] == "not_found"
    assert ": Ann" not in await caller.text("snapshot")


async def test_a_field_that_refuses_says_which_and_what_was_filled_before(caller: Caller) -> None:
    await caller.show("<label>A <input></label><label>B <input disabled></label>")
    refusal = await caller.refused(
        "fill_form",
        fields=[{"selector": "label=A", "value": "1"}, {"selector": "label=B", "value": "2"}],
    )
    assert (refusal["code"], refusal["field"]) == ("not_actionable", 1)
    assert len(refusal["filled"]) == 1


async def test_a_checkbox_takes_only_yes_or_no(caller: Caller) -> None:
    await caller.show(FORM)
    for value, checked in (("off", False), ("yes", True), (False, False)):
        done = await caller.ok("fill_form", fields=[{"selector": "label=Agree", "value": value}])
        assert bool(done["elements"][0].get("checked")) is checked
    refusal = await caller.refused(
        "fill_form", fields=[{"selector": "label=Agree", "value": "perhaps"}]
    )
    assert refusal["code"] == "invalid_argument"


async def test_fields_must_be_named_one_way(caller: Caller) -> None:
    await caller.show(FORM)
    for field in ({"value": "x"}, {"ref": "e1", "selector": "label=Name", "value": "x"}):
        assert (await caller.refused("fill_form", fields=[field]))["code"] == "invalid_argument"
    assert (await caller.refused("fill_form", fields=[]))["code"] == "invalid_argument"


class TestChooseOption:
    PAGE = """<label>Delivery <select><option value="post">By post</option>
      <option value="bike">By bike</option></select></label>
      <p role="status"></p>
      <script>document.querySelector('select').onchange = e =>
        document.querySelector('p').textContent = 'comes ' + e.target.value</script>"""

    async def test_what_was_chosen_is_told(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        result = await caller.ok("choose_option", selector="label=Delivery", option="By bike")
        assert result["chosen"] == "By bike"
        assert result["element"]["value"] == "By bike"
        assert "comes bike" in result["snapshotDelta"]["tree"]

    async def test_a_missing_option_lists_those_there_are(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        body = await caller.refused("choose_option", selector="label=Delivery", option="By air")
        assert body["code"] == "not_found"
        assert body["options"] == ["By post", "By bike"]

    async def test_named_fields_of_a_form(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        ref = (await caller.ok("find", query="Delivery"))["candidates"][0]["ref"]
        await caller.ok("name_ref", name="how", ref=ref)
        await caller.ok("fill_form", fields=[{"named": "how", "value": "bike"}])
        result = await caller.ok("choose_option", named="how", option="post", exact=False)
        assert result["chosen"] == "By post"


async def test_a_button_that_the_last_field_enables_later_is_waited_for(caller: Caller) -> None:
    await caller.show(
        "<form onsubmit=\"event.preventDefault(); out.textContent = 'sent'\"><label>Name"
        " <input oninput='setTimeout(() => { go.disabled = false }, 500)'></label>"
        "<button id=go disabled>Send</button></form><p role=status id=out></p>"
    )
    done = await caller.ok(
        "fill_form",
        fields=[{"selector": "label=Name", "value": "Ann"}],
        submit={"selector": "role=button[name=Send]"},
    )
    assert "sent" in done["snapshotDelta"]["tree"]


async def test_fields_are_named_as_in_every_tool(mighty: Caller) -> None:
    caller = mighty
    await caller.show(
        """<style>* { margin: 0 } input, button { display: block; height: 40px; width: 200px }</style>
        <input aria-label=First><form onsubmit="event.preventDefault(); out.textContent = 'sent'">
        <input aria-label=Second></form><form id=f><input aria-label=Second></form>
        <p role=status id=out></p><button onclick="out.textContent = 'sent'">Send</button>"""
    )
    await caller.ok("name_ref", name="send", selector="text=Send")
    form = (await caller.ok("inspect", selector="#f"))["ref"]
    done = await caller.ok(
        "fill_form",
        fields=[
            {"coords": {"x": 20, "y": 20}, "value": "one"},
            {"selector": "label=Second", "contextRef": form, "value": "two"},
        ],
        submit={"named": "send"},
    )
    assert "sent" in done["snapshotDelta"]["tree"]
    told = await caller.text("snapshot")
    assert 'textbox "First" [e' in told
    assert [line.rpartition(": ")[2] for line in told.splitlines() if "textbox" in line][::2] == [
        "one",
        "two",
    ]
