"""Secrets by name: entered where they belong, seen nowhere, and locking what has them."""

from __future__ import annotations

import pytest

from stockade.sessions.secrets import MOST_SECRETS
from tests.support.callers import Caller

SECRET = 'Zq7!pa"ss<w&rd>\\x9K'
FORM = """<title>Sign in</title>
<form method=post action=/in><label>User <input name=u></label>
<label>Password <input name=p type=password></label>
<label>Note <textarea name=n></textarea></label><button>Sign in</button></form>
<iframe src="{frame}"></iframe>"""


async def registered(caller: Caller, **more: str) -> None:
    told = await caller.ok("register_secret", name="PASSWORD", value=SECRET, **more)
    assert told["names"] == ["PASSWORD"]
    assert SECRET not in str(told)


async def test_a_secret_is_entered_by_name_and_reaches_the_server(mighty: Caller) -> None:
    await mighty.show(FORM)
    await registered(mighty, scope=mighty.site.url(""))
    mighty.site.page("/in", "<h1>Welcome</h1>")
    for tool, given in (
        ("fill", {"selector": "[name=p]", "value": "<PASSWORD>"}),
        ("type", {"selector": "[name=u]", "text": "<PASSWORD>"}),
        ("press", {"selector": "[name=n]", "key": "<PASSWORD>"}),
    ):
        reply = await mighty.reply(tool, **given)
        assert reply.ok, reply.text
        assert "Zq7" not in reply.text
    assert "<PASSWORD>" in await mighty.text("snapshot")
    await mighty.ok("click", selector="button")
    (sent,) = [each for each in mighty.site.requests if each.path == "/in"]
    assert sent.form == {"u": SECRET, "p": SECRET, "n": SECRET}


async def test_a_form_and_the_tab_api_take_names_too(mighty: Caller) -> None:
    await mighty.show(FORM)
    await registered(mighty)
    fields = [{"selector": "[name=p]", "value": "<PASSWORD>"}]
    assert "Zq7" not in str(await mighty.ok("fill_form", fields=fields))
    tab = (await mighty.ok("tabs"))["tabs"][0]
    typed = {"tabId": tab["uuid"] if "uuid" in tab else tab["tab"], "selector": "[name=n]"}
    for mode in ("fill", "keyboard"):
        await mighty.ok("camofox_type", text="<PASSWORD>", mode=mode, **typed)
    values = "[...document.querySelectorAll('[name=p],[name=n]')].map((e) => e.value.length)"
    told = await mighty.refused("eval_js", expr=values)
    assert told["code"] == "document_tainted"


async def test_where_a_secret_does_not_belong_nothing_is_typed(mighty: Caller) -> None:
    other = mighty.site.url("/other").replace("127.0.0.1", "localhost")
    mighty.site.page("/other", "<input name=q aria-label=Other>")
    await mighty.show(FORM.format(frame=other))
    await registered(mighty, scope=other.removesuffix("/other"))
    told = await mighty.refused("fill", selector="[name=p]", value="<PASSWORD>")
    assert told["code"] == "secret_refused"
    for name in ("<PASSWORT>", "<PASSWD>", "<SHOP_PASSWORD>"):
        told = await mighty.refused("fill", selector="[name=p]", value=name)
        assert told["code"] == "unknown_secret"
        assert "<PASSWORD>" in told["hint"]
    told = await mighty.refused("camofox_type", tabId="t1", text="<PASSWORD>", mode="keyboard")
    assert told["code"] == "secret_refused"
    assert (await mighty.refused("type", text="<PASSWORD>"))["code"] == "secret_refused"
    values = "[...document.querySelectorAll('input')].map((e) => e.value).join()"
    assert (await mighty.ok("eval_js", expr=values))["value"] == ","
    # The frame is of the origin that it is for, wherever it stands.
    found = await mighty.text("snapshot")
    ref = found.split('textbox "Other" [')[1].split("]")[0]
    await mighty.ok("fill", ref=ref, value="<PASSWORD>")
    assert (await mighty.refused("eval_js", expr="1"))["code"] == "document_tainted"


async def test_a_secret_without_a_scope_belongs_to_where_it_was_first_used(mighty: Caller) -> None:
    await mighty.show(FORM)
    await registered(mighty)
    await mighty.ok("fill", selector="[name=p]", value="<PASSWORD>")
    elsewhere = mighty.site.url("/page").replace("127.0.0.1", "localhost")
    await mighty.ok("navigate", url=elsewhere)
    told = await mighty.refused("fill", selector="[name=p]", value="<PASSWORD>")
    assert told["code"] == "secret_refused"
    assert "127.0.0.1" in told["error"]


async def test_a_document_that_has_a_secret_is_locked_until_it_is_gone(mighty: Caller) -> None:
    mighty.site.page("/free", "<p>free</p>")
    await mighty.show(FORM)
    await registered(mighty)
    await mighty.ok("eval_js", expr="1")
    await mighty.ok("fill", selector="[name=p]", value="<PASSWORD>")
    await mighty.ok("tabs", action="new", url=mighty.site.url("/free"))
    tabs = [each["tab"] for each in (await mighty.ok("tabs"))["tabs"]]
    free = mighty.site.url("/free").replace("127.0.0.1", "localhost")
    await mighty.ok("tabs", action="new", url=free)
    third = next(
        each["tab"] for each in (await mighty.ok("tabs"))["tabs"] if each["tab"] not in tabs
    )
    raw = {
        "eval_js": {"expr": "1"},
        "poll_eval": {"expr": "1"},
        "read_dom": {},
        "dom_export": {},
        "page_archive": {},
        "element_export": {"selector": "body"},
        "heap_snapshot": {},
        "camofox_evaluate": {"expression": "1"},
        "caches_get": {"cacheName": "a", "url": mighty.site.url("/")},
        "network_body": {"requestId": "1"},
    }
    for tab in tabs:
        for tool, given in raw.items():
            where = {"tabId": tab} if tool.startswith("camofox") else {"tab": tab}
            told = await mighty.refused(tool, **given, **where)
            assert told["code"] == "document_tainted", tool
    # Another origin that cannot be told of it is as free as before.
    assert (await mighty.ok("eval_js", expr="1", tab=third))["value"] == 1
    # A new address is not a new document.
    await mighty.ok("fill", selector="[name=n]", value="x", tab=tabs[0])
    await mighty.ok("navigate", url=mighty.site.url("/page#there"), tab=tabs[0])
    assert (await mighty.refused("eval_js", expr="1", tab=tabs[0]))["code"]
    await mighty.ok("navigate", url=mighty.site.url("/free"), tab=tabs[0])
    for tab in tabs:
        assert (await mighty.ok("eval_js", expr="1", tab=tab))["value"] == 1


@pytest.mark.parametrize(
    "given",
    [
        {"name": "lower", "value": SECRET},
        {"name": "A", "value": "short"},
        {"name": "A", "value": "password"},
        {"name": "A", "value": "aaaaaaaaaa"},
        {"name": "A", "value": "123456789"},
        {"name": "A", "value": SECRET, "scope": "/login"},
        {"name": "A", "value": "x" * 70_000},
    ],
)
async def test_what_cannot_be_registered_is_refused_without_an_echo(
    mighty: Caller, given: dict[str, str]
) -> None:
    told = await mighty.refused("register_secret", **given)
    assert told["code"] == "invalid_argument"
    assert given["value"] not in str(told)


async def test_there_are_only_so_many(mighty: Caller) -> None:
    for number in range(MOST_SECRETS):
        await mighty.ok("register_secret", name=f"S{number}", value=f"{number}-of-many-secrets")
    told = await mighty.refused("register_secret", name="MORE", value="one-more-secret")
    assert told["code"] == "limit_reached"
    # In place of one there is room.
    await mighty.ok("register_secret", name="S1", value="492039")


async def test_without_the_capability_nothing_is_registered(caller: Caller) -> None:
    told = await caller.refused("register_secret", name="A", value=SECRET)
    assert told["code"] == "capability_disabled"


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("text", ["<DIV>", "<B>", "<T>", "<HTML5>", "<UNKNOWN>"])
async def test_what_only_looks_like_a_name_is_typed_as_it_is(
    mighty: Caller, text: str, known: bool
) -> None:
    await mighty.show("<input name=a><input name=b><input name=c><input name=d>")
    if known:
        await registered(mighty)
    await mighty.ok("fill", selector="[name=a]", value=text)
    await mighty.ok("type", selector="[name=b]", text=text)
    await mighty.ok("fill_form", fields=[{"selector": "[name=c]", "value": text}])
    tab = (await mighty.ok("tabs"))["tabs"][0]
    typed = {"tabId": tab["uuid"] if "uuid" in tab else tab["tab"], "selector": "[name=d]"}
    await mighty.ok("camofox_type", text=text, mode="keyboard", **typed)
    values = "[...document.querySelectorAll('input')].map((e) => e.value)"
    assert (await mighty.ok("eval_js", expr=values))["value"] == [text] * 4


async def test_the_name_of_a_secret_can_be_typed_as_it_is(mighty: Caller) -> None:
    await mighty.show("<input name=a><input name=b><input name=c>")
    await registered(mighty)
    for text in ("<PASSWORD>", "<PASSWORT>"):
        await mighty.ok("fill", selector="[name=a]", value=text, literal=True)
        await mighty.ok("fill", selector="[name=b]", value="")
        await mighty.ok("type", selector="[name=b]", text=text, literal=True)
        field = {"selector": "[name=c]", "value": text, "literal": True}
        await mighty.ok("fill_form", fields=[field])
        values = "[...document.querySelectorAll('input')].map((e) => e.value)"
        assert (await mighty.ok("eval_js", expr=values))["value"] == [text] * 3


async def test_an_option_may_look_like_a_name(caller: Caller) -> None:
    await caller.show("<select><option>a<option>&lt;DIV&gt;</select>")
    await caller.ok("fill_form", fields=[{"selector": "select", "value": "<DIV>"}])
    assert (await caller.ok("verify_value", selector="select", value="<DIV>"))["ok"]
