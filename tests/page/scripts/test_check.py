"""An element read for a check, in the page."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import Tab


async def look(tab: Tab, selector: str, **more: Any) -> dict[str, Any]:
    ref = await tab.ref(selector)
    said: dict[str, Any] = await tab.agent.call(
        tab.page.main_frame, "check.js", ref=int(ref[1:]), **more
    )
    return said


async def test_fields_hold_values_and_secrets_do_not_tell(tab: Tab) -> None:
    await tab.show(
        "<textarea>a\n\nb</textarea><input type=password value=x><select multiple>"
        "<option selected value=1>One<option selected value=2>Two</select>"
    )
    assert (await look(tab, "textarea"))["values"][0] == "a\n\nb"
    secret = await look(tab, "input", attr="value")
    assert secret["secret"]
    assert (secret["values"], secret["attribute"]) == ([], None)
    assert "One, Two" in (await look(tab, "select"))["values"]


async def test_a_form_may_shadow_its_own_properties(tab: Tab) -> None:
    await tab.show("<form title=T><input name=innerText><input name=attributes>Words</form>")
    said = await look(tab, "form", attr="title")
    assert (said["attribute"], said["visible"]) == ("T", True)
    assert "Words" in said["texts"]


async def test_nothing_is_said_of_what_is_gone(tab: Tab) -> None:
    await tab.show("<p>x")
    assert await tab.agent.call(tab.page.main_frame, "check.js", ref=999) == {"gone": True}
