"""Bitwarden, by its program `bw`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from stockade.errors import Missing
from stockade.providers.logins import Login
from stockade.providers.programs import Program, decoded, digits_of

__all__ = ["Bitwarden"]

_PROGRAM: Final = Program(
    command="bw",
    label="Bitwarden",
    variables=("BW_", "BITWARDENCLI_APPDATA_DIR"),
    fixed={"BW_NOINTERACTION": "true", "BW_CLEANEXIT": "false", "BW_RESPONSE": "false"},
    sign_in="The operator runs `bw unlock`, and sets BW_SESSION for the server.",
    missing=r"not found",
    ambiguous=r"more than one result",
    locked=r"vault is locked|not logged in|session key|master password",
    codeless=r"no totp|premium status",
)
_REGULAR_EXPRESSION: Final = 4
_NEVER: Final = 5


class Bitwarden:
    """Asks `bw`, which the operator has unlocked."""

    name = "bitwarden"

    def __init__(self, place: Path | None) -> None:
        self.program = replace(_PROGRAM, place=place)

    async def code(self, account: str) -> str:
        """The code of this moment."""
        return digits_of(await self.program.say("get", "totp", "--", account), self.program.label)

    async def login(self, account: str) -> Login:
        """The item's user name, password and sites."""
        said = await self.program.say("get", "item", "--", account)
        for item in decoded(said, self.program.label):
            login: Any = item.get("login")
            if not isinstance(login, dict):
                continue
            password = login.get("password")
            if isinstance(password, str) and password:
                name = login.get("username")
                sites = tuple(_sites(login.get("uris")))
                return Login(name if isinstance(name, str) else "", password, sites)
        raise Missing("that account has no password")


def _sites(rows: Any) -> Iterator[str]:
    for each in rows or ():
        if not isinstance(each, dict) or each.get("match") in {_REGULAR_EXPRESSION, _NEVER}:
            continue
        address = each.get("uri")
        if isinstance(address, str):
            yield address
