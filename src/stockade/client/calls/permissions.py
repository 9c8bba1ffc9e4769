"""Calls of the tools in `permissions`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Place(TypedDict):
    """A position."""

    latitude: float
    longitude: float
    accuracy: float


class Size(TypedDict):
    """The page area."""

    width: int
    height: int


class DeviceState(TypedDict):
    """What pages are told; null is the browser's own."""

    locale: str | None
    timezoneId: str | None
    userAgent: str | None
    geolocation: Place | None
    colorScheme: str | None
    reducedMotion: bool | None
    viewport: Size
    permissions: dict[str, list[str]]


class Applied(Beside):
    """What holds from now on, in every tab of the session."""

    ok: bool
    session: str
    applied: dict[str, Any]
    state: DeviceState
    warnings: list[str]
    tokensEstimate: int


class PermissionPolicy(TypedDict):
    """What becomes of requests."""

    mode: Literal['allow', 'deny', 'raise', 'ask-human']
    perPermission: dict[str, Literal['allow', 'deny', 'raise', 'ask-human']]


class PermissionPolicySet(Beside):
    """The policy from now on."""

    mode: Literal['allow', 'deny', 'raise', 'ask-human']
    perPermission: dict[str, Literal['allow', 'deny', 'raise', 'ask-human']]
    ok: bool
    policy: PermissionPolicy


class NotificationPolicy(TypedDict):
    """What becomes of notifications."""

    mode: Literal['allow', 'deny', 'raise', 'ask-human']


class NotificationPolicySet(Beside):
    """The policy from now on."""

    mode: Literal['allow', 'deny', 'raise', 'ask-human']
    ok: bool
    policy: NotificationPolicy


class PermissionStates(Beside):
    """The state of each permission that was asked for, by its name."""

    ok: bool
    states: dict[str, Literal['granted', 'denied', 'prompt', 'unknown']]
    origin: str


class PermissionsCalls(Calls):
    """Methods that call tools."""

    async def grant_permissions(
        self,
        *,
        permissions: list[str],
        origin: str | None = None,
    ) -> Applied:
        """Let pages use permissions without asking; an empty list takes all back."""
        answer = await self._call("grant_permissions", {"permissions": permissions}, {"origin": origin}, in_tab=False)
        return cast("Applied", answer)

    async def set_permission_policy(
        self,
        *,
        mode: Literal['allow', 'deny', 'raise', 'ask-human'],
        per_permission: dict[str, Literal['allow', 'deny', 'raise', 'ask-human']] | None = None,
    ) -> PermissionPolicySet:
        """Choose what happens when pages ask for permissions; `raise` (default) denies and reports."""
        answer = await self._call("set_permission_policy", {"mode": mode}, {"perPermission": per_permission}, in_tab=False)
        return cast("PermissionPolicySet", answer)

    async def set_notification_policy(
        self,
        *,
        mode: Literal['allow', 'deny', 'raise', 'ask-human'],
    ) -> NotificationPolicySet:
        """Choose what happens to notifications of pages; `raise` (default) reports them."""
        answer = await self._call("set_notification_policy", {"mode": mode}, {}, in_tab=False)
        return cast("NotificationPolicySet", answer)

    async def permission_state(
        self,
        *,
        permissions: list[str],
        origin: str | None = None,
    ) -> PermissionStates:
        """Whether pages of an origin (the current one) may use permissions."""
        answer = await self._call("permission_state", {"permissions": permissions}, {"origin": origin}, in_tab=False)
        return cast("PermissionStates", answer)
