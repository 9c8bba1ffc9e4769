"""Names of attributes whose values a selector compares, however they are written."""

from __future__ import annotations

import pytest

from stockade.errors import SecretRefused
from stockade.masking.masker import Masker
from stockade.page.agent import PageAgent
from stockade.page.checks import count
from stockade.page.vetting import Vetting

SECRET = "Tr0ub4dor-and-3"


@pytest.mark.parametrize(
    ("attribute", "selector"),
    [
        ("data-x", '[data-x="a"]'),
        ("data-x", "[data-x|=a]"),
        ("data-x", "[ data-x ~= a i ]"),
        ("data-x", "[*|data-x=a]"),
        ("data-x", "[|data-x=a]"),
        ("data-x", "[d\\61 ta-x=a]"),
        ("data-x", "[data\\-x^=a]"),
        ("data-x", "p:not([data-x=a])"),
        ("data-x", ":nth-child(1 of [data-x=a])"),
        ("data-x", '[title="]"][data-x=a]'),
        ("data-x", "/*[*/[/*]*/data-x/*=*/=a]"),
        ("data^", "[data\\^=a]"),
        ("data^", "[data\\5e =a]"),
        ("DATA-X", "[Data-X=a]"),
    ],
)
async def test_it_is_refused(agent: PageAgent, attribute: str, selector: str) -> None:
    masker = Masker()
    masker.add("KEY", SECRET)
    agent.vetting = Vetting(lambda: masker)
    await agent.page.set_content(f"<p title=none>one</p><p {attribute}='{SECRET}'>two</p>")
    with pytest.raises(SecretRefused):
        await count(agent, selector, caller="me")
    for other in ("[data-x]", '[title="[data-x=a]"]', "[data-xy=a]"):
        await count(agent, other, caller="me")
