"""What is sent is what a person was shown: ways to send a form, and ways to change it after the yes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

import pytest

from stockade.engines.values import World
from tests.support.asking import page_says, tab_of
from tests.support.callers import Caller
from tests.support.desk import Desk, script
from tests.support.site import Request
from tests.support.waiting import until

Calls = list[tuple[str, dict[str, Any]]]

FIELDS = '<input name="amount" value="10" id="amount"><input type="hidden" name="to" value="alice">'
BUTTON = '<button id="go" name="do" value="pay" style="width:200px;height:60px">Pay</button>'
FORM = f'<form action="/paid" method="post" id="f">{FIELDS}{BUTTON}</form>'
HERE = {"x": 60.0, "y": 30.0}


def form(inside: str = BUTTON, **attributes: str) -> str:
    given = {"action": "/paid", "method": "post", "id": "f", **attributes}
    said = " ".join(f'{name}="{value}"' for name, value in given.items())
    return f'<body style="margin:0"><form {said}>{inside}{FIELDS}</form>'


SENDS = "document.getElementById('f').submit()"
CLOSED = """<body style="margin:0"><div id="host"></div><script>
host.attachShadow({mode: 'closed'}).innerHTML = `<form action="/paid" method="post">
<button style="width:200px;height:60px">Pay</button><input name="amount" value="10">
<input type="hidden" name="to" value="alice"></form>`;</script>"""
HANDLED = """<script>f.addEventListener('submit', (e) => { e.preventDefault(); SEND });</script>"""
BODY = "{method: 'POST', body: new URLSearchParams(new FormData(f))}"

WAYS: dict[str, tuple[str, Calls]] = {
    "a click on its button": (form(), [("click", {"selector": "#go"})]),
    "a click at a point": (form(), [("click", {"coords": HERE})]),
    "a double click": (form(), [("double_click", {"selector": "#go"})]),
    "Enter in a field": (form(), [("press", {"selector": "#amount", "key": "Enter"})]),
    "typing with submit": (
        form(),
        [("type", {"selector": "#amount", "text": "0", "submit": True})],
    ),
    "Space on its button": (form(), [("press", {"selector": "#go", "key": "Space"})]),
    "keys that go from field to button": (
        form('<input id="first" autofocus>' + BUTTON),
        [("focus", {"selector": "#first"}), ("shortcut", {"keys": ["Tab", "Enter"]})],
    ),
    "a button in a closed root": (CLOSED, [("click", {"coords": HERE})]),
    "a select that submits": (
        form(f'<select id="s" onchange="{SENDS}"><option>a<option>b</select>'),
        [("select", {"selector": "#s", "values": ["b"]})],
    ),
    "a select by its keys": (
        form(f'<select id="s" onchange="{SENDS}"><option>a<option>b</select>'),
        [("press", {"selector": "#s", "key": "ArrowDown"})],
    ),
    "a checkbox that submits": (
        form(f'<input type="checkbox" id="c" onchange="{SENDS}">'),
        [("click", {"selector": "#c"})],
    ),
    "a radio that submits": (
        form(f'<input type="radio" id="c" onclick="{SENDS}">'),
        [("click", {"selector": "#c"})],
    ),
    "a slider that submits": (
        form(f'<input type="range" id="c" onchange="{SENDS}">'),
        [("press", {"selector": "#c", "key": "ArrowRight"})],
    ),
    "a field that submits as it changes": (
        form(f'<input id="c" oninput="{SENDS}">'),
        [("fill", {"selector": "#c", "value": "x"})],
    ),
    "a field that submits as it is left": (
        form(f'<input id="c" onblur="{SENDS}"><input id="d">'),
        [("click", {"selector": "#c"}), ("click", {"selector": "#d"})],
    ),
    "a reset button": (
        form(f'<button type="reset" id="r" onclick="{SENDS}">Reset</button>'),
        [("click", {"selector": "#r"})],
    ),
    "a span": (form(f'<span id="r" onclick="{SENDS}">Go</span>'), [("click", {"selector": "#r"})]),
    "a span far from the form": (
        form() + f'<p><span id="r" onmousedown="{SENDS}">Go</span>',
        [("click", {"selector": "#r"})],
    ),
    "a custom element": (
        form() + "<x-go id=r>Go</x-go><script>customElements.define('x-go', class extends "
        "HTMLElement { connectedCallback() { this.onclick = () => f.submit(); } });</script>",
        [("click", {"selector": "#r"})],
    ),
    "a javascript: link": (
        form() + f'<a id="r" href="javascript:{SENDS}">Go</a>',
        [("click", {"selector": "#r"})],
    ),
    "pointing at something": (
        form() + f'<p id="r" onmouseover="{SENDS}">Go</p>',
        [("hover", {"selector": "#r"})],
    ),
    "a menu key": (
        form() + f'<p id="r" oncontextmenu="{SENDS}">Go</p>',
        [("click", {"selector": "#r", "button": "right"})],
    ),
    "a finger": (
        form() + f'<p id="r" ontouchstart="{SENDS}" style="height:90px">Go</p>',
        [("touch_start", {"coords": {"x": 20, "y": 120}})],
    ),
    "a timer after the click": (
        form() + "<p id=r onclick='setTimeout(() => f.submit(), 700)'>Go</p>",
        [("click", {"selector": "#r"})],
    ),
    "a form made by the click": (
        form() + "<p id=r onclick='document.body.append(f.cloneNode(true)); "
        "document.forms[1].requestSubmit()'>Go</p>",
        [("click", {"selector": "#r"})],
    ),
    "into a new tab": (form(target="_blank"), [("click", {"selector": "#go"})]),
    "into a frame": (
        form(target="there") + '<iframe name="there"></iframe>',
        [("click", {"selector": "#go"})],
    ),
    "by GET": (form(method="get"), [("click", {"selector": "#go"})]),
    "by GET from a span": (
        form(method="get") + f'<p><span id="r" onclick="{SENDS}">Go</span>',
        [("click", {"selector": "#r"})],
    ),
    "by GET into a new tab": (
        form(method="get", target="_blank") + f'<p><span id="r" onclick="{SENDS}">Go</span>',
        [("click", {"selector": "#r"})],
    ),
    "as multipart": (form(enctype="multipart/form-data"), [("click", {"selector": "#go"})]),
    "as plain text": (form(enctype="text/plain"), [("click", {"selector": "#go"})]),
    "by fetch": (
        form() + HANDLED.replace("SEND", f"fetch('/paid', {BODY})"),
        [("click", {"selector": "#go"})],
    ),
    "by fetch as JSON": (
        form()
        + HANDLED.replace(
            "SEND",
            "fetch('/paid', {method: 'PUT', headers: {'Content-Type': 'application/json'},"
            "body: JSON.stringify(Object.fromEntries(new FormData(f)))})",
        ),
        [("click", {"selector": "#go"})],
    ),
    "by a request of old": (
        form()
        + HANDLED.replace(
            "SEND", "const x = new XMLHttpRequest(); x.open('POST', '/paid'); x.send('amount=10')"
        ),
        [("click", {"selector": "#go"})],
    ),
    "by a worker": (
        form() + "<script>const w = new Worker(URL.createObjectURL(new Blob([`onmessage = (e) => "
        "fetch(e.data, {method: 'POST', body: 'amount=10'})`])));"
        "const send = () => w.postMessage(location.origin + '/paid')</script>"
        "<p id=r onclick='send()'>Go</p>",
        [("click", {"selector": "#r"})],
    ),
    "by a redirect": (form(action="/moved"), [("click", {"selector": "#go"})]),
    "keeping it alive": (
        form()
        + HANDLED.replace("SEND", "fetch('/paid', {keepalive: true, method: 'POST', body: 'a=1'})"),
        [("click", {"selector": "#go"})],
    ),
}

A_FILE = [{"name": "a.txt", "content": "eA=="}]
TAKES_DROPS = "ondragover='event.preventDefault()' style='height:80px'"
HAPPENINGS: dict[str, tuple[str, Calls]] = {
    "files that are dropped": (
        form() + f'<p id=r {TAKES_DROPS} ondrop="event.preventDefault(); {SENDS}">Here</p>',
        [("drop_files", {"selector": "#r", "files": A_FILE})],
    ),
    "files that are chosen": (
        form() + f'<input type=file id=r onchange="{SENDS}">',
        [("upload_file", {"selector": "#r", "files": A_FILE})],
    ),
    "something that is dragged": (
        form() + "<p id=own draggable=true style='height:40px'>It</p>"
        f'<p id=r {TAKES_DROPS} ondrop="{SENDS}">Here</p>',
        [("drag", {"from": {"selector": "#own"}, "to": {"selector": "#r"}})],
    ),
    "several fields at once": (
        form(f'<select id=s onchange="{SENDS}"><option>a<option>b</select>'),
        [("fill_form", {"fields": [{"selector": "#s", "value": "b"}]})],
    ),
    "what is pasted": (
        form() + f'<input id=r value=x onpaste="{SENDS}">',
        [("shortcut", {"selector": "#r", "keys": ["Control+a", "Control+c", "Control+v"]})],
    ),
    "a dialog that is answered": (
        form() + "<p id=r onclick=\"if (confirm('Pay?')) f.submit()\">Go</p>",
        [
            ("set_dialog_policy", {"mode": "raise"}),
            ("click", {"selector": "#r"}),
            ("answer_dialog", {"accept": True}),
        ],
    ),
    "another size": (
        form() + "<script>onresize = () => f.submit()</script>",
        [("set_viewport", {"width": 700, "height": 500})],
    ),
    "other colours": (
        form() + "<script>matchMedia('(prefers-color-scheme: dark)').onchange = () => f.submit()"
        "</script>",
        [("set_color_scheme", {"scheme": "dark"})],
    ),
    "scrolling": (
        form() + "<p style='height:5000px'>Long<script>onscroll = () => f.submit()</script>",
        [("scroll", {"to": "bottom"})],
    ),
    "going back": (
        form() + "<script>history.pushState(1, '', '#a'); onpopstate = () => f.submit()</script>",
        [("go_back", {})],
    ),
    "another part of its address": (
        form() + "<script>onhashchange = () => f.submit()</script>",
        [("navigate", {"url": "HERE#part"})],
    ),
    "being online again": (
        form() + "<script>ononline = () => f.submit()</script>",
        [("network_emulate", {"offline": True}), ("network_emulate", {"offline": False})],
    ),
    "what another tab keeps": (
        form() + "<script>onstorage = () => f.submit()</script>",
        [
            ("tabs", {"action": "new", "url": "HERE?other"}),
            ("localstorage_set", {"key": "a", "value": "b"}),
        ],
    ),
    "an animation": (
        "<style>@keyframes k { to { color: red } } #r:hover { animation: k 50ms }</style>"
        + form()
        + f'<p id=r onanimationend="{SENDS}">Go</p>',
        [("hover", {"selector": "#r"})],
    ),
}
"""What pages may take for a reason to send a form without any input into it."""

CHANGES: dict[str, str] = {
    "nothing": "",
    "a hidden field": "f.elements.to.value = 'mallory'",
    "a field": "f.elements.amount.value = '9999'",
    "a new field": "f.insertAdjacentHTML('beforeend', '<input type=hidden name=extra value=1>')",
    "a field of elsewhere": "document.body.insertAdjacentHTML('beforeend', "
    "'<input form=f type=hidden name=extra value=1>')",
    "the action": "f.action = '/paid?to=mallory'",
    "the method": "f.method = 'get'",
    "the encoding": "f.enctype = 'multipart/form-data'",
    "the target": "f.target = '_blank'",
    "a name": "f.elements.amount.name = 'bonus'",
    "the button's value": "go.value = 'steal'",
    "the button's action": "go.setAttribute('formaction', '/paid?x=1')",
    "a submit handler": "addEventListener('submit', () => { f.elements.to.value = 'mallory' }, true)",
    "a formdata handler": "addEventListener('formdata', (e) => e.formData.set('to', 'mallory'), true)",
    "a formdata handler that adds": "addEventListener('formdata', (e) => e.formData.append('x', '1'))",
    "a click handler": "addEventListener('click', () => { f.elements.to.value = 'mallory' }, true)",
    "a focus handler": "addEventListener('focusin', () => { f.elements.to.value = 'mallory' }, true)",
    "another base": "document.head.innerHTML = '<base href=\"/elsewhere/\">'; "
    "f.setAttribute('action', 'paid')",
    "a checkbox": "f.insertAdjacentHTML('beforeend', '<input type=checkbox checked name=all>')",
    "the whole form": "f.innerHTML = f.innerHTML.replace('alice', 'mallory')",
    "a timer": "setInterval(() => { f.elements.to.value = 'mallory' }, 1)",
    "the prototype": "HTMLInputElement.prototype.toString = () => 'mallory'; "
    "FormData.prototype.get = () => 'mallory'; f.elements.to.value = 'mallory'",
}


@pytest.fixture
async def desk(mighty: Caller) -> AsyncIterator[Desk]:
    """Somebody whose forms wait, and who is told so at once."""
    kernel, before = mighty.kernel, mighty.kernel.settings
    kernel.settings = before.model_copy(update={"approval_wait": 0.001})
    site = mighty.site
    for path in ("/paid", "/elsewhere/paid"):
        site.page(path, "<title>Paid</title>")
    site.page("/moved", "", status=307, headers={"Location": "/paid"})
    try:
        yield Desk.of(mighty, "form_submit")
    finally:
        kernel.settings = before


def received(caller: Caller) -> list[Request]:
    return [each for path in ("/paid", "/elsewhere/paid") for each in caller.site.asked(path)]


def carried(request: Request) -> list[list[str]]:
    """Names and values as the server got them, from a query or an encoded body."""
    text = request.body.decode() if request.method != "GET" else request.query
    return [[name, value] for name, value in parse_qsl(text, keep_blank_values=True)]


async def deny_all(desk: Desk) -> None:
    for question in desk.pending:
        await desk.approvals.answer(desk.operator, question.id, "deny")


@pytest.mark.parametrize("way", [*WAYS, *HAPPENINGS])
async def test_nothing_is_sent_that_nobody_was_asked_about(desk: Desk, way: str) -> None:
    agent = desk.agent
    html, calls = (WAYS | HAPPENINGS)[way]
    await agent.show(html)
    for tool, arguments in calls:
        there = arguments.get("url", "").replace("HERE", agent.site.url("/page"))
        await agent.reply(tool, **arguments | ({"url": there} if there else {}))
    await until(lambda: bool(desk.pending))
    if way == "by a redirect":
        # It is the address it is sent on to that matters here.
        first = await desk.say("approve")
        await desk.waits(tool, **arguments, approval=first.id)
    assert received(agent) == []
    question = desk.pending[-1]
    shown = question.facts["form"]
    await deny_all(desk)
    assert await page_says(agent, "() => document.title") != "Paid"
    assert received(agent) == []
    assert shown["method"] in {"post", "get", "put"}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_is_sent_is_what_was_shown(desk: Desk, change: str) -> None:
    agent = desk.agent
    html, [(tool, arguments)] = WAYS["a click on its button"]
    await agent.show(html)
    asked = await desk.waits(tool, **arguments)
    shown: list[dict[str, Any]] = []
    reply = None
    for _ in range(3):
        # Whatever is asked is agreed to, and the page changes after each yes.
        question = desk.pending[-1]
        shown.append(question.facts["form"])
        await desk.say("approve")
        if CHANGES[change]:
            await script(agent, CHANGES[change])
        reply = await agent.reply(tool, **arguments, approval=asked)
        if not desk.pending:
            break
        asked = desk.pending[-1].id
    assert reply is not None
    assert reply.ok or desk.pending, reply.text
    told = [
        (
            each["method"].upper(),
            each["action"].partition("?")[0],
            [[field["name"], field["value"]] for field in each["fields"]],
        )
        for each in shown
    ]
    for request in received(agent):
        if b"form-data" in request.body:
            continue
        here = (request.method, agent.site.url(request.path), carried(request))
        assert here in told
    await deny_all(desk)


FRAMED: dict[str, Calls] = {
    "keys that go into it": [
        ("focus", {"selector": "#own"}),
        ("shortcut", {"keys": ["Tab", "Enter"]}),
    ],
    "keys one by one": [
        ("focus", {"selector": "#own"}),
        ("press", {"key": "Tab"}),
        ("press", {"key": "Enter"}),
    ],
    "a drag that ends there": [
        ("drag", {"from": {"selector": "#own"}, "to": {"coords": {"x": 60, "y": 130}}}),
    ],
    "a forced click": [("click", {"selector": "#over", "force": True})],
    "a finger": [("touch_start", {"coords": {"x": 60, "y": 130}}), ("touch_end", {})],
    "a mouse": [
        ("mouse_move", {"coords": {"x": 60, "y": 130}}),
        ("mouse_down", {}),
        ("mouse_up", {}),
    ],
}


@pytest.mark.parametrize("way", FRAMED)
async def test_a_frame_of_an_origin_that_waits_takes_no_input(hasty_site: Desk, way: str) -> None:
    agent = hasty_site.agent
    await agent.ok("navigate", url=agent.site.other.url("/out"))
    for tool, arguments in FRAMED[way]:
        reply = await agent.reply(tool, **arguments)
        assert agent.site.asked("/paid") == [], reply.text
    assert await frame_heard(agent) == []
    # By its ref a person is asked, and may say yes.
    inner = (await agent.ok("find", query="Inner"))["candidates"][0]["ref"]
    asked = await hasty_site.waits("click", ref=inner)
    await hasty_site.say("approve")
    await agent.ok("click", ref=inner, approval=asked)
    assert "click" in await frame_heard(agent)


async def frame_heard(agent: Caller) -> list[str]:
    """Which events the frame's page has heard."""
    [frame] = tab_of(agent).page.main_frame.children
    heard: list[str] = await frame.call("() => globalThis.heard", world=World.MAIN)
    return heard


@pytest.fixture
async def hasty_site(mighty: Caller) -> AsyncIterator[Desk]:
    """A page with a frame of another site, whose changes wait for a person."""
    kernel, before = mighty.kernel, mighty.kernel.settings
    kernel.settings = before.model_copy(update={"approval_wait": 0.001})
    site = mighty.site
    site.page(
        "/in",
        "<body style='margin:0'><button style='width:200px;height:90px'>Inner</button><script>"
        "globalThis.heard = []; for (const type of ['mousedown', 'keydown', 'click', 'drop',"
        "'touchstart', 'pointerdown']) addEventListener(type, (e) => heard.push(e.type));</script>",
    )
    site.other.page(
        "/out",
        "<body style='margin:0'><button id=own style='height:90px;width:200px' draggable=true>Own"
        f"</button><br><iframe style='border:0' src='{site.url('/in')}'></iframe>"
        "<p id=over style='position:fixed;top:100px;left:0;pointer-events:none'>over the frame",
    )
    try:
        yield Desk.of(mighty, f"origin:127.0.0.1:{site.port}")
    finally:
        kernel.settings = before
