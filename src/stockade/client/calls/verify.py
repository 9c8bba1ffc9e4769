"""Calls of the tools in `verify`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class Shortfall(TypedDict):
    """What did not hold, and what was there instead."""

    source: Literal['app', 'stockade', 'caller']
    kind: str
    expected: str
    actual: Any
    evidence: NotRequired[dict[str, Any]]


class Verdict(Beside):
    """Whether it holds."""

    ok: bool
    failure: NotRequired[Shortfall]
    tokensEstimate: NotRequired[int]


class VerifyCalls(Calls):
    """Methods that call tools."""

    async def verify_visible(
        self,
        target: str | None = None,
        *,
        timeout_ms: int | None = None,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
    ) -> Verdict:
        """Check that an element can be seen."""
        answer = await self._call("verify_visible", {}, {"timeoutMs": timeout_ms, "ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords}, in_tab=True, target=target)
        return cast("Verdict", answer)

    async def verify_text(
        self,
        target: str | None = None,
        *,
        text: str,
        timeout_ms: int | None = None,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        exact: bool | None = None,
    ) -> Verdict:
        """Check what an element says; a failure shows its text, which is untrusted."""
        answer = await self._call("verify_text", {"text": text}, {"timeoutMs": timeout_ms, "ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "exact": exact}, in_tab=True, target=target)
        return cast("Verdict", answer)

    async def verify_value(
        self,
        target: str | None = None,
        *,
        value: str,
        timeout_ms: int | None = None,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
    ) -> Verdict:
        """Check what a field holds."""
        answer = await self._call("verify_value", {"value": value}, {"timeoutMs": timeout_ms, "ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords}, in_tab=True, target=target)
        return cast("Verdict", answer)

    async def verify_attribute(
        self,
        target: str | None = None,
        *,
        attr: str,
        timeout_ms: int | None = None,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        value: str | None = None,
    ) -> Verdict:
        """Check that an element has an attribute, with a value if one is given."""
        answer = await self._call("verify_attribute", {"attr": attr}, {"timeoutMs": timeout_ms, "ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "value": value}, in_tab=True, target=target)
        return cast("Verdict", answer)

    async def verify_count(
        self,
        *,
        n: int,
        timeout_ms: int | None = None,
        selector: str | None = None,
        text: str | None = None,
    ) -> Verdict:
        """Check how many elements a selector means, or in how many places a text stands."""
        answer = await self._call("verify_count", {"n": n}, {"timeoutMs": timeout_ms, "selector": selector, "text": text}, in_tab=True)
        return cast("Verdict", answer)


class VerifyServerCalls(Calls):
    """Methods that call tools."""

    async def verify_predicate(
        self,
        *,
        predicate: dict[str, Any],
        data: dict[str, Any],
        session: str | None = None,
    ) -> Verdict:
        """Check data, such as an action's result, against a predicate; no code is run."""
        answer = await self._call("verify_predicate", {"predicate": predicate, "data": data}, {"session": session}, in_tab=False)
        return cast("Verdict", answer)
