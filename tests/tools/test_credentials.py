"""Logins and codes: a password is entered where it belongs, and seen nowhere."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest

from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from tests.support.callers import Caller
from tests.support.providers import PASSWORD, FakeProgram, configured

FORM = """<title>Sign in</title><form method=post action=/in>
<input name=u aria-label=User><input name=p type=password aria-label=Password>
<button>Sign in</button></form>"""


def item(*sites: str, password: str = PASSWORD) -> dict[str, Any]:
    login = {"username": "ada@example.com", "password": password}
    uris = [{"match": None, "uri": each} for each in sites]
    return {"object": "item", "name": "Shop", "login": {**login, "uris": uris}}


@pytest.fixture
def program(tmp_path: Path) -> FakeProgram:
    return FakeProgram(tmp_path)


def only(caller: Caller, *capabilities: Capability) -> Caller:
    policy = Policy(capabilities=frozenset(capabilities))
    return replace(caller, principal=replace(caller.principal, policy=policy))


async def test_a_password_is_entered_on_its_own_site_alone(
    mighty: Caller, program: FakeProgram
) -> None:
    site = mighty.site
    site.page("/in", f"<h1>Welcome</h1><p>{escape(PASSWORD)}")
    site.other.page("/page", FORM)
    await mighty.show(FORM)
    path = program.says(item(site.url("/login")))
    with configured(mighty.kernel, credentials_provider="bitwarden", credentials_program=path):
        told = await mighty.ok("get_credential", account="My Shop")
    assert told == {
        "ok": True,
        "username": "ada@example.com",
        "aliasName": "PASSWORD_MY_SHOP",
        "scope": f"127.0.0.1:{site.port}",
        "provider": "bitwarden",
    }
    await mighty.ok("navigate", url=site.other.url("/page"))
    value = f"<{told['aliasName']}>"
    refused = await mighty.refused("fill", selector="[name=p]", value=value)
    assert refused["code"] == "secret_refused"
    await mighty.ok("navigate", url=site.url("/page"))
    await mighty.ok("fill", selector="[name=p]", value=value)
    # It is not the agent's own: no script of the agent's may be there to see it, now or later.
    assert (await mighty.refused("eval_js", expr="1"))["code"] == "document_tainted"
    await mighty.ok("click", selector="button")
    (sent,) = site.asked("/in")
    assert sent.form["p"] == PASSWORD
    # What the page says of it is masked, also when the agent gives its name to something else.
    await mighty.ok("register_secret", name="PASSWORD_MY_SHOP", value="something-else")
    shown = await mighty.text("snapshot")
    assert "Welcome" in shown
    assert "<PASSWORD_MY_SHOP>" in shown
    assert "Zq7" not in shown


async def test_without_the_secrets_no_password_is_asked_for(
    caller: Caller, program: FakeProgram
) -> None:
    path = program.says(item("https://shop.example"))
    given = {"credentials_provider": "bitwarden", "credentials_program": path}
    with configured(caller.kernel, **given):
        for who, missing in (
            (only(caller, Capability.READ, Capability.CREDENTIALS), "secrets"),
            (only(caller, Capability.READ, Capability.SECRETS), "credentials"),
        ):
            told = await who.refused("get_credential", account="Shop")
            assert (told["code"], told["requiredCapability"]) == ("capability_disabled", missing)
    assert not (program.folder / "argv").exists()
    assert (await caller.refused("get_totp", account="a"))["code"] == "capability_disabled"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (item(), "secret_refused"),
        (item("androidapp://shop"), "secret_refused"),
        (item("https://shop.example", password="password"), "secret_refused"),
        (item("https://shop.example", password="x1"), "secret_refused"),
        (f"{PASSWORD}", "provider_failed"),
    ],
)
async def test_what_cannot_be_kept_safe_is_not_given(
    mighty: Caller, program: FakeProgram, answer: Any, code: str
) -> None:
    path = program.says(answer)
    with configured(mighty.kernel, credentials_provider="bitwarden", credentials_program=path):
        reply = await mighty.reply("get_credential", account="Shop")
        assert reply.error is not None
        assert reply.error.code == code
        assert PASSWORD not in reply.text
        for account in ("", "-f", "a\nb", "x" * 201):
            told = await mighty.refused("get_credential", account=account)
            assert told["code"] == "invalid_argument"


async def test_codes_come_from_seeds_and_from_programs(
    mighty: Caller, program: FakeProgram
) -> None:
    seeds = {"shop": "JBSWY3DPEHPK3PXP"}
    path = program.says("135790\n")
    given = {"credentials_provider": "1password", "credentials_program": path}
    with configured(mighty.kernel, credentials_seeds=seeds, **given):
        told = await mighty.ok("get_totp", account="shop")
        assert (len(told["code"]), told["provider"]) == (6, "local")
        told = await mighty.ok("get_totp", account="bank")
        assert told == {"ok": True, "code": "135790", "provider": "1password"}
    assert (await mighty.refused("get_totp", account="shop"))["code"] == "not_found"
    assert (await mighty.refused("get_credential", account="x"))["code"] == "not_configured"
    with configured(mighty.kernel, credentials_provider="none"):
        told = await mighty.refused("get_totp", account="shop")
        assert told["error"] == "no provider configured"
