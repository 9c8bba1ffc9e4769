"""Calls of the tools in `secrets`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Registered(Beside):
    """What can be used by name now."""

    ok: bool
    registered: str
    scope: str | None
    names: list[str]
    tokensEstimate: int


class SecretsCalls(Calls):
    """Methods that call tools."""

    async def register_secret(
        self,
        *,
        name: str,
        value: str,
        scope: str | None = None,
    ) -> Registered:
        """Register a value: it is masked everywhere, and fill or type with value <NAME> enters it."""
        answer = await self._call("register_secret", {"name": name, "value": value}, {"scope": scope}, in_tab=False)
        return cast("Registered", answer)
