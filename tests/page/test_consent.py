"""Consent dialogs: no is pressed where there is one, and nothing else is."""

from __future__ import annotations

import pytest

from stockade.page.consent import dismiss_consent
from tests.support.tabs import CALLER, Tab

NOTE = "onclick='document.title = this.textContent'"
COOKIEBOT = f"<button id=CybotCookiebotDialogBodyButtonAccept {NOTE}>Allow</button>"
QUANTCAST = f"""<div id=qc-cmp2-ui><button mode=secondary {NOTE}>MORE OPTIONS</button>
<button mode=secondary {NOTE}>DISAGREE</button><button mode=primary {NOTE}>AGREE</button></div>"""
ONETRUST = f"""<div id=onetrust-banner-sdk><button id=onetrust-reject-all-handler hidden>No</button>
<button id=onetrust-accept-btn-handler {NOTE}>Yes</button></div>"""
OTHER = f"<dialog open><button {NOTE}>Accept all</button></dialog>"


@pytest.mark.parametrize(
    ("html", "pressed"),
    [(COOKIEBOT, "Allow"), (QUANTCAST, "DISAGREE"), (ONETRUST, "Yes"), (OTHER, "")],
)
async def test_the_button_that_is_pressed(tab: Tab, html: str, pressed: str) -> None:
    await tab.show(html)
    done = await dismiss_consent(tab.agent, tab.actions, caller=CALLER)
    assert done is bool(pressed)
    assert await tab.page.title() == pressed
