"""The entry list of a form is what the browser itself sends."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.tabs import Tab

FORMS = {
    "fields": "<input name=a value=1><input name='' value=x><input value=y><textarea name=t>\nx\ny"
    "</textarea><input name=b disabled value=1><fieldset disabled><input name=c></fieldset>",
    "boxes": "<input type=checkbox name=a checked><input type=checkbox name=b><input type=radio "
    "name=r value=1><input type=radio name=r value=2 checked>",
    "lists": "<select name=s><option value=1>One<option selected>Two</select><select name=m "
    "multiple><option selected>x<option selected disabled>y<option selected>z</select>",
    "hidden ones": "<input type=hidden name=h value=1><input type=hidden name=_charset_>"
    "<input name=i value=2 style=display:none>",
    "buttons": "<button name=n value=1></button><button name=go value=2 id=go></button>"
    "<input type=submit name=k value=3><button type=reset name=r></button>",
    "elsewhere": "</form><input form=f name=e value=1><button form=f id=go name=x></button><form>",
    "no files": "<input type=file name=up>",
    "passwords": "<input type=password name=p value=hunter2>",
    "what is typed": "<input type=number name=n value=7><input type=date name=d value=2026-01-02>"
    "<input type=color name=c><input type=range name=g value=30><input type=email name=m value=' a '>",
}

BROWSER = """(press) => { const go = document.getElementById('go');
  const data = new FormData(f, press ? go : undefined);
  return [...data].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]); }"""


async def predicted(tab: Tab, press: bool) -> dict[str, Any]:
    told: dict[str, Any] = await tab.page.main_frame.call(
        "(press) => stockade.modules.Submission.of(document.getElementById('f'),"
        " press ? document.getElementById('go') : null)",
        press,
    )
    return told


@pytest.mark.parametrize("kind", FORMS)
async def test_it_is_what_the_browser_would_send(tab: Tab, kind: str) -> None:
    await tab.show(f"<body><form id=f method=post action=/x>{FORMS[kind]}</form>")
    press = "id=go" in FORMS[kind]
    told = await predicted(tab, press)
    meant = await tab.page.main_frame.call(BROWSER, press)
    found = [[each["name"], each["value"].replace("\r\n", "\n")] for each in told["fields"]]
    assert found == [[name, value.replace("\r\n", "\n")] for name, value in meant]


async def test_the_button_has_its_say(tab: Tab) -> None:
    await tab.show(
        "<body><form id=f action=/a target=_self><input name=a><button id=go formaction=/b "
        "formmethod=post formenctype=text/plain formtarget=_blank></button></form>"
    )
    told = await predicted(tab, press=True)
    assert told["action"].endswith("/b")
    assert (told["method"], told["enctype"], told["target"]) == ("post", "text/plain", "_blank")
    plain = await predicted(tab, press=False)
    assert plain["action"].endswith("/a")
    assert (plain["method"], plain["enctype"]) == ("get", "application/x-www-form-urlencoded")


async def test_what_cannot_be_foretold_says_so(tab: Tab) -> None:
    await tab.show("<body><form id=f><input type=image id=go name=x></form>")
    assert (await predicted(tab, press=True))["inexact"]
    await tab.show(f"<body><form id=f><textarea name=t>{'x' * 300_000}</textarea></form>")
    assert (await predicted(tab, press=False))["inexact"]


async def test_fields_by_what_they_are_to_a_person(tab: Tab) -> None:
    await tab.show(
        "<body><input name=a><input name=h type=hidden><input name=p type=password value=hunter2>"
        "<select name=s style=display:none></select><a href='/x?y=1#z'>link</a>"
    )
    frame = tab.page.main_frame
    told = await tab.agent.call(frame, "field_kinds")
    kinds = {each["name"]: each["kind"] for each in told}
    assert kinds == {"a": "", "h": "hidden", "p": "secret", "s": "hidden"}
    base = await frame.call("() => new URL('/x?y=1', document.baseURI).href")
    assert await tab.agent.call(frame, "is_link", url=base)
    assert not await tab.agent.call(frame, "is_link", url=f"{base}2")
