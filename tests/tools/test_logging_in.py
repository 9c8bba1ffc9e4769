"""Logging in with a kept password and a one-time code: two calls, and nobody is asked anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyotp
import pytest

from stockade.errors import InvalidArgument
from stockade.policy.principal import Principal, Role
from tests.support.callers import Caller
from tests.support.login_forms import EMAIL, FORMS, PASSWORD, SEED, USER, WELCOME, fill_form_call
from tests.support.login_servers import login_server


@pytest.fixture
async def agent(caller: Caller) -> Caller:
    """An agent with the default tools of a tenant that keeps a password and a seed of codes."""
    return await with_secrets(caller, caller.site.url(""), caller.site.url("", host="localhost"))


async def with_secrets(caller: Caller, *places: str) -> Caller:
    tenant = f"tenant-of-{caller.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    await caller.kernel.secrets.keep(operator, "PASSWORD", PASSWORD, places)
    await caller.kernel.secrets.keep(operator, "CODE", SEED, places, totp=True)
    principal = replace(caller.principal, tenant=tenant)
    return replace(caller, principal=principal, toolsets=frozenset({"core"}))


async def log_in(agent: Caller, calls: tuple[tuple[str, dict[str, Any]], ...], sees: str) -> None:
    """Make the calls; nobody is asked, and neither the password nor a code is told."""
    codes = {pyotp.TOTP(SEED).now()}
    told = []
    for tool, given in calls:
        reply = await agent.reply(tool, **given)
        assert reply.ok, reply.text
        told.append(reply.text)
    told.append(await agent.text("snapshot"))
    codes.add(pyotp.TOTP(SEED).now())
    assert sees in told[-1]
    for text in told:
        assert PASSWORD not in text
        assert not any(code in text for code in codes)
    operator = replace(agent.principal, id="op", role=Role.OPERATOR)
    assert agent.kernel.approvals.listed(operator) == [], "nobody was asked"


@pytest.mark.parametrize("name", FORMS)
async def test_it_takes_two_calls(agent: Caller, name: str) -> None:
    form = FORMS[name]
    await agent.ok("navigate", url=form.install(agent.site))
    await log_in(agent, form.calls, WELCOME)


@dataclass(frozen=True)
class Application:
    """An application that many sites are made with, as it comes."""

    server: str
    path: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    sees: str = WELCOME


APPLICATIONS = {
    "Django's administration with django-otp": Application(
        "django_sites",
        "/admin/",
        (
            fill_form_call(
                {"label=Username:": USER, "label=Password:": "<PASSWORD>"},
                "role=button[name=Log in]",
            ),
            # It wants the password once more, with the device and its code.
            fill_form_call(
                {
                    "label=Password:": "<PASSWORD>",
                    "label=OTP Device:": "phone",
                    "label=OTP Token:": "<CODE>",
                },
                "role=button[name=Log in]",
            ),
        ),
    ),
    "Django with django-allauth": Application(
        "django_sites",
        "/accounts/login/",
        (
            fill_form_call(
                {"label=Username:": USER, "label=Password:": "<PASSWORD>"},
                "role=button[name=Sign In]",
            ),
            fill_form_call({"label=Code:": "<CODE>"}, "role=button[name=Sign In]"),
        ),
    ),
    "Flask with Flask-Security": Application(
        "flask_site",
        "/login",
        (
            fill_form_call(
                {"label=Email Address": EMAIL, "label=Password": "<PASSWORD>"},
                "role=button[name=Login]",
            ),
            fill_form_call(
                {"label=Authentication Code": "<CODE>"}, "role=button[name=Submit Code]"
            ),
        ),
    ),
    "Radicale": Application(
        "radicale_site",
        "/.web/",
        (
            fill_form_call(
                {"placeholder=Username": USER, "placeholder=Password": "<PASSWORD>"},
                "role=button[name=Next]",
            ),
        ),
        sees="Logout",
    ),
}


@pytest.mark.parametrize("name", APPLICATIONS)
async def test_it_takes_no_more_at_real_applications(
    caller: Caller, name: str, tmp_path: Path
) -> None:
    application = APPLICATIONS[name]
    async with login_server(application.server, tmp_path) as address:
        agent = await with_secrets(caller, address)
        await agent.ok("navigate", url=address + application.path)
        await log_in(agent, application.calls, application.sees)


async def test_a_code_is_opaque_like_any_secret(agent: Caller) -> None:
    await agent.show("<label>Code <input autocomplete=one-time-code id=c></label><p id=out></p>")
    await agent.ok("fill", selector="#c", value="<CODE>")
    shown = await agent.text("snapshot")
    assert "<CODE>" in shown
    assert not re.search(r"\b\d{6}\b", shown)
    told = await agent.refused("press", selector="#c", key="Backspace")
    assert told["code"] == "secret_refused"


async def test_boxes_show_nothing_of_the_code(agent: Caller) -> None:
    form = FORMS["boxes"]
    agent.site.page("/boxes", form.second)
    await agent.ok("navigate", url=agent.site.url("/boxes"))
    await agent.ok("fill", selector=".box >> nth=0", value="<CODE>")
    shown = await agent.text("snapshot")
    assert shown.count("<CODE>") == 6, shown
    told = await agent.refused("press", selector=".box >> nth=3", key="Backspace")
    assert told["code"] == "secret_refused"


async def test_what_is_no_seed_is_refused(agent: Caller) -> None:
    operator = replace(agent.principal, role=Role.OPERATOR)
    for seed in ("not a seed!", "otpauth://hotp/a?secret=JBSWY3DPEHPK3PXP&counter=1"):
        with pytest.raises(InvalidArgument):
            await agent.kernel.secrets.keep(operator, "X", seed, ["https://a.test"], totp=True)
