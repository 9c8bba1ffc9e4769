"""Secrets that the operator keeps for agents. For operators and admins; values never leave."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from typing_extensions import TypedDict

from stockade.kernel.envelope import Envelope
from stockade.kernel.secrets import MOST_ORIGINS, Secrets
from stockade.sessions.secrets import NAME, Secret
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.statuses import LIST, ONE, documented

__all__ = ["routes"]

_Name = Annotated[str, Path(description="What agents call it.", pattern=f"^{NAME}$")]


class NewSecret(BaseModel):
    """A value, and where it may be filled in."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    value: SecretStr = Field(min_length=1, max_length=65_536)
    origins: list[Annotated[str, Field(max_length=300)]] = Field(
        min_length=1,
        max_length=MOST_ORIGINS,
        description="It is filled into pages and frames of these origins alone.",
    )
    fields: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(
        default=[],
        max_length=MOST_ORIGINS,
        description="Names or labels of fields it is for, beside those for passwords and codes.",
    )
    totp: bool = Field(
        default=False,
        description="The value is the seed of one-time codes (base32, or an otpauth: address), and "
        "what is filled in is the code of the moment.",
    )


class SecretRow(TypedDict):
    """A secret, without its value."""

    name: str
    origins: list[str]
    fields: list[str]
    totp: bool


class SecretPage(TypedDict):
    """The secrets that are kept, by name."""

    ok: bool
    secrets: list[SecretRow]
    next: str | None


class OneSecret(TypedDict):
    """A secret, without its value."""

    ok: bool
    secret: SecretRow


def routes(secrets: Secrets, envelope: Envelope) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["secrets"], dependencies=[Depends(json_only)])

    @router.get(
        "/secrets",
        summary="The secrets that agents may use, without their values",
        responses=documented(SecretPage, LIST),
    )
    async def get_secrets(request: Request, wanted: Annotated[Paged, Query()]) -> Response:
        rows, following = paged("secrets", secrets.kept(caller(request)), _place, wanted)
        return answer({"ok": True, "secrets": [_row(each) for each in rows], "next": following})

    @router.get(
        "/secrets/{name}",
        summary="A secret, without its value",
        responses=documented(OneSecret, ONE),
    )
    async def get_secret(request: Request, name: _Name) -> Response:
        return answer({"ok": True, "secret": _row(secrets.find_kept(caller(request), name))})

    @router.put(
        "/secrets/{name}",
        summary="Keep a secret, in place of the one that has the name",
        responses=documented(OneSecret, LIST),
    )
    async def put_secret(request: Request, name: _Name, wanted: NewSecret) -> Response:
        async with envelope.change(caller(request), "secrets.keep", secret=name):
            kept = await secrets.keep(
                caller(request),
                name,
                wanted.value.get_secret_value(),
                wanted.origins,
                fields=wanted.fields,
                totp=wanted.totp,
            )
        return answer({"ok": True, "secret": _row(kept)})

    @router.delete(
        "/secrets/{name}",
        summary="Let nobody use a secret any more",
        responses=documented(OneSecret, ONE),
    )
    async def delete_secret(request: Request, name: _Name) -> Response:
        async with envelope.change(caller(request), "secrets.remove", secret=name):
            removed = await secrets.remove(caller(request), name)
        return answer({"ok": True, "secret": _row(removed)})

    return router


def _place(secret: Secret) -> tuple[float, str]:
    return 0.0, secret.name


def _row(secret: Secret) -> dict[str, Any]:
    return {
        "name": secret.name,
        "origins": [each.text for each in secret.origins],
        "fields": list(secret.fields),
        "totp": secret.totp,
    }
