"""Who is asked for an account, by the operator's settings."""

from __future__ import annotations

from stockade.config import Settings
from stockade.errors import NotConfigured
from stockade.providers.bitwarden import Bitwarden
from stockade.providers.lastpass import LastPass
from stockade.providers.local import Local
from stockade.providers.logins import Provider
from stockade.providers.onepassword import OnePassword

__all__ = ["code_provider", "login_provider"]


def login_provider(settings: Settings) -> Provider:
    """Who knows passwords."""
    place = settings.credentials_program
    match settings.credentials_provider:
        case "none":
            raise NotConfigured(
                "no provider configured", hint="The operator sets STOCKADE_CREDENTIALS_PROVIDER."
            )
        case "1password":
            return OnePassword(place)
        case "bitwarden":
            return Bitwarden(place)
        case "lastpass":
            return LastPass(place)
        case _:
            return Local(settings.credentials_seeds)


def code_provider(settings: Settings, account: str) -> Provider:
    """Who knows the one-time codes of an account: a seed of the operator's comes first."""
    chosen = login_provider(settings)
    local = Local(settings.credentials_seeds)
    return local if local.knows(account) else chosen
