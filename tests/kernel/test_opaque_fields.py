"""A field that was given a secret: its name is all that is told of it, and it cannot be edited."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Principal, Role
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
