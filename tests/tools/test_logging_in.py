"""Logging in with a kept password and a one-time code: two calls, and nobody is asked anything."""

from __future__ import annotations

import re
from dataclasses import replace

import pyotp
import pytest

from stockade.errors import InvalidArgument
from stockade.policy.principal import Principal, Role
from tests.support.callers import Caller
from tests.support.login_forms import FORMS, PASSWORD, SEED, WELCOME


@pytest.fixture
async def agent(caller: Caller) -> Caller:
    """An agent with the default tools of a tenant that keeps a password and a seed of codes."""
    tenant = f"tenant-of-{caller.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    places = [caller.site.url(""), caller.site.url("", host="localhost")]
    await caller.kernel.secrets.keep(operator, "PASSWORD", PASSWORD, places)
    await caller.kernel.secrets.keep(operator, "CODE", SEED, places, totp=True)
    principal = replace(caller.principal, tenant=tenant)
    return replace(caller, principal=principal, toolsets=frozenset({"core"}))


@pytest.mark.parametrize("name", FORMS)
async def test_it_takes_two_calls(agent: Caller, name: str) -> None:
    form = FORMS[name]
    await agent.ok("navigate", url=form.install(agent.site))
    codes = {pyotp.TOTP(SEED).now()}
    told = []
    for tool, given in form.calls:
        reply = await agent.reply(tool, **given)
        assert reply.ok, reply.text
        told.append(reply.text)
    codes.add(pyotp.TOTP(SEED).now())
    assert WELCOME in await agent.text("snapshot")
    for text in told:
        assert PASSWORD not in text
        assert not any(code in text for code in codes)
    operator = replace(agent.principal, id="op", role=Role.OPERATOR)
    assert agent.kernel.approvals.listed(operator) == [], "nobody was asked"


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
