"""Which fields are made for secrets, and which events one that holds a secret takes."""

from __future__ import annotations

import pytest

from stockade.errors import SecretRefused
from stockade.page.secret_text import SecretText
from stockade.page.snapshot import Snapshots
from tests.support.tabs import CALLER, Tab

MADE_FOR_SECRETS = [
    "<input type=password>",
    "<input autocomplete=current-password>",
    "<input autocomplete='section-a new-password'>",
    "<input autocomplete=one-time-code>",
    "<input name=otp>",
    "<input id=totpCode>",
    "<input name=mfa_code inputmode=numeric>",
    "<label>Verification code <input></label>",
    "<label>Security code <input type=tel></label>",
    "<input aria-label='6-digit code' type=number>",
    "<input placeholder='One-time passcode'>",
    "<label>Authenticator code<input></label>",
]
OTHERS = [
    "<input>",
    "<input type=search name=q>",
    "<input name=pinterest>",
    "<label>Discount code <input></label>",
    "<label>Zip code <input></label>",
    "<label>Country code <input></label>",
    "<input type=email name=email>",
    "<textarea name=otp></textarea>",
    "<label>Options <input></label>",
]


async def fill(tab: Tab, field: str, *, named: tuple[str, ...] = ()) -> None:
    await tab.show(field)
    value = "837261" if "number" in field else "Tr0ub4dor&3"
    text = SecretText(value, "PASSWORD", kept=True, fields=named)
    await tab.actions.fill(await tab.ref("input,textarea"), text, caller=CALLER)


@pytest.mark.parametrize("field", MADE_FOR_SECRETS)
async def test_fields_that_are_made_for_secrets(tab: Tab, field: str) -> None:
    await fill(tab, field)


@pytest.mark.parametrize("field", OTHERS)
async def test_fields_that_are_not(tab: Tab, field: str) -> None:
    with pytest.raises(SecretRefused) as refused:
        await fill(tab, field)
    assert refused.value.details["field"]
    assert await tab.main("() => document.querySelector('input,textarea').value") == ""


@pytest.mark.parametrize("name", ["q", "Search ", "search"])
async def test_fields_that_were_named_for_one(tab: Tab, name: str) -> None:
    await fill(tab, "<label>Search <input name=q></label>", named=("x", name))


async def test_a_script_that_writes_it_elsewhere_conceals_that_too(tab: Tab) -> None:
    await tab.show("<input id=p><input id=r value='hunter2'><input id=s>")
    secret = SecretText("hunter2-xyzzy", "PASSWORD")
    await tab.actions.fill(await tab.ref("#p"), secret, caller=CALLER)
    await tab.main("() => { s.value = p.value.slice(0, 9); }")
    shown = (await Snapshots(tab.agent).take(CALLER)).text
    assert shown.count("<PASSWORD>") == 2
    assert "hunter2" in shown, "what was there before is none of it"
