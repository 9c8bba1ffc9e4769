"""Calls of the tools in `credentials`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Code(Beside):
    """A one-time code."""

    ok: bool
    code: str
    provider: str


class Credential(Beside):
    """A user name; the password is a secret of the session now."""

    ok: bool
    username: str
    aliasName: str
    scope: str
    provider: str


class CredentialsCalls(Calls):
    """Methods that call tools."""

    async def get_totp(
        self,
        *,
        account: str,
    ) -> Code:
        """The one-time code of an account."""
        answer = await self._call("get_totp", {"account": account}, {}, in_tab=False)
        return cast("Code", answer)

    async def get_credential(
        self,
        *,
        account: str,
    ) -> Credential:
        """The user name of an account; fill <aliasName> enters its password, on its own site alone."""
        answer = await self._call("get_credential", {"account": account}, {}, in_tab=False)
        return cast("Credential", answer)
