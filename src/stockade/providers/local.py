"""One-time codes from seeds in the operator's own settings."""

from __future__ import annotations

from collections.abc import Mapping

from stockade.errors import Missing, NotConfigured, ProviderFailed
from stockade.providers.logins import Login
from stockade.sessions.one_time_codes import code_or_none

__all__ = ["Local"]


class Local:
    """Makes codes itself; it has no passwords."""

    name = "local"

    def __init__(self, seeds: Mapping[str, str]) -> None:
        self._seeds = seeds

    def knows(self, account: str) -> bool:
        """Whether there is a seed for that account."""
        return account in self._seeds

    async def code(self, account: str) -> str:
        """The code of this moment."""
        seed = self._seeds.get(account)
        if seed is None:
            raise Missing(
                "there is no seed for that account",
                hint="The operator sets STOCKADE_CREDENTIALS_SEEDS.",
            )
        code = code_or_none(seed)
        if code is None:
            raise ProviderFailed(
                "the seed of that account makes no codes",
                hint="The operator corrects it in STOCKADE_CREDENTIALS_SEEDS.",
            )
        return code

    async def login(self, account: str) -> Login:
        """Seeds are not passwords."""
        del account
        raise NotConfigured(
            "the local provider has one-time codes alone, no passwords",
            hint="The operator keeps it as a secret, or sets STOCKADE_CREDENTIALS_PROVIDER.",
        )
