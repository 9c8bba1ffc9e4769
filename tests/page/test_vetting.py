"""Vetting: what is looked through for secrets before it is compared, and how often."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import SecretRefused, TargetNotFound
from stockade.masking.masker import Masker
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.vetting import Vetting

SECRET = "Tr0ub4dor-and-3"
PAGE = f"<p title='{SECRET}'>It is {SECRET}.</p><input name=q><button>Save</button>"


@pytest.fixture
def looks(agent: PageAgent, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Everything that is looked through in a tab whose secret is known."""
    masker = Masker()
    masker.add("KEY", SECRET)
    agent.vetting = Vetting(lambda: masker)
    looked: list[dict[str, Any]] = []
    look = Vetting.look

    async def noted(self: Vetting, content: dict[str, Any], *, last: bool) -> dict[str, Any]:
        looked.append(content)
        return await look(self, content, last=last)

    monkeypatch.setattr(Vetting, "look", noted)
    return looked


async def test_a_page_is_looked_through_once(agent: PageAgent, looks: list[dict[str, Any]]) -> None:
    await agent.page.set_content(PAGE)
    for selector in ("text=Save", "role=button[name=Save]", "text=<KEY>", "p:has-text('<KEY>')"):
        await resolve(agent, selector, caller="me")
    assert sum(bool(each["text"]) for each in looks) == 1
    with pytest.raises(TargetNotFound):
        await resolve(agent, "text=Tr0", caller="me")
    with pytest.raises(SecretRefused):
        await resolve(agent, "[title^=Tr0]", caller="me")


async def test_what_compares_no_text_looks_through_none(
    agent: PageAgent, looks: list[dict[str, Any]]
) -> None:
    await agent.page.set_content(f"{PAGE}<input name=password>")
    for selector in ("#none, button", "input[name=password]", "p[title]"):
        await resolve(agent, selector, caller="me")
    assert not any(each["text"] for each in looks)
    assert [each["strings"] for each in looks] == [["password"]]


async def test_without_secrets_nothing_is_told(agent: PageAgent) -> None:
    agent.vetting = Vetting(Masker)
    assert agent.vetting.start("select") is None
    await agent.page.set_content(PAGE)
    await resolve(agent, "text=Tr0", caller="me")
