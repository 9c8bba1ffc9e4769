"""A field that was given a secret: its name is all that is told of it, and it cannot be edited."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from stockade.files.secrets import KeptSecrets
from stockade.kernel.secrets import Secrets
from stockade.masking.masker import Masker
from stockade.masking.scopes import of_place
from stockade.policy.principal import Principal, Role
from stockade.workspace import Workspace
from tests.support.callers import Caller

VALUE = "Tr0ub4dor&3-xkcd"
LOGIN = """<form action=/in><label>User <input name=user value=me></label>
<label>Password <input type=password name=pw></label><button>Sign in</button></form>
<label>Search <input name=q></label><label>Notes <textarea></textarea></label>"""


@pytest.fixture
async def keeper(mighty: Caller) -> Caller:
    """An agent of a tenant whose operator keeps a password."""
    tenant = f"tenant-of-{mighty.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    await mighty.kernel.secrets.keep(
        operator, "PASSWORD", VALUE, [mighty.site.url("")], fields=["q", "API key"]
    )
    return replace(mighty, principal=replace(mighty.principal, tenant=tenant))


def shows_any(text: str, value: str = VALUE, length: int = 4) -> list[str]:
    """Which parts of a value a text shows."""
    plain, held = text.lower(), value.lower()
    parts = (held[at : at + length] for at in range(len(held) - length + 1))
    return [each for each in parts if each in plain]


@pytest.mark.parametrize("selector", ["[name=pw]", "[name=q]"])
async def test_it_reads_its_name_whatever_its_value_has_become(
    keeper: Caller, selector: str
) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector=selector, value="<PASSWORD>")
    shown = await keeper.text("snapshot")
    assert shown.count("<PASSWORD>") == 1
    for chord in (
        ["Backspace"] * 9,
        ["Home", *(["Delete"] * 8)],
        ["Home", "ArrowRight", "x"],
        ["Control+a", "Control+x"],
        ["Shift+Home", "Delete"],
        ["Control+z"],
        ["Insert"],
    ):
        told = await keeper.refused("shortcut", selector=selector, keys=chord)
        assert told["code"] == "secret_refused", chord
        assert "PASSWORD" in told["error"]
        told = await keeper.refused("shortcut", keys=chord)
        assert told["code"] == "secret_refused", chord
    told = await keeper.refused("type", selector=selector, text="more")
    assert told["code"] == "secret_refused"
    told = await keeper.refused("type", text="more")
    assert told["code"] == "secret_refused"
    assert (await keeper.text("snapshot")).count("<PASSWORD>") == 1


Calls = list[tuple[str, dict[str, Any]]]
FIELD = "<input name=q id=q aria-label=Search>"
CUT: Calls = [("shortcut", {"keys": ["Backspace"] * 9})]
GO: Calls = [("click", {"selector": "#go"})]


def pressed(code: str) -> str:
    return f'<button id=go type=button onclick="{code}">Go</button>'


def shadow(mode: str) -> str:
    return f"""<div id=host></div><script>
    host.attachShadow({{mode: '{mode}'}}).innerHTML = '{FIELD}';</script>"""


TRIED: dict[str, tuple[str, Calls]] = {
    "in a closed root": (shadow("closed"), CUT),
    "in an open root": (shadow("open"), CUT),
    "in a frame": ("<iframe src=/field width=400></iframe>", CUT),
    "by its word": (FIELD, [("press", {"key": "Control+Backspace"})]),
    "over a part that is selected": (
        FIELD,
        [("click", {"selector": "#q", "count": 2}), ("type", {"text": "x"})],
    ),
    "one key after the other": (FIELD, [("press", {"key": "Backspace"})] * 9),
    "by the tab API": (FIELD, [("camofox_press", {"key": "Backspace"})] * 9),
    "in a batch": (
        FIELD,
        [("batch", {"calls": [{"tool": "press", "args": {"key": "Backspace"}}] * 9})],
    ),
    "while it is compared": (
        FIELD,
        [("act_and_diff", {"action": {"tool": CUT[0][0], "args": CUT[0][1]}})],
    ),
    "where the page shows passwords": (
        FIELD.replace("name", "type=password name") + pressed("q.type = 'text'"),
        [*GO, ("press", {"selector": "#q", "key": "End"}), *CUT],
    ),
    "where the page has another in its place": (
        FIELD
        + pressed(
            "q.replaceWith(Object.assign(document.createElement('input'), "
            "{value: q.value.slice(0, 9), ariaLabel: 'Another'}))"
        ),
        GO,
    ),
    "where the page moves it": (
        FIELD + "<p id=p></p>" + pressed("p.append(q); q.focus()"),
        [*GO, *CUT],
    ),
    "where the page sets it back": (
        f"<form id=f>{FIELD}</form>"
        + pressed("q.defaultValue = q.value.slice(0, 7); f.reset(); q.focus()"),
        [*GO, *CUT],
    ),
    "where the page spaces it out": (
        FIELD + "<script>q.oninput = () => { q.value = q.value.replace(/.{4}/g, '$& x ') }</script>",
        CUT,
    ),
    "undone after it was emptied": (
        FIELD,
        [
            ("fill", {"selector": "#q", "value": ""}),
            ("press", {"selector": "#q", "key": "Control+z"}),
            *CUT,
        ],
    ),
    "told by a style": (
        "<style>#p::after { content: attr(data-said) }</style><p id=p>Said</p>"
        + FIELD
        + "<script>q.oninput = () => { p.dataset.said = q.value.slice(0, 7) }</script>",
        [("inspect", {"selector": "#p"})],
    ),
    "told by a title": (
        "<p id=p>Said</p>"
        + FIELD
        + "<script>q.oninput = () => { p.title = q.value.slice(0, 7) }</script>",
        [
            ("inspect", {"selector": "#p"}),
            ("verify_attribute", {"selector": "#p", "attr": "title", "value": "x"}),
        ],
    ),
    "told by what can be chosen": (
        FIELD
        + "<select id=s aria-label=Choice></select><script>q.oninput = () => { s.append(new Option("
        "q.value.slice(0, 7))) }</script>",
        [("inspect", {"selector": "#s"}), ("press", {"selector": "#s", "key": "ArrowDown"})],
    ),
    "told by what is not valid": (
        FIELD + pressed("q.setCustomValidity(q.value.slice(0, 7) + '?'); q.reportValidity()"),
        [*GO, ("inspect", {"selector": "#q"})],
    ),
    "told by a dialog": (
        FIELD + pressed("alert('Not ' + q.value.slice(0, 7))"),
        [*GO, ("answer_dialog", {"accept": True})],
    ),
    "told letter by letter": (
        FIELD + "<ol id=o></ol>" + pressed("for (const each of q.value) "
        "o.append(Object.assign(document.createElement('li'), {textContent: each}))"),
        [*GO, ("page_text", {})],
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", TRIED)
async def test_nothing_of_it_is_told_however_it_is_tried(keeper: Caller, way: str) -> None:
    html, calls = TRIED[way]
    keeper.site.page("/field", FIELD)
    await keeper.show(html)
    said = [(await keeper.reply("fill", selector="#q", value="<PASSWORD>")).text]
    assert '"ok":true' in said[0], said[0]
    (session,) = keeper.kernel.sessions.all()
    for tool, given in calls:
        tab = {"tabId": session.tabs[0].id} if tool.startswith("camofox") else {}
        said.append((await keeper.reply(tool, **tab, **given)).text)
        said.append((await keeper.reply("snapshot")).text)
    for text in said:
        assert not shows_any(text.replace("\n", " "), length=5), text
        spelled = "".join(part[-1] for part in text.splitlines() if part)
        assert not shows_any(spelled, length=5), text


async def test_it_can_be_left_submitted_filled_again_and_emptied(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[name=q]", value="<PASSWORD>")
    await keeper.ok("press", selector="[name=q]", key="Tab")
    await keeper.ok("press", selector="[name=q]", key="Escape")
    await keeper.ok("fill", selector="[name=q]", value="shoes")
    assert "shoes" in await keeper.text("snapshot")
    await keeper.ok("type", selector="[name=q]", text="!")
    await keeper.ok("fill", selector="[name=q]", value="<PASSWORD>")
    await keeper.ok("fill", selector="[name=q]", value="")
    shown = await keeper.text("snapshot")
    assert "<PASSWORD>" not in shown
    await keeper.ok("type", selector="[name=q]", text="free")
    assert "free" in await keeper.text("snapshot")


@pytest.mark.parametrize("selector", ["[name=pw]", "[name=q]"])
@pytest.mark.parametrize("given", [True, False])
async def test_enter_sends_its_form(keeper: Caller, selector: str, *, given: bool) -> None:
    await keeper.show(LOGIN + "<form action=/found><input name=q aria-label=Find></form>")
    keeper.site.page("/in", "<p>In")
    keeper.site.page("/found", "<p>Found")
    which = f"form {selector}"
    await keeper.ok("fill", selector=which, value="<PASSWORD>")
    await keeper.ok("press", key="Enter", **({"selector": which} if given else {}))
    await keeper.site.wait_asked("/in" if selector == "[name=pw]" else "/found")


async def test_what_the_page_does_to_its_value_does_not_show(keeper: Caller) -> None:
    """Cut off, spread out, spelled backwards, put into another field: it is the same secret."""
    await keeper.show(
        LOGIN
        + """<input aria-label=Copy id=copy><button type=button id=half>Half</button>
        <button type=button id=other>Other</button><button type=button id=again>Again</button>
        <script>
        const q = document.querySelector('[name=q]');
        half.onclick = () => { q.value = q.value.slice(0, 8); };
        other.onclick = () => { copy.value = q.value; };
        again.onclick = () => { const n = q.cloneNode(); n.value = q.value; q.replaceWith(n); };
        </script>"""
    )
    await keeper.ok("fill", selector="[name=q]", value="<PASSWORD>")
    for button in ("other", "again", "half"):
        await keeper.ok("click", selector=f"#{button}")
        assert not shows_any(await keeper.text("snapshot"))
    for selector in ("[name=q]", "#copy"):
        told = await keeper.refused("press", selector=selector, key="Backspace")
        assert told["code"] == "secret_refused", selector
    assert not shows_any(await keeper.text("snapshot"))


async def test_a_field_that_shows_a_secret_which_nobody_filled_in(keeper: Caller) -> None:
    keeper.site.page("/profile", f"<label>API key <input id=key value='{VALUE}'></label>")
    await keeper.ok("navigate", url=keeper.site.url("/profile"))
    assert "<PASSWORD>" in await keeper.text("snapshot")
    for tool, given in (
        ("press", {"selector": "#key", "key": "Backspace"}),
        ("type", {"selector": "#key", "text": "x"}),
        ("press", {"key": "Backspace"}),
        ("shortcut", {"keys": ["Home", "Delete"]}),
    ):
        told = await keeper.refused(tool, **given)
        assert told["code"] == "secret_refused", tool
    assert not shows_any(await keeper.text("snapshot"))


async def test_nothing_of_it_is_copied_or_dragged_away(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[name=q]", value="<PASSWORD>")
    await keeper.refused("shortcut", selector="[name=q]", keys=["Control+a", "Control+c"])
    await keeper.ok("fill", selector="textarea", value="before")
    told = await keeper.refused("shortcut", selector="textarea", keys=["Control+a", "Control+c"])
    assert told["code"] == "clipboard_refused"
    await keeper.reply("shortcut", selector="textarea", keys=["End", "Control+v"])
    assert not shows_any(await keeper.text("snapshot"))


async def test_a_kept_secret_goes_into_fields_for_secrets(keeper: Caller) -> None:
    await keeper.show(
        LOGIN
        + """<label>Code <input autocomplete=one-time-code id=a></label>
        <label>Verification code <input id=b></label><input id=totp aria-label=x>
        <label>API key <input id=named></label><div contenteditable id=rich>x</div>"""
    )
    for selector in ("[name=pw]", "#a", "#b", "#totp", "#named", "[name=q]"):
        await keeper.ok("fill", selector=selector, value="<PASSWORD>")
    told = await keeper.refused(
        "fill_form", fields=[{"selector": "textarea", "value": "<PASSWORD>"}]
    )
    assert told["code"] == "secret_refused"
    told = await keeper.refused("fill", selector="#rich", value="<PASSWORD>", timeoutMs=2000)
    assert told["code"] in {"secret_refused", "approval_pending"}


async def test_into_any_other_field_after_a_persons_yes(
    keeper: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = keeper.kernel.settings.model_copy(update={"approval_wait": 0.001})
    monkeypatch.setattr(keeper.kernel, "settings", hasty)
    await keeper.show(LOGIN)
    told = await keeper.refused("fill", selector="textarea", value="<PASSWORD>")
    assert told["code"] == "approval_pending"
    assert told["rules"] == ["secret_field"]
    operator = replace(keeper.principal, id="op", role=Role.OPERATOR)
    await keeper.kernel.approvals.answer(operator, told["approval"], "approve")
    await keeper.ok("fill", selector="textarea", value="<PASSWORD>", approval=told["approval"])
    assert not shows_any(await keeper.text("snapshot"))


async def test_a_code_that_a_page_spreads_over_its_fields(keeper: Caller) -> None:
    boxes = "".join(f"<input class=d aria-label='Digit {n}' maxlength=1>" for n in range(6))
    await mighty_code(keeper)
    await keeper.show(
        f"""<fieldset><legend>Verification code</legend>{boxes}</fieldset><script>
        const all = [...document.querySelectorAll('.d')];
        all[0].removeAttribute('maxlength');
        all[0].autocomplete = 'one-time-code';
        all[0].oninput = () => {{
          const whole = all[0].value;
          all.forEach((each, at) => {{ each.value = whole[at] || ''; }});
        }};
        </script>"""
    )
    await keeper.ok("fill", selector=".d >> nth=0", value="<CODE>")
    shown = await keeper.text("snapshot")
    assert shown.count("<CODE>") == 6, shown


async def mighty_code(keeper: Caller) -> None:
    operator = replace(keeper.principal, id="op", role=Role.OPERATOR)
    await keeper.kernel.secrets.keep(operator, "CODE", "837261", [keeper.site.url("")])


async def test_what_a_page_tells_of_a_part_of_it_is_masked(keeper: Caller) -> None:
    """In its text, address, title, console, storage and another document of the origin."""
    keeper.site.page("/next", "<p id=out></p><script>out.textContent = localStorage.seen</script>")
    await keeper.show(
        LOGIN
        + """<p id=out></p><script>
        document.querySelector('[name=pw]').oninput = ({ target: { value } }) => {
          out.textContent = `It begins with ${value.slice(0, 6)} and ends with ${value.slice(-6)}`;
          document.title = value.slice(3, 9);
          console.log(value.slice(2, 10));
          localStorage.seen = value.slice(0, 9).toUpperCase();
          history.replaceState(null, '', '?p=' + encodeURIComponent(value.slice(4, 12)));
        };
        </script>"""
    )
    reply = await keeper.reply("fill", selector="[name=pw]", value="<PASSWORD>")
    assert not shows_any(reply.text, length=5)
    for tool in ("snapshot", "page_text", "tabs", "console_read", "localstorage_list", "read_dom"):
        told = await keeper.reply(tool)
        assert not shows_any(told.text, length=5), tool
    await keeper.ok("navigate", url=keeper.site.url("/next"))
    told = await keeper.reply("page_text")
    assert "<PASSWORD>" in told.text
    assert not shows_any(told.text, length=5)


KEEPS_A_PART = (
    LOGIN
    + """<script>document.querySelector('[name=pw]').oninput = ({ target: { value } }) => {
      localStorage.seen = value.slice(0, 9);
      document.title = value.slice(3, 9);
      document.cookie = 'seen=' + value.slice(7, 14);
      history.replaceState(null, '', '?p=' + encodeURIComponent(value.slice(4, 12)));
    };</script>"""
)


@pytest.mark.parametrize(
    "tool", ["list_sessions", "camofox_list_tabs", "camofox_storage_state", "diagnostics_report"]
)
async def test_tools_for_no_session_in_particular_tell_no_part(keeper: Caller, tool: str) -> None:
    await keeper.show(KEEPS_A_PART)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    given = {"userId": "default"} if tool.startswith("camofox") else {}
    assert not shows_any((await keeper.reply(tool, **given)).text, length=5)


OF_A_SESSION = ("snapshot", "page_text", "tabs", "console_read", "localstorage_list")
OF_ANY = ("dump_storage_state", "cookies_list", "list_sessions")


async def test_another_session_is_shown_no_part_that_the_site_kept(keeper: Caller) -> None:
    begins, ends = VALUE[:7], VALUE[-7:]
    keeper.site.page(
        "/account",
        f"<title>{begins}</title><p>Your password ends with {ends}</p><script>"
        f"localStorage.seen = {ends!r}; document.cookie = 'seen={begins}'; console.log({begins!r})"
        "</script>",
    )
    keeper.site.other.page("/", "<p>elsewhere")
    account = keeper.site.url("/account")
    await keeper.ok("open_session", session="before")
    shown = await keeper.text("navigate", session="before", url=account)
    assert ends in shown, "nobody has filled it in"
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    await keeper.ok("open_session", session="after")
    for session in ("before", "after"):
        told = await keeper.text("navigate", session=session, url=account)
        assert "<PASSWORD>" in told
        for tool in (*OF_A_SESSION, *OF_ANY):
            reply = await keeper.reply(tool, session=session)
            assert not shows_any(reply.text, length=5), (session, tool)
        await keeper.ok("navigate", session=session, url=keeper.site.other.url("/"))
        for tool in ("console_read", "network_read", *OF_ANY):
            reply = await keeper.reply(tool, session=session)
            assert not shows_any(reply.text, length=5), (session, tool)


async def test_a_server_that_starts_anew_knows_where_it_was_filled_in(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    settings, masker = keeper.kernel.settings, Masker()
    kept = KeptSecrets(lambda: Workspace.open(settings.workspace), settings.workspace)
    await Secrets(masker, kept).load()
    tenant = keeper.principal.tenant
    there = masker.within(of_place(tenant, "", keeper.site.url("")))
    assert there.text(f"begins with {VALUE[:6]}") == "begins with <PASSWORD>"
    elsewhere = masker.within(of_place(tenant, "", keeper.site.other.url("")))
    assert elsewhere.text(f"begins with {VALUE[:6]}") == f"begins with {VALUE[:6]}"


async def test_who_tried_out_parts_sees_nothing_of_that_site(keeper: Caller) -> None:
    keeper.site.page("/find", "<p id=out></p><script>out.textContent = location.search</script>")
    keeper.site.other.page("/", "<p>elsewhere")
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    await keeper.ok("close_session", session="default")
    await keeper.ok("open_session", session="fresh")
    guesses = [keeper.site.url(f"/find?{VALUE[at : at + 5]}") for at in (0, 3, 6, 9, 11)]
    replies = [await keeper.reply("navigate", session="fresh", url=each) for each in guesses]
    assert json.loads(replies[-1].text)["code"] == "secret_guessed"
    for number in range(2):
        await keeper.ok("open_session", session=f"next{number}")
        elsewhere = keeper.site.other.url("/")
        await keeper.ok("navigate", session=f"next{number}", url=elsewhere)
        for query in ("nothing", VALUE[2:8])[number:]:
            there = keeper.site.url(f"/find?{query}")
            told = await keeper.refused("navigate", session=f"next{number}", url=there)
            assert told["code"] == "secret_guessed"


async def test_history_does_not_bring_it_back(keeper: Caller) -> None:
    """Neither as a value that a script could read nor as one that is shown."""
    keeper.site.page("/next", "<p>Next")
    await keeper.show(LOGIN + "<a href=/next>Next</a>")
    for selector in ("[name=q]", "[name=pw]"):
        await keeper.ok("fill", selector=selector, value="<PASSWORD>")
    await keeper.ok("click", selector="text=Next")
    await keeper.ok("go_back")
    read = "[...document.querySelectorAll('input')].map(e => e.value).join('|')"
    reply = await keeper.reply("eval_js", expr=read)
    assert not shows_any(reply.text)
    if reply.ok:
        assert "<PASSWORD>" not in reply.text, "it was there"


async def test_a_document_that_shows_it_again_is_closed_to_scripts(keeper: Caller) -> None:
    await keeper.show(LOGIN)
    await keeper.ok("fill", selector="[name=pw]", value="<PASSWORD>")
    keeper.site.page("/again", f"<input id=key value='{VALUE}'>")
    await keeper.ok("navigate", url=keeper.site.url("/again"))
    told = await keeper.refused("eval_js", expr="[...key.value].reverse().join('')")
    assert told["code"] == "document_tainted"


async def test_its_length_is_not_told(keeper: Caller) -> None:
    """Secrets that differ in their length alone give the same answers, whatever is measured."""
    operator = replace(keeper.principal, id="op", role=Role.OPERATOR)
    answers: list[list[str]] = []
    for times in (20, 90):
        await keeper.kernel.secrets.keep(
            operator, "LONG", "Kq7" * times, [keeper.site.url("")], fields=["q"]
        )
        session = {"session": f"long-{times}"}
        await keeper.ok("open_session", **session)
        await keeper.show(LOGIN, **session)
        told: list[Any] = []
        for selector in ("[name=pw]", "[name=q]"):
            await keeper.ok("fill", selector=selector, value="<LONG>", **session)
            for tool, given in (
                ("inspect", {}),
                ("sample", {"metric": "scrollWidth", "durationMs": 1, "summary": True}),
                ("sample", {"metric": "scrollLeft", "durationMs": 1, "summary": True}),
                ("scroll", {"to": "right"}),
            ):
                data = await keeper.ok(tool, selector=selector, **given, **session)
                most = (data.get("summary") or {}).get("max")
                told.append((data.get("scroll"), data.get("overflowing"), most))
        told.append((await keeper.ok("overflow_detect", **session))["findings"])
        answers.append([repr(each) for each in told])
    assert answers[0] == answers[1]
