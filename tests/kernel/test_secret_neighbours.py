"""Scripts of an agent beside a document that was given a secret: in its popups, frames and history."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Principal, Role
from tests.kernel.test_opaque_fields import VALUE, shows_any
from tests.support.callers import Caller
from tests.support.waiting import until

LOGIN = """<form action=/in method=post><label>Password <input type=password id=pw name=pw></label>
<label>Code <input id=code name=code autocomplete=one-time-code></label><button>Sign in</button></form>"""
READ = """(() => {
  const seen = [];
  const look = (win) => {
    try {
      for (const each of win.document.querySelectorAll('input')) seen.push([...each.value].reverse().join(''));
      for (const each of win.frames) look(each);
    } catch {}
  };
  for (const each of [window, opener, parent, top, opener && opener.opener]) if (each) look(each);
  return seen.join('|');
})()"""


@pytest.fixture
async def keeper(mighty: Caller) -> Caller:
    """An agent that may run scripts, of a tenant whose operator keeps a password."""
    tenant = f"tenant-of-{mighty.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    await mighty.kernel.secrets.keep(operator, "PASSWORD", VALUE, [mighty.site.url("")])
    site = mighty.site
    for path in ("/popup", "/next"):
        site.page(path, f"<title>{path}</title><p>{path}<a href=/again target=again>Again</a>")
    site.page("/again", "<title>/again</title>")
    return replace(mighty, principal=replace(mighty.principal, tenant=tenant))


def told(text: str) -> list[str]:
    """Which parts of the secret a text tells, also spelled backwards."""
    return shows_any(text) + shows_any(text, VALUE[::-1])


OPENING = {
    "a popup": "window.open('/popup')",
    "a popup of the same name again": "window.open('/popup', 'one'); window.open('/next', 'one')",
    "an empty popup": "window.open('')",
    "a popup that was written to": "window.open('').document.write('<p>written')",
    "a popup of another site": "window.open('OTHER/popup')",
    "a popup without an opener": "window.open('/popup', '', 'noopener')",
    "a popup of a blob": "window.open(window.URL.createObjectURL(new Blob(['<p>blob'], {type: 'text/html'})))",
    "a popup by a form": "Object.assign(document.body.appendChild(document.createElement('form')), "
    "{action: '/popup', target: '_blank'}).submit()",
}


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("way", OPENING)
async def test_popups_read_nothing(keeper: Caller, way: str, first: bool) -> None:
    code = OPENING[way].replace("OTHER", keeper.site.other.url(""))
    keeper.site.other.page("/popup", "<p>elsewhere")
    await keeper.show(f'{LOGIN}<button id=open onclick="{code}">Open</button>', path="/login")
    session = keeper.kernel.sessions.find(keeper.principal, "default")
    here = session.tabs[0].id
    if not first:
        await keeper.ok("fill", selector="#pw", value="<PASSWORD>", tab=here)
    await keeper.ok("click", selector="#open", tab=here)
    await until(lambda: len(session.tabs) == 2)
    popup = session.tabs[1].id
    if first:
        await keeper.ok("fill", selector="#pw", value="<PASSWORD>", tab=here)
    reply = await keeper.reply("eval_js", expr=READ, tab=popup)
    assert not told(reply.text)
    assert not reply.ok
    assert reply.error is not None
    assert reply.error.code == "document_tainted"
    # Nor once the document that opened it has gone on, by itself or with the secret.
    for tool, given in (
        ("click", {"selector": "button >> nth=0"}),
        ("go_back", {}),
        ("reload", {}),
    ):
        await keeper.reply(tool, tab=here, **given)
        reply = await keeper.reply("eval_js", expr=READ, tab=popup)
        assert not told(reply.text), tool


async def test_a_popup_of_a_popup_reads_nothing(keeper: Caller) -> None:
    await keeper.show(
        f"{LOGIN}<a href=/popup target=one rel=opener id=open>Open</a>", path="/login"
    )
    session = keeper.kernel.sessions.find(keeper.principal, "default")
    here = session.tabs[0].id
    await keeper.ok("click", selector="#open", tab=here)
    await until(lambda: len(session.tabs) == 2)
    await keeper.ok("click", selector="text=Again", tab=session.tabs[1].id)
    await until(lambda: len(session.tabs) == 3)
    await keeper.ok("fill", selector="#pw", value="<PASSWORD>", tab=here)
    for each in session.tabs[1:]:
        told_so = await keeper.refused("eval_js", expr=READ, tab=each.id)
        assert told_so["code"] == "document_tainted"


SPY = (
    "setInterval(() => { for (const win of [opener, parent.opener, ...frames]) try { "
    "document.title = [...win.document.querySelector('#pw').value].map((each) => "
    "String.fromCodePoint(each.codePointAt(0) + 1)).join('') || document.title; "
    "parent.document.title = document.title; } catch {} }, 20)"
)
ONCE = "document.onclick = () => { document.onclick = null; OPEN }"
TAG = "'<script>' + SPY + '</' + 'script>'"
SPIES = {
    "run in a popup": "const one = open('/popup'); one.onload = () => one.eval(SPY)",
    "written into an empty popup": f"open('').document.write({TAG})",
    "a popup's address": "open(`javascript:${SPY}; '<p>made up'`)",
    "in a popup of a blob": f"open(URL.createObjectURL(new Blob([{TAG}], {{type: 'text/html'}})))",
    "in a popup with a name": "open('/popup', 'one'); const one = open('', 'one'); "
    "one.onload = () => one.eval(SPY)",
    "in a frame of a popup": "const one = open(''); one.document.write('<iframe></iframe>'); "
    f"one.frames[0].document.write({TAG})",
    "in a timer of a popup": "open('').setTimeout(SPY, 1)",
    "in an event of a popup": "open('').document.body.innerHTML = "
    '`<img src=nowhere: onerror="${SPY}">`',
}


@pytest.mark.parametrize("way", SPIES)
async def test_a_script_that_outlasts_its_document_meets_no_secret(
    keeper: Caller, way: str
) -> None:
    """What an agent left in a neighbour waits for the next document with a field."""
    await keeper.show(LOGIN, path="/login")
    code = ONCE.replace("OPEN", SPIES[way])
    await keeper.ok("eval_js", expr=f"const SPY = {json.dumps(SPY)}; {code}")
    session = keeper.kernel.sessions.find(keeper.principal, "default")
    here = session.tabs[0].id
    await keeper.ok("click", selector="#pw", tab=here)
    await until(lambda: len(session.tabs) == 2)
    await keeper.ok("reload", tab=here)
    reply = await keeper.reply("fill", selector="#pw", value="<PASSWORD>", tab=here)
    assert reply.error is not None, "it was filled in"
    assert reply.error.code == "secret_refused"
    assert "eval_js" in reply.text


NEIGHBOURS = {
    "the page around it": "",
    "what it keeps": "localStorage.extra = '<img src=/missing onerror=\"document.title = 1\">'",
}


@pytest.mark.parametrize("way", NEIGHBOURS)
async def test_nor_does_what_it_left_behind(keeper: Caller, way: str) -> None:
    await keeper.show(
        LOGIN + "<div id=extra></div><script>extra.innerHTML = localStorage.extra || ''</script>",
        path="/login",
    )
    if NEIGHBOURS[way]:
        await keeper.ok("eval_js", expr=NEIGHBOURS[way])
        await keeper.ok("reload")
    else:
        await keeper.show("<iframe src=/login width=500 height=300></iframe>", path="/around")
        await keeper.ok("eval_js", expr=SPY)
        await keeper.ok("eval_js", expr="frames[0].location.reload()")
        await keeper.ok("wait_for", selector="#pw")
    refusal = await keeper.refused("fill", selector="#pw", value="<PASSWORD>")
    assert refusal["code"] == "secret_refused"


FRAMES = {
    "the page around a frame": "<iframe src=/login width=500 height=200></iframe>",
    "a frame beside it": "<iframe src=/login width=500 height=200></iframe><iframe src=/next></iframe>",
    "a frame without an address": "<iframe src=/login width=500 height=200></iframe>"
    "<iframe srcdoc='<p>inner'></iframe>",
}


@pytest.mark.parametrize("way", FRAMES)
async def test_frames_read_nothing(keeper: Caller, way: str) -> None:
    keeper.site.page("/login", LOGIN)
    await keeper.show(FRAMES[way])
    await keeper.ok("fill", selector="#pw", value="<PASSWORD>")
    told_so = await keeper.refused("eval_js", expr=READ)
    assert told_so["code"] == "document_tainted"


Leave = Callable[[Caller], Awaitable[Any]]


async def follow(keeper: Caller) -> None:
    await keeper.ok("click", selector="text=Next")
    await keeper.ok("go_back")


async def go_elsewhere(keeper: Caller) -> None:
    await keeper.ok("navigate", url=keeper.site.other.url("/next"))
    await keeper.ok("go_back")


async def go_twice(keeper: Caller) -> None:
    await keeper.ok("click", selector="text=Next")
    await keeper.ok("navigate", url=keeper.site.url("/again"))
    await keeper.ok("go_back")
    await keeper.ok("go_back")


async def go_there_and_back(keeper: Caller) -> None:
    await keeper.ok("go_back")
    await keeper.ok("go_forward")


async def load_again(keeper: Caller) -> None:
    await keeper.ok("reload")


async def send_and_return(keeper: Caller) -> None:
    await keeper.ok("click", selector="button")
    await keeper.ok("go_back")


async def have_the_page_return(keeper: Caller) -> None:
    await keeper.ok("navigate", url=keeper.site.url("/returning"))
    await keeper.reply("wait_for", selector="#code")


RETURNS: dict[str, Leave] = {
    "a link and back": follow,
    "another site and back": go_elsewhere,
    "two pages and back": go_twice,
    "back and forward": go_there_and_back,
    "reloading": load_again,
    "sending it and back": send_and_return,
    "a page that goes back by itself": have_the_page_return,
}
FIELDS = {
    "a password": "#pw",
    "a code": "#code",
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("way", RETURNS)
async def test_history_gives_scripts_nothing(keeper: Caller, way: str, field: str) -> None:
    site = keeper.site
    site.page("/in", "<title>In</title><a href=/next>Next</a>")
    site.page(
        "/returning", "<script>onpageshow = () => setTimeout(() => history.back(), 50)</script>"
    )
    site.other.page("/next", "<p>elsewhere")
    await keeper.show("<p>first", path="/first")
    await keeper.show(LOGIN + "<a href=/next>Next</a>", path="/login")
    await keeper.ok("fill", selector=FIELDS[field], value="<PASSWORD>")
    await RETURNS[way](keeper)
    reply = await keeper.reply("eval_js", expr=READ)
    assert not told(reply.text)
    if not reply.ok:
        assert reply.error is not None
        assert reply.error.code == "document_tainted"
    assert not shows_any(await keeper.text("snapshot"))


async def test_the_history_of_a_frame_gives_scripts_nothing(keeper: Caller) -> None:
    keeper.site.page("/login", LOGIN + "<a href=/next>Next</a>")
    await keeper.show("<iframe src=/login width=500 height=200></iframe>")
    await keeper.ok("fill", selector="#code", value="<PASSWORD>")
    await keeper.ok("click", selector="text=Next")
    await keeper.reply("go_back", timeoutMs=2000)
    await keeper.ok("wait_for", selector="#code")
    reply = await keeper.reply("eval_js", expr=READ)
    assert not told(reply.text)
    assert not shows_any(await keeper.text("snapshot"))
