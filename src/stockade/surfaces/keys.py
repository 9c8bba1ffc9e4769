"""REST for keys and logins: who may come in. For admins alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from stockade.policy.capabilities import parse_capabilities
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.store.keys import KeyRecord, Keys
from stockade.surfaces.access import address_in
from stockade.surfaces.answers import answer
from stockade.surfaces.api import caller
from stockade.surfaces.logins import CODE_SECONDS, Logins

__all__ = ["NewKey", "described", "routes"]

_Names = Annotated[list[Annotated[str, Field(max_length=253)]], Field(max_length=100)]


class NewKey(BaseModel):
    """What a key is made from."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    name: str = Field(min_length=1, max_length=100)
    role: Role = Role.AGENT
    capabilities: _Names | None = Field(None, description="No more than these; all when left out.")
    origins: _Names = Field([], description="The only pages it may open; any when empty.")
    expires_at: AwareDatetime | None = None


def routes(keys: Keys, logins: Logins) -> APIRouter:
    """The routes of this surface."""
    router = APIRouter(prefix="/v1")

    @router.get("/keys", summary="The keys there are, without their tokens")
    async def list_keys(request: Request) -> Response:
        admin = _admin(request)
        found = await keys.list(admin.tenant)
        return answer({"ok": True, "keys": [described(each) for each in found]})

    @router.post("/keys", summary="Make a key; its token is shown this once", status_code=201)
    async def create_key(request: Request, wanted: NewKey) -> Response:
        admin = _admin(request)
        _check(wanted)
        record, token = await keys.create(
            name=wanted.name,
            role=wanted.role,
            tenant=admin.tenant,
            capabilities=wanted.capabilities,
            origins=wanted.origins,
            expires_at=wanted.expires_at,
        )
        return answer({"ok": True, "key": described(record), "token": token}, 201)

    @router.delete("/keys/{id}", summary="Revoke a key")
    async def revoke_key(request: Request, id: str) -> Response:
        admin = _admin(request)
        revoked = await keys.revoke(id, tenant=admin.tenant)
        return answer({"ok": True, "key": described(revoked)})

    @router.post("/logins", summary="A link that logs a browser in to the console, once")
    async def create_login(request: Request) -> Response:
        _admin(request)
        url = f"{address_in(request.headers)}/login?code={logins.issue()}"
        return answer({"ok": True, "url": url, "expiresIn": int(CODE_SECONDS)}, 201)

    return router


def _admin(request: Request) -> Principal:
    principal = caller(request)
    principal.require(Role.ADMIN, "this")
    return principal


def _check(wanted: NewKey) -> None:
    """A key that could never be used is an error now, not when somebody uses it."""
    switches = None if wanted.capabilities is None else parse_capabilities(wanted.capabilities)
    Policy().narrowed(capabilities=switches, allowed=tuple(map(OriginRule.parse, wanted.origins)))


def described(record: KeyRecord) -> dict[str, Any]:
    """A key as listings show it."""
    instants = ("created_at", "expires_at", "last_used_at", "revoked_at")
    return {
        "id": record.id,
        "name": record.name,
        "role": record.role,
        "tenant": record.tenant,
        "capabilities": record.capabilities
        if record.capabilities is None
        else [*record.capabilities],
        "origins": [*record.origins],
        **{each: _instant(getattr(record, each)) for each in instants},
    }


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
