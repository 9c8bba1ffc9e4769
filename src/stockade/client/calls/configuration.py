"""Calls of the tools in `configuration`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class GrantRow(TypedDict):
    """Something that need not be asked about, for now."""

    scope: str
    session: NotRequired[str]
    grantedBy: str
    grantedAt: str
    expiresAt: str
    uses: int
    remainingMs: int


class WaitingRow(TypedDict):
    """A question that waits."""

    id: str
    kind: str
    session: NotRequired[str]
    tool: NotRequired[str]


class Grants(Beside):
    """What was agreed to beforehand, and how much waits."""

    ok: bool
    approvals: list[GrantRow]
    waiting: list[WaitingRow]


class ConfigSet(Beside):
    """What a layer holds now."""

    ok: bool
    scope: Literal['user', 'project']
    config: dict[str, list[str]]
    capabilitiesPendingRestart: NotRequired[list[str]]


class ConfigurationServerCalls(Calls):
    """Methods that call tools."""

    async def approve_actions(
        self,
        *,
        scopes: list[str],
        ttl_seconds: int | None = None,
        session: str | None = None,
    ) -> Grants:
        """For operators: let something happen without being asked, for a while."""
        answer = await self._call("approve_actions", {"scopes": scopes}, {"ttlSeconds": ttl_seconds, "session": session}, in_tab=False)
        return cast("Grants", answer)

    async def list_approvals(
        self,
    ) -> Grants:
        """For operators: what was agreed to beforehand, and what waits."""
        answer = await self._call("list_approvals", {}, {}, in_tab=False)
        return cast("Grants", answer)

    async def set_config(
        self,
        *,
        patch: dict[str, Any],
        scope: Literal['user', 'project'] | None = None,
    ) -> ConfigSet:
        """For operators: let sessions that open later do less than the server's settings allow."""
        answer = await self._call("set_config", {"patch": patch}, {"scope": scope}, in_tab=False)
        return cast("ConfigSet", answer)

    async def reset_config(
        self,
        *,
        scope: Literal['user', 'project'] | None = None,
    ) -> ConfigSet:
        """For operators: forget what set_config set."""
        answer = await self._call("reset_config", {}, {"scope": scope}, in_tab=False)
        return cast("ConfigSet", answer)
