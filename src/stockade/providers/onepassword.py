"""1Password, by its program `op`, version 2."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from stockade.errors import Missing
from stockade.providers.logins import Login
from stockade.providers.programs import Program, decoded, digits_of

__all__ = ["OnePassword"]

_PROGRAM: Final = Program(
    command="op",
    label="1Password",
    variables=("OP_",),
    fixed={"OP_FORMAT": "human-readable"},
    sign_in="The operator sets OP_SERVICE_ACCOUNT_TOKEN for the server, or runs `op signin`.",
    missing=r"isn't an item|isn't a vault|item .*not found|no item found",
    ambiguous=r"more than one item matches",
    locked=r"not (currently )?signed in|no accounts configured|session expired|authorization "
    r"(prompt|denied|timeout)|invalid (service account )?token|unauthorized",
    codeless=r"one-time password|\botp\b",
)


class OnePassword:
    """Asks `op`, which the operator has signed in."""

    name = "1password"

    def __init__(self, place: Path | None) -> None:
        self.program = replace(_PROGRAM, place=place)

    async def code(self, account: str) -> str:
        """The code of this moment."""
        said = await self.program.say("item", "get", "--otp", "--", account)
        return digits_of(said, self.program.label)

    async def login(self, account: str) -> Login:
        """The item's user name, password and websites."""
        said = await self.program.say("item", "get", "--format=json", "--", account)
        for item in decoded(said, self.program.label):
            password = _field(item, "PASSWORD")
            if password:
                addresses = _strings(item.get("urls"), "href")
                return Login(_field(item, "USERNAME"), password, addresses)
        raise Missing("that account has no password")


def _field(item: dict[str, Any], purpose: str) -> str:
    for each in item.get("fields") or ():
        if isinstance(each, dict) and each.get("purpose") == purpose:
            value = each.get("value")
            return value if isinstance(value, str) else ""
    return ""


def _strings(rows: Any, key: str) -> tuple[str, ...]:
    found = (each.get(key) for each in rows or () if isinstance(each, dict))
    return tuple(each for each in found if isinstance(each, str))
