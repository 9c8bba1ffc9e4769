"""What a method of a tool sends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from stockade.client.answer import Answer
from stockade.client.tab import Tab


class Listener:
    """A transport that only listens."""

    def __init__(self) -> None:
        self.heard: list[tuple[str | None, str, Mapping[str, Any]]] = []

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def call(self, session: str | None, tool: str, arguments: Mapping[str, Any]) -> Answer:
        self.heard.append((session, tool, arguments))
        return Answer({}, "")

    async def read(self, uri: str) -> bytes:
        return uri.encode()

    async def events(self, session: str | None) -> AsyncIterator[Mapping[str, Any]]:
        yield {"session": session}


@pytest.mark.parametrize(
    ("target", "key"),
    [
        ("e3", "ref"),
        ("f2e13", "ref"),
        ("text=e3", "selector"),
        ("button", "selector"),
        ("e", "selector"),
    ],
)
async def test_a_target_is_a_ref_or_a_selector(target: str, key: str) -> None:
    listener = Listener()
    await Tab(listener, "work").click(target)
    assert listener.heard == [("work", "click", {key: target})]


async def test_names_are_those_of_the_wire_and_what_is_not_given_is_not_sent() -> None:
    listener = Listener()
    await Tab(listener, "work", "t2").fill("e1", value="", max_result_tokens=100)
    assert listener.heard == [
        ("work", "fill", {"value": "", "maxResultTokens": 100, "ref": "e1", "tab": "t2"})
    ]
