"""What pages may use: camera, position, notifications and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, EngineError, InvalidArgument, StockadeError
from stockade.kernel.arguments import Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.results import compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.asking import Asking
from stockade.sessions.granted import Granted
from stockade.sessions.options import AskingMode, Rule
from stockade.sessions.permissions import KNOWN
from stockade.sessions.session import Session
from stockade.tools.emulation import Applied, device_state
from stockade.urls import origin_of

__all__ = [
    "GivenRule",
    "grant_permissions",
    "permission_state",
    "set_notification_policy",
    "set_permission_policy",
    "use_notification_mode",
    "use_permission_rule",
]

_STATES = """async names => Object.fromEntries(await Promise.all(names.map(async name => {
  const [base, sysex] = name === 'midi-sysex' ? ['midi', true] : [name, false];
  const asked = { name: base, sysex, userVisibleOnly: true, allowWithoutGesture: true };
  try { return [name, (await navigator.permissions.query(asked)).state]; }
  catch { return [name, 'unknown']; }
})))"""
_PATIENCE = 5.0

State = Literal["granted", "denied", "prompt", "unknown"]
_Names = Annotated[
    tuple[Annotated[str, Field(max_length=100)], ...],
    Field(max_length=50, description="web names: geolocation, camera, …"),
]


_CLIPBOARD = ("clipboard-read", "clipboard-write")

_Exceptions = Annotated[dict[str, AskingMode], Field(max_length=50)]


class GivenRule(Arguments):
    """What becomes of requests for permissions."""

    mode: AskingMode = "raise"
    per_permission: _Exceptions = Field(default_factory=dict)


class SetPermissionPolicy(InSession):
    """What becomes of requests from now on."""

    mode: AskingMode
    per_permission: Annotated[_Exceptions, Field(description="such as camera: allow")] = Field(
        default_factory=dict
    )


class SetNotificationPolicy(InSession):
    """What becomes of notifications from now on."""

    mode: AskingMode


class PermissionPolicy(TypedDict):
    """What becomes of requests."""

    mode: AskingMode
    perPermission: dict[str, AskingMode]


class PermissionPolicySet(PermissionPolicy):
    """The policy from now on."""

    ok: bool
    policy: PermissionPolicy


class NotificationPolicy(TypedDict):
    """What becomes of notifications."""

    mode: AskingMode


class NotificationPolicySet(NotificationPolicy):
    """The policy from now on."""

    ok: bool
    policy: NotificationPolicy


class GrantPermissions(InSession):
    """What to grant to whom."""

    permissions: Annotated[_Names, Field(description="none takes all back")]
    origin: Annotated[str | None, Field(max_length=2000, description="all, unless given")] = None


class PermissionState(InSession):
    """What to ask about."""

    permissions: _Names
    origin: Annotated[str | None, Field(max_length=2000)] = None


class PermissionStates(TypedDict):
    """The state of each permission that was asked for, by its name."""

    ok: bool
    states: dict[str, State]
    origin: str


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def grant_permissions(call: Call, args: GrantPermissions) -> dict[str, Any]:
    """Let pages use permissions without asking; an empty list takes all back."""
    await call.session.started()
    permissions = Asking.of(call.session).permissions
    for name in args.permissions:
        _check_clipboard(call, call.session, name)
    if args.permissions:
        await permissions.grant(args.permissions, args.origin, timeout=call.left)
    else:
        call.session.parts.of(Granted, Granted).clear()
        await permissions.set(timeout=call.left)
    warnings = []
    if not args.permissions and args.origin is not None:
        warnings.append("permissions were taken back for every origin, not for one alone")
    data: dict[str, Any] = {
        "ok": True,
        "session": call.session.name,
        "applied": {"permissions": list(args.permissions), "origin": args.origin},
        "state": device_state(call, call.session.emulation),
        "warnings": warnings,
    }
    data["tokensEstimate"] = estimate(compact(data))
    return data


def _check_clipboard(call: Call, session: Session, name: str) -> None:
    """Refuse to let pages at a clipboard that is not theirs to use."""
    if name == "clipboard-read" and session.isolation == "shared":
        raise InvalidArgument(
            "clipboard-read is not granted here: the browser is shared with other sessions, and "
            "its clipboard with it",
            hint="Paste with shortcut, which has the session's own.",
            field="permissions",
        )
    if name in _CLIPBOARD:
        for policy in (session.policy, call.policy):
            policy.require(Capability.CLIPBOARD, f"{call.tool.name} with {name}")


async def use_permission_rule(call: Call, session: Session, given: GivenRule) -> dict[str, Any]:
    """Have a session go by a rule; what it may not give to pages stays denied."""
    per = dict(given.per_permission)
    unknown = sorted(set(per) - set(KNOWN))
    if unknown:
        raise InvalidArgument(
            "perPermission names what is no permission",
            hint=f"There are: {', '.join(KNOWN)}.",
            field="perPermission",
        )
    for name in _CLIPBOARD:
        if per.get(name, given.mode) in {"deny", "raise"}:
            continue
        if name in per:
            _check_clipboard(call, session, name)
        else:
            try:
                _check_clipboard(call, session, name)
            except StockadeError:
                per[name] = "deny"
    asking = Asking.of(session)
    await asking.permissions.set(Rule(given.mode, per), timeout=_PATIENCE)
    return {"mode": given.mode, "perPermission": per}


async def use_notification_mode(session: Session, mode: AskingMode) -> None:
    """Have a session deal with notifications that way."""
    asking = Asking.of(session)
    asking.notifications = mode
    await asking.permissions.set(notify=mode != "deny", timeout=_PATIENCE)


@tool(
    Capability.ACTION, gives=PermissionPolicySet, reach="session", toolset="test", idempotent=True
)
async def set_permission_policy(call: Call, args: SetPermissionPolicy) -> dict[str, Any]:
    """Choose what happens when pages ask for permissions; `raise` (default) denies and reports."""
    given = GivenRule(mode=args.mode, per_permission=args.per_permission)
    policy = await use_permission_rule(call, call.session, given)
    return {"ok": True, **policy, "policy": policy}


@tool(
    Capability.ACTION, gives=NotificationPolicySet, reach="session", toolset="test", idempotent=True
)
async def set_notification_policy(call: Call, args: SetNotificationPolicy) -> dict[str, Any]:
    """Choose what happens to notifications of pages; `raise` (default) reports them."""
    await use_notification_mode(call.session, args.mode)
    return {"ok": True, "mode": args.mode, "policy": {"mode": args.mode}}


@tool(Capability.READ, gives=PermissionStates, reach="session", toolset="test", reads=True)
async def permission_state(call: Call, args: PermissionState) -> dict[str, Any]:
    """Whether pages of an origin (the current one) may use permissions."""
    tab = await call.session.tab()
    origin = args.origin or tab.url
    states = await _states(call, origin, args.permissions)
    return {"ok": True, "states": states, "origin": origin_of(origin)}


async def _states(call: Call, origin: str, names: Sequence[str]) -> dict[str, Any]:
    frame = _frame_of(call, origin)
    if frame is not None:
        try:
            return await _asked(frame, names, min(call.left, _PATIENCE))
        except (EngineError, DeadlineExceeded):
            # It went away or is held; what was granted is still known.
            frame = None
    granted = call.session.parts.of(Granted, Granted)
    return {name: "granted" if granted.has(name, origin) else "unknown" for name in names}


async def _asked(frame: Frame, names: Sequence[str], timeout: float) -> dict[str, Any]:
    states: dict[str, Any] = await frame.call(_STATES, list(names), timeout=timeout)
    return states


def _frame_of(call: Call, origin: str) -> Frame | None:
    """A main frame of that origin: others have what their parents leave them."""
    wanted = origin_of(origin)
    tabs = sorted(call.session.tabs, key=lambda each: each is not call.session.current)
    for tab in tabs:
        if origin_of(tab.url) == wanted and tab.page.dialog is None and not tab.page.crashed:
            return tab.page.main_frame
    return None
