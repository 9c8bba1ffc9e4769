"""Logins and one-time codes that the operator's provider knows."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument, SecretRefused
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.providers.choosing import code_provider, login_provider
from stockade.providers.logins import alias_of, check_account, origins_of

__all__ = ["get_credential", "get_totp"]


class OfAccount(InSession):
    """An account, as the provider knows it."""

    account: Annotated[str, Field(max_length=200), AfterValidator(check_account)]


class Code(TypedDict):
    """A one-time code."""

    ok: bool
    code: str
    provider: str


class Credential(TypedDict):
    """A user name; the password is a secret of the session now."""

    ok: bool
    username: str
    aliasName: str
    scope: str
    provider: str


@tool(Capability.CREDENTIALS, gives=Code, toolset="forms", reach="session", inner=False)
async def get_totp(call: Call, args: OfAccount) -> dict[str, Any]:
    """The one-time code of an account."""
    provider = code_provider(call.kernel.settings, args.account)
    code = await provider.code(args.account)
    return {"ok": True, "code": code, "provider": provider.name}


@tool(Capability.CREDENTIALS, gives=Credential, toolset="forms", reach="session", inner=False)
async def get_credential(call: Call, args: OfAccount) -> dict[str, Any]:
    """The user name of an account; fill <aliasName> enters its password, on its own site alone."""
    for policy in (call.principal.policy, call.policy):
        policy.require(Capability.SECRETS, call.tool.name)
    provider = login_provider(call.kernel.settings)
    login = await provider.login(args.account)
    origins = origins_of(login)
    try:
        secret = call.kernel.secrets.provide(
            call.session, alias_of(args.account), login.password, origins
        )
    except InvalidArgument:
        raise SecretRefused(
            "the password of that account is too short or too common to be kept out of sight",
            hint="The operator gives the account a better one.",
        ) from None
    return {
        "ok": True,
        "username": login.username,
        "aliasName": secret.name,
        "scope": secret.scope,
        "provider": provider.name,
    }
