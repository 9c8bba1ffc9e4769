"""LastPass, by its program `lpass`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from stockade.errors import Missing, NotConfigured
from stockade.providers.logins import Login
from stockade.providers.programs import Program, decoded

__all__ = ["LastPass"]

_PROGRAM: Final = Program(
    command="lpass",
    label="LastPass",
    variables=("LPASS_",),
    fixed={"LPASS_DISABLE_PINENTRY": "1"},
    sign_in="The operator runs `lpass login`, as the user that the server runs as.",
    missing=r"could not find specified account",
    ambiguous=r"multiple matches found",
    locked=r"perhaps you need to login|not logged in|decryption key|session is invalid",
)
_NO_SITE: Final = frozenset({"http://sn", "http://group", "http://"})
"""What stands in place of an address in notes and folders."""


class LastPass:
    """Asks `lpass`, which the operator has logged in."""

    name = "lastpass"

    def __init__(self, place: Path | None) -> None:
        self.program = replace(_PROGRAM, place=place)

    async def code(self, account: str) -> str:
        """Its program knows none."""
        del account
        raise NotConfigured(
            "the program of LastPass gives no one-time codes",
            hint="The operator sets a seed for that account: STOCKADE_CREDENTIALS_SEEDS.",
        )

    async def login(self, account: str) -> Login:
        """The item's user name, password and site."""
        said = await self.program.say("show", "--json", "--", account)
        for item in decoded(said, self.program.label):
            found = {key: value for key, value in item.items() if isinstance(value, str)}
            if found.get("password"):
                site = found.get("url", "").strip()
                sites = (site,) if site and site not in _NO_SITE else ()
                return Login(found.get("username", ""), found["password"], sites)
        raise Missing("that account has no password")
