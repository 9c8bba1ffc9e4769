"""One-time codes from seeds in the operator's own settings."""

from __future__ import annotations

from collections.abc import Mapping

from stockade.errors import Missing, NotConfigured, ProviderFailed
from stockade.providers.logins import Login

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
        return _code_of(seed)

    async def login(self, account: str) -> Login:
        """Seeds are not passwords."""
        del account
        raise NotConfigured(
            "the local provider has one-time codes alone, no passwords",
            hint="The operator keeps it as a secret, or sets STOCKADE_CREDENTIALS_PROVIDER.",
        )


def _code_of(seed: str) -> str:
    import pyotp  # noqa: PLC0415

    try:
        made = pyotp.parse_uri(seed) if seed.startswith("otpauth:") else pyotp.TOTP(seed)
        if isinstance(made, pyotp.TOTP):
            return made.now()
    except (ArithmeticError, ValueError, TypeError):
        # What was raised may say the seed.
        pass
    raise ProviderFailed(
        "the seed of that account makes no codes",
        hint="The operator corrects it in STOCKADE_CREDENTIALS_SEEDS.",
    )
