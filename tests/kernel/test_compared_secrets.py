"""Secrets and what callers compare with a page: no selector, search or schema tells a part of one."""

from __future__ import annotations

import re
import string
from base64 import b64encode
from typing import Any

import pytest

from stockade.policy.principal import Principal, Role
from tests.kernel.test_opaque_fields import VALUE, shows_any
from tests.kernel.test_shown_secrets import keeper
from tests.support.callers import Caller

__all__ = ["keeper"]

WRITTEN = VALUE.replace("&", "&amp;")
BODY = f"""<p id=text>Your key is <b>{WRITTEN}</b> and stays yours.</p>
<p id=split title="{WRITTEN[:5]}&shy;{WRITTEN[5:]}">{WRITTEN[:3]}<b>{WRITTEN[3:6]}</b><i>{WRITTEN[6:]}</i></p>
<p id=letters data-base64="{b64encode(VALUE.encode()).decode()}">{"<b>".join(WRITTEN)}</p>
<p id=invisible>{WRITTEN[:4]}&#8203;{WRITTEN[4:]}</p>
<button id=copy data-clipboard-text="{WRITTEN}">Copy</button>
<button id=named>{WRITTEN}</button><button aria-label="{WRITTEN}">x</button>
<input name=key value="{WRITTEN}"><input name=hint placeholder="{WRITTEN}">
<textarea aria-label=Area>{WRITTEN}</textarea>
<img alt="{WRITTEN}" src="data:,"><span title="{WRITTEN}">info</span>
<label for=by>{WRITTEN}</label><input id=by>
<label><input id=now> Now</label><script>now.value = {VALUE!r}</script>
<div contenteditable role=textbox aria-label=Rich>{WRITTEN}</div>
<select aria-label=Keys><option>{WRITTEN}</option></select>
<style>#made::before {{ content: attr(data-made) }}</style><a href=# id=made data-made="{WRITTEN}"></a>
<svg width=9 height=9><a xlink:href="#{WRITTEN}"><text>{WRITTEN}</text></a></svg>
<table><tr><th>API key<td>{WRITTEN}</table>
<button>Save</button><label>Search <input name=q></label>"""
SHADOW = (
    "<div id=host></div><script>host.attachShadow({mode: MODE}).innerHTML = `"
    f'<p data-inner="{WRITTEN}">{WRITTEN}</p><button>{WRITTEN}</button>`</script>'
)
PAGES = {
    "the page": BODY,
    "an open shadow root": SHADOW.replace("MODE", "'open'"),
    "a closed shadow root": SHADOW.replace("MODE", "'closed'"),
    "a frame": f"<iframe width=600 height=600 srcdoc='{BODY.replace(chr(39), '&#39;')}'></iframe>",
}

SELECTORS = [
    '[data-clipboard-text^="GUESS"]',
    '[data-clipboard-text*="GUESS" i]',
    '[data\\-clipboard-text^="GUESS"]',
    '[\\64 ata-clipboard-text^="GUESS"]',
    '[DATA-CLIPBOARD-TEXT^="GUESS"]',
    '[/* ] */data-clipboard-text/**/ ^= "GUESS"]',
    '[*|data-clipboard-text^="GUESS"]',
    '[data-clipboard-text^="GUESS',
    'body:has([data-clipboard-text^="GUESS"])',
    'button:is(:not(:not([data-clipboard-text^="GUESS"])), #none)',
    'button:visible[data-clipboard-text^="GUESS"]',
    'p:has-text("Your key") ~ button, [data-clipboard-text^="GUESS"] >> nth=0',
    'body >> css=[data-clipboard-text^="GUESS"]',
    '[data-inner*="GUESS"]',
    '[data-made^="GUESS"]',
    '[*|href*="GUESS"]',
    '[value*="GUESS"]',
    'input[placeholder^="GUESS"]',
    "text=GUESS",
    "text=GUESS >> nth=0",
    'p:has-text("GUESS")',
    ':text("GUESS") >> nth=0',
    'p >> having="GUESS" >> nth=0',
    'role=button[name*="GUESS"] >> nth=0',
    'role=button[text*="GUESS"] >> nth=0',
    'role=link[name*="GUESS"]',
    'role=textbox[name*="GUESS"] >> nth=0',
    "label=GUESS >> nth=0",
    "placeholder=GUESS",
    "alt=GUESS",
    "title=GUESS",
    "role=row[text*=GUESS]",
]
WHOLE = [
    'p:text-is("GUESS")',
    'text="GUESS"',
    'role=button[name="GUESS"]',
    'alt="GUESS"',
    'testid="GUESS"',
]
SCHEMA = {
    "type": "object",
    "properties": {"it": {"type": "string", "x-source": {"selector": "text=GUESS >> nth=0"}}},
}
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "find": ("find", {"query": "GUESS"}),
    "find a button": ("find", {"query": "the GUESS button", "maxCandidates": 20}),
    "a key of a schema": (
        "extract",
        {"schema": {"type": "object", "properties": {"GUESS": {"type": "string"}}}},
    ),
    "a selector of a schema": ("extract", {"schema": SCHEMA}),
    "click": ("click", {"selector": "text=GUESS", "timeoutMs": 1000}),
    "hover": ("hover", {"selector": '[data-clipboard-text*="GUESS"]', "timeoutMs": 1000}),
    "wait_for": ("wait_for", {"selector": "text=GUESS >> nth=0", "timeoutMs": 300}),
    "wait_for gone": (
        "wait_for",
        {"selector": "role=button[name*=GUESS]", "gone": True, "timeoutMs": 300},
    ),
    "verify_visible": ("verify_visible", {"selector": "text=GUESS >> nth=0"}),
    "verify_count": ("verify_count", {"selector": "p:has-text('GUESS')", "n": 0}),
    "scope": ("snapshot", {"scope": "text=GUESS >> nth=0"}),
    "an option": (
        "choose_option",
        {"selector": "select", "option": "GUESS", "exact": False, "timeoutMs": 1000},
    ),
    "camofox_click": ("camofox_click", {"tabId": "t1", "selector": "text=GUESS"}),
    "fill": ("fill", {"selector": "label=GUESS", "value": "x", "timeoutMs": 1000}),
    "batch": (
        "batch",
        {"calls": [{"tool": "inspect", "args": {"selector": "text=GUESS >> nth=0"}}]},
    ),
}


def _with(given: Any, guess: str) -> Any:
    if isinstance(given, str):
        return given.replace("GUESS", guess)
    if isinstance(given, dict):
        return {_with(key, guess): _with(value, guess) for key, value in given.items()}
    return [_with(each, guess) for each in given] if isinstance(given, list) else given


_CHANGING = re.compile(r'"(?:untrusted|end)":"[^"]*"|call_\w+|"\w*[mM]s":\d+')


async def _answers(caller: Caller, tool: str, given: dict[str, Any], *guesses: str) -> set[str]:
    """What a tool answers to several guesses, but for the guess itself."""
    said = set()
    for guess in guesses:
        text = (await caller.reply(tool, **_with(given, guess))).text
        # Which of two timers ends a wait depends on how busy the machine is.
        late = '"code":"timeout"' in text
        said.add("timeout" if late else _CHANGING.sub("", text).replace(guess, "GUESS"))
    return said


PAIRS = [("Tr0", "Tr9"), ("b4dor", "b4doz")]
"""A part of the secret, and what is none."""


@pytest.mark.parametrize("page", PAGES)
async def test_selectors_tell_no_part_of_a_secret(keeper: Caller, page: str) -> None:
    await keeper.show(PAGES[page])
    telling = {}
    for selector in SELECTORS:
        for pair in PAIRS:
            said = await _answers(keeper, "inspect", {"selector": selector}, *pair)
            if len(said) > 1:
                telling[selector] = said
    assert not telling


@pytest.mark.parametrize("selector", WHOLE)
async def test_a_selector_tells_not_even_the_whole(keeper: Caller, selector: str) -> None:
    await keeper.show(PAGES["the page"])
    reply = await keeper.reply("inspect", selector=selector.replace("GUESS", VALUE))
    assert not reply.ok, reply.text


@pytest.mark.parametrize("page", PAGES)
async def test_tools_tell_no_part_of_a_secret(keeper: Caller, page: str) -> None:
    await keeper.show(PAGES[page])
    telling = {}
    for way, (tool, given) in TOOLS.items():
        for pair in PAIRS:
            said = await _answers(keeper, tool, given, *pair)
            assert not any("invalid_argument" in each for each in said), said
            if len(said) > 1:
                telling[way] = said
    assert not telling


@pytest.mark.parametrize("selector", ['[data-clipboard-text^="GUESS"]', "text=GUESS >> nth=0"])
async def test_nothing_is_read_letter_by_letter(keeper: Caller, selector: str) -> None:
    await keeper.show(PAGES["the page"])
    for known in ("Tr0", "Tr0ub4do"):
        tried = [known + each for each in string.ascii_letters + string.digits]
        assert len(await _answers(keeper, "inspect", {"selector": selector}, *tried)) == 1


async def test_numbers_of_refs_do_not_tell_either(keeper: Caller) -> None:
    """A match would have given an element its number."""
    seen = set()
    for guess in ("Tr0u", "Xq9v"):
        await keeper.ok("open_session", session=guess)
        await keeper.show(PAGES["the page"], session=guess)
        await keeper.reply("inspect", selector=f"text={guess}", session=guess)
        await keeper.reply("find", query=guess, session=guess)
        found = await keeper.ok("inspect", selector="#invisible", session=guess)
        seen.add(found["ref"])
    assert len(seen) == 1


HONEST = {
    "text=Save": "Save",
    "role=button[name=Save]": "Save",
    "[name=q]": "Search",
    'input[name^="q"]': "Search",
    "label=Search": "Search",
    "button:has-text('Copy')": "Copy",
    "[data-clipboard-text]": "Copy",
    "#copy": "Copy",
    "b:has-text('<PASSWORD>') >> nth=0": "<PASSWORD>",
    'role=button[name="<PASSWORD>"] >> nth=0': "<PASSWORD>",
    "alt=<PASSWORD>": "<PASSWORD>",
}


@pytest.mark.parametrize("page", ["the page", "a frame"])
@pytest.mark.parametrize("selector", HONEST)
async def test_what_is_no_secret_is_found_as_ever(keeper: Caller, page: str, selector: str) -> None:
    await keeper.show(PAGES[page])
    text = await keeper.text("inspect", selector=selector)
    assert HONEST[selector] in text
    assert not shows_any(text)


async def test_what_was_found_by_the_name_of_a_secret_can_be_used(keeper: Caller) -> None:
    await keeper.show(PAGES["the page"])
    found = await keeper.ok("inspect", selector='role=button[name="<PASSWORD>"] >> nth=0')
    await keeper.ok("click", ref=found["ref"])
    [first, *_] = (await keeper.ok("find", query="search field"))["candidates"]
    assert first["name"] == "Search"
    await keeper.ok("fill", ref=first["ref"], value="shoes")
    [first, *_] = (await keeper.ok("find", query="API key row"))["candidates"]
    await keeper.ok("click", ref=first["ref"])


async def test_an_attribute_that_holds_a_secret_is_refused_by_its_name(keeper: Caller) -> None:
    await keeper.show(PAGES["the page"])
    told = await keeper.refused("click", selector='[data-clipboard-text="anything"]')
    assert told["code"] == "secret_refused"
    assert "data-clipboard-text" in told["error"]
    for selector in ('[title$="x"]', '[data-base64^="VHIwd"]', '[data-base64^="anything"]'):
        told = await keeper.refused("verify_count", selector=selector, n=0)
        assert told["code"] == "secret_refused"


async def test_a_secret_that_comes_later(keeper: Caller) -> None:
    await keeper.show(
        "<p id=p title=none>nothing yet</p><button>Show</button><script>"
        "document.querySelector('button').onclick = () => "
        f"{{ p.textContent = p.title = {VALUE!r} }}</script>"
    )
    await keeper.ok("inspect", selector="text=nothing yet")
    assert (await keeper.refused("inspect", selector="text=Tr0"))["code"] == "not_found"
    assert (await keeper.refused("inspect", selector="[title^=Tr0]"))["code"] == "not_found"
    await keeper.ok("click", selector="text=Show")
    assert (await keeper.refused("inspect", selector="text=Tr0"))["code"] == "not_found"
    assert (await keeper.refused("inspect", selector="[title^=Tr0]"))["code"] == "secret_refused"
    await keeper.ok("inspect", selector="text=<PASSWORD>")


async def test_a_secret_that_is_known_later(mighty: Caller) -> None:
    await mighty.show(PAGES["the page"])
    await mighty.ok("register_secret", name="OTHER", value="another-secret-of-mine")
    await mighty.ok("inspect", selector="text=Tr0 >> nth=0")
    await mighty.ok("register_secret", name="KEY", value=VALUE)
    assert (await mighty.refused("inspect", selector="text=Tr0 >> nth=0"))["code"] == "not_found"
    await mighty.ok("inspect", selector="text=<KEY> >> nth=0")


async def test_a_number_next_to_another(keeper: Caller) -> None:
    operator = Principal("op", tenant=keeper.principal.tenant, role=Role.OPERATOR)
    secrets, here = keeper.kernel.secrets, keeper.site.url("")
    await secrets.keep(operator, "PIN", "482913", [here])
    await keeper.show(
        "<label>PIN <input type=password></label><table><tr><td>482913<td>5<td>771204</table>"
    )
    await keeper.ok("fill", selector="label=PIN", value="<PIN>")
    said = await _answers(keeper, "inspect", {"selector": "td:has-text('GUESS')"}, "4829", "4830")
    assert len(said) == 1, said
    said = await _answers(keeper, "inspect", {"selector": "text=GUESS"}, "482913", "771204")
    assert len(said) == 1, said


async def test_a_page_that_never_rests(keeper: Caller) -> None:
    await keeper.show(
        f"<p id=p></p><p>{WRITTEN}</p><button>Save</button><script>let n = 1e6; (function tick() "
        "{ p.textContent = p.title = `tick ${n++}`; queueMicrotask(() => setTimeout(tick)); })()"
        "</script>"
    )
    await keeper.ok("click", selector="text=Save")
    await keeper.ok("click", selector="role=button[name=Save]")
    [first, *_] = (await keeper.ok("find", query="save button"))["candidates"]
    assert first["name"] == "Save"
    assert (await keeper.refused("inspect", selector="text=Tr0u"))["code"] == "not_found"


async def test_without_a_secret_nothing_is_looked_through(mighty: Caller) -> None:
    await mighty.show(PAGES["the page"])
    await mighty.ok("inspect", selector="text=Tr0 >> nth=0")
    await mighty.ok("inspect", selector='[data-clipboard-text^="Tr0"]')
