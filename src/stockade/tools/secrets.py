"""Secrets that are used by name."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, SecretStr
from typing_extensions import TypedDict

from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.results import compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.secrets import NAME

__all__ = ["register_secret"]


class RegisterSecret(InSession):
    """A secret and its name."""

    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    value: Annotated[SecretStr, Field(max_length=65_536)]
    scope: Annotated[
        str | None,
        Field(max_length=300, description="its origin; default: where it is first filled in"),
    ] = None


class Registered(TypedDict):
    """What can be used by name now."""

    ok: bool
    registered: str
    scope: str | None
    names: list[str]
    tokensEstimate: int


@tool(Capability.SECRETS, gives=Registered, toolset="forms", reach="session", inner=False)
async def register_secret(call: Call, args: RegisterSecret) -> dict[str, Any]:
    """Register a value: it is masked everywhere, and fill or type with value <NAME> enters it."""
    secrets = call.kernel.secrets
    secret = secrets.register(call.session, args.name, args.value.get_secret_value(), args.scope)
    data: dict[str, Any] = {
        "ok": True,
        "registered": secret.name,
        "scope": secret.scope,
        "names": secrets.names(call.session),
    }
    data["tokensEstimate"] = estimate(compact(data))
    return data
