"""What operators decide while the server runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, ValidationError
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import Arguments
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.overlay import KEYS, Layer
from stockade.kernel.tool import tool
from stockade.policy.confirming import parse_confirmations
from stockade.policy.principal import Role

__all__ = ["approve_actions", "list_approvals", "reset_config", "set_config"]

_Entry = Annotated[str, Field(min_length=1, max_length=300)]
_Entries = Annotated[list[_Entry], Field(max_length=200)]


class ApproveActions(Arguments):
    """What need not be asked about, where and for how long."""

    scopes: Annotated[
        tuple[_Entry, ...],
        Field(min_length=1, max_length=20, description="as in confirm_required"),
    ]
    ttl_seconds: int = Field(3600, ge=1, le=86_400)
    session: Annotated[
        str | None, Field(max_length=100, description="its id; all when left out")
    ] = None


class Nothing(Arguments):
    """No arguments."""


class Patch(Arguments):
    """What sessions that open later may do, within the server's settings."""

    capabilities: _Entries | None = None
    confirm_required: _Entries | None = None
    allowed_origins: _Entries | None = None
    blocked_origins: _Entries | None = None


class SetConfig(Arguments):
    """What to change where."""

    scope: Layer = "user"
    patch: dict[Annotated[str, Field(max_length=100)], Any]


class ResetConfig(Arguments):
    """What to forget."""

    scope: Layer = "user"


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


class Grants(TypedDict):
    """What was agreed to beforehand, and how much waits."""

    ok: bool
    approvals: list[GrantRow]
    waiting: list[WaitingRow]


class ConfigSet(TypedDict):
    """What a layer holds now."""

    ok: bool
    scope: Literal["user", "project"]
    config: dict[str, list[str]]
    capabilitiesPendingRestart: NotRequired[list[str]]


def _grants(call: Call) -> dict[str, Any]:
    approvals = call.kernel.approvals
    rows = [
        {
            "scope": each.scope,
            **({"session": each.session} if each.session else {}),
            "grantedBy": each.by.id,
            "grantedAt": instant(each.granted_at),
            "expiresAt": instant(each.granted_at + each.seconds),
            "uses": each.uses,
            "remainingMs": round(left * 1000),
        }
        for each, left in approvals.standing.listed(call.principal)
    ]
    waiting = [
        {"id": each.id, "kind": each.kind}
        | {name: each.facts[name] for name in ("session", "tool") if name in each.facts}
        for each in approvals.listed(call.principal, "pending")
    ]
    return {"ok": True, "approvals": rows, "waiting": waiting}


@tool(None, gives=Grants, toolset="debug", reach="server", inner=False, role=Role.OPERATOR)
async def approve_actions(call: Call, args: ApproveActions) -> dict[str, Any]:
    """For operators: let something happen without being asked, for a while."""
    rules = parse_confirmations(args.scopes)
    session = ""
    if args.session is not None:
        session = call.kernel.sessions.find(call.principal, args.session).id
    scopes = sorted(each.text for each in rules)
    call.kernel.approvals.standing.add(call.principal, scopes, session, args.ttl_seconds)
    return _grants(call)


@tool(
    None, gives=Grants, toolset="debug", reach="server", reads=True, inner=False, role=Role.OPERATOR
)
async def list_approvals(call: Call, args: Nothing) -> dict[str, Any]:
    """For operators: what was agreed to beforehand, and what waits."""
    del args
    return _grants(call)


@tool(
    None,
    gives=ConfigSet,
    toolset="debug",
    reach="server",
    inner=False,
    idempotent=True,
    role=Role.OPERATOR,
)
async def set_config(call: Call, args: SetConfig) -> dict[str, Any]:
    """For operators: let sessions that open later do less than the server's settings allow."""
    unknown = sorted(set(args.patch) - set(KEYS))
    if unknown:
        raise InvalidArgument(
            "set_config cannot change that while the server runs",
            hint=f"It takes {', '.join(KEYS)}; all else is set in stockade.toml, with a restart.",
        )
    try:
        given = Patch.model_validate(args.patch).model_dump(by_alias=True, exclude_none=True)
    except ValidationError:
        raise InvalidArgument("every value of a patch is a list of words") from None
    call.kernel.overlay.set(call.principal.tenant, args.scope, given)
    return _layer(call, args.scope)


@tool(
    None,
    gives=ConfigSet,
    toolset="debug",
    reach="server",
    inner=False,
    idempotent=True,
    role=Role.OPERATOR,
)
async def reset_config(call: Call, args: ResetConfig) -> dict[str, Any]:
    """For operators: forget what set_config set."""
    call.kernel.overlay.reset(call.principal.tenant, args.scope)
    return _layer(call, args.scope)


def _layer(call: Call, scope: Layer) -> dict[str, Any]:
    tenant, overlay = call.principal.tenant, call.kernel.overlay
    told: dict[str, Any] = {"ok": True, "scope": scope, "config": overlay.layer(tenant, scope)}
    pending = overlay.pending(tenant, call.principal.policy)
    if pending:
        told["capabilitiesPendingRestart"] = pending
    return told
