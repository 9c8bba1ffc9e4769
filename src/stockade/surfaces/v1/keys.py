"""Keys: who may come in. For admins alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from stockade.kernel.envelope import Envelope
from stockade.policy.capabilities import parse_capabilities
from stockade.policy.confirming import parse_confirmations
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.policy.principal import Role
from stockade.store.keys import KeyRecord, Keys
from stockade.surfaces.access import admin
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.statuses import LIST, ONE, documented

__all__ = ["NewKey", "described", "routes"]

_Names = Annotated[list[Annotated[str, Field(max_length=253)]], Field(max_length=100)]


class NewKey(BaseModel):
    """What a key is made from."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    name: str = Field(min_length=1, max_length=100)
    role: Role = Role.AGENT
    capabilities: _Names | None = Field(None, description="No more than these; all when left out.")
    origins: _Names = Field([], description="The only pages it may open; any when empty.")
    confirm: _Names = Field([], description="What waits for a person, beside what does anyway.")
    expires_at: AwareDatetime | None = None


class KeyRow(TypedDict):
    """A key, without its token."""

    id: str
    name: str
    role: str
    tenant: str
    capabilities: list[str] | None
    origins: list[str]
    confirm: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None


class KeyPage(TypedDict):
    """The keys there are, the oldest first; also those that are over."""

    ok: bool
    keys: list[KeyRow]
    next: str | None


class KeyMade(TypedDict):
    """A key and its token, which is shown this once."""

    ok: bool
    key: KeyRow
    token: str


class KeyRevoked(TypedDict):
    """A key that opens nothing any more."""

    ok: bool
    key: KeyRow


def routes(keys: Keys, envelope: Envelope) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["keys"], dependencies=[Depends(json_only)])

    @router.get(
        "/keys",
        summary="The keys there are, without their tokens",
        responses=documented(KeyPage, LIST),
    )
    async def get_keys(request: Request, wanted: Annotated[Paged, Query()]) -> Response:
        found = await keys.list(admin(request).tenant)
        rows, following = paged("keys", found, _place, wanted)
        return answer({"ok": True, "keys": [described(each) for each in rows], "next": following})

    @router.post(
        "/keys",
        summary="Make a key; its token is shown this once",
        status_code=201,
        responses=documented(KeyMade, LIST, {404, 409}, status=201),
    )
    async def post_key(request: Request, wanted: NewKey) -> Response:
        maker = admin(request)
        _check(wanted)
        async with envelope.change(maker, "keys.create", name=wanted.name, role=wanted.role):
            record, token = await keys.create(
                name=wanted.name,
                role=wanted.role,
                tenant=maker.tenant,
                capabilities=wanted.capabilities,
                origins=wanted.origins,
                confirm=wanted.confirm,
                expires_at=wanted.expires_at,
            )
        return answer({"ok": True, "key": described(record), "token": token}, 201)

    @router.delete("/keys/{id}", summary="Revoke a key", responses=documented(KeyRevoked, ONE))
    async def delete_key(
        request: Request, id: Annotated[str, Path(description="The id of a key.")]
    ) -> Response:
        async with envelope.change(admin(request), "keys.revoke", key=id):
            revoked = await keys.revoke(id, tenant=admin(request).tenant)
        envelope.news.dismiss(revoked.id)
        return answer({"ok": True, "key": described(revoked)})

    return router


def _place(record: KeyRecord) -> tuple[float, str]:
    return record.created_at.timestamp(), record.id


def _check(wanted: NewKey) -> None:
    """A key that could never be used is an error now, not when somebody uses it."""
    switches = None if wanted.capabilities is None else parse_capabilities(wanted.capabilities)
    Policy().narrowed(capabilities=switches, allowed=tuple(map(OriginRule.parse, wanted.origins)))
    parse_confirmations(wanted.confirm)


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
        "confirm": [*record.confirm],
        **{each: _instant(getattr(record, each)) for each in instants},
    }


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
