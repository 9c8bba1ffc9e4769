"""Calls of the tools in `effects`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Action(TypedDict):
    """A call of a tool that acts."""

    tool: str
    args: NotRequired[dict[str, Any]]


class ClassDelta(TypedDict):
    """Classes that came and went."""

    added: list[str]
    removed: list[str]


class ChangedElement(TypedDict):
    """An element that is another now; each delta is left out where it is empty."""

    path: str
    tag: str
    testId: NotRequired[str]
    classDelta: NotRequired[ClassDelta]
    styleDelta: NotRequired[dict[str, dict[str, str | None]]]
    attrDelta: NotRequired[dict[str, dict[str, str | None]]]
    textDelta: NotRequired[dict[str, str]]
    valueDelta: NotRequired[dict[str, str]]
    frame: NotRequired[str]


class Moved(TypedDict):
    """The top of what came or went."""

    path: str
    tag: str
    testId: NotRequired[str]
    text: NotRequired[str]
    frame: NotRequired[str]


class Counts(TypedDict):
    """How many there are in all."""

    changed: int
    added: int
    removed: int


class Diff(TypedDict):
    """Elements that changed, came and went."""

    changed: list[ChangedElement]
    added: list[Moved]
    removed: list[Moved]
    counts: Counts
    notes: NotRequired[list[str]]


class ActedAndDiffed(Beside):
    """What came of the action, and what it changed."""

    ok: bool
    action: dict[str, Any]
    diff: Diff


class Match(TypedDict):
    """Which answer."""

    urlPattern: NotRequired[str | None]
    method: NotRequired[str | None]
    status: NotRequired[int | None]


class Answered(TypedDict):
    """The answer, if it came."""

    matched: bool
    method: NotRequired[str]
    url: NotRequired[str]
    status: NotRequired[int]
    failure: NotRequired[str]


class ActedAndAnswered(Beside):
    """What came of the action, and the answer."""

    ok: bool
    action: dict[str, Any]
    network: Answered


class EffectsCalls(Calls):
    """Methods that call tools."""

    async def act_and_diff(
        self,
        *,
        action: Action,
        scope: str | None = None,
    ) -> ActedAndDiffed:
        """Run an action and list the elements it changed, added and removed. They are untrusted."""
        answer = await self._call("act_and_diff", {"action": action}, {"scope": scope}, in_tab=True)
        return cast("ActedAndDiffed", answer)

    async def act_and_wait_for_network(
        self,
        *,
        action: Action,
        match: Match,
        timeout_ms: int | None = None,
    ) -> ActedAndAnswered:
        """Run an action and wait for an answer from the network, which may come meanwhile."""
        answer = await self._call("act_and_wait_for_network", {"action": action, "match": match}, {"timeoutMs": timeout_ms}, in_tab=True)
        return cast("ActedAndAnswered", answer)
