"""The file inputs of a document, in words."""

from __future__ import annotations

from tests.support.tabs import CALLER, Tab


async def test_seen_or_not_and_in_shadow_roots(tab: Tab) -> None:
    await tab.show(
        "<label>Letter <input type=file name=letter></label>"
        "<div><template shadowrootmode=open><input type=file multiple hidden></template></div>"
    )
    said = await tab.agent.call(tab.page.main_frame, "file_inputs.js", caller=CALLER)
    shown, hidden = said["inputs"]
    assert (shown["name"], shown["hidden"]) == ("letter", False)
    assert "Letter" in shown["description"]
    assert (hidden["multiple"], hidden["hidden"]) == (True, True)
    assert shown["ref"] != hidden["ref"]
