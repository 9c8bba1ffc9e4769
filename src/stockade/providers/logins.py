"""A login: what a provider knows of an account, and where it may be used."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Protocol

from stockade.errors import InvalidArgument, SecretRefused
from stockade.policy.origins import OriginRule
from stockade.urls import WEB_SCHEMES, parse

__all__ = ["Login", "Provider", "alias_of", "check_account", "origins_of"]

_MOST_ORIGINS: Final = 20
_LONGEST_ACCOUNT: Final = 200
_LONGEST_ALIAS: Final = 48
_DIGITS: Final = 8


@dataclass(frozen=True)
class Login:
    """A user name and its password."""

    username: str
    password: str = field(repr=False)
    addresses: tuple[str, ...] = ()
    """The sites that it is for, as they stand in the provider's item."""


class Provider(Protocol):
    """Somebody who knows accounts."""

    @property
    def name(self) -> str:
        """What operators call it."""

    async def code(self, account: str) -> str:
        """The one-time code of this moment."""

    async def login(self, account: str) -> Login:
        """The user name and the password."""


def check_account(account: str) -> str:
    """Refuse a name that a program could take for something else."""
    if (
        not account.strip()
        or len(account) > _LONGEST_ACCOUNT
        or account.startswith("-")
        or not account.isprintable()
    ):
        raise InvalidArgument(
            f"an account is 1 to {_LONGEST_ACCOUNT} characters that show, and no - in front",
            hint="Give the name or id that the operator's provider knows it by.",
        )
    return account


def alias_of(account: str) -> str:
    """The name of the secret that an account's password becomes."""
    words = re.sub(r"[^A-Z0-9]+", "_", account.upper()).strip("_")
    if not words or not account.isascii() or len(words) > _LONGEST_ALIAS:
        # What is left of the name no longer tells it from others.
        mark = sha256(account.encode()).hexdigest()[:_DIGITS].upper()
        words = f"{words[: _LONGEST_ALIAS - _DIGITS - 1]}_{mark}".lstrip("_")
    return f"PASSWORD_{words}"


def origins_of(login: Login) -> tuple[OriginRule, ...]:
    """Where a password may be filled in: the sites that its item names, and no other.

    Without one it is refused, or an agent could be talked into giving it to any site.
    """
    rules = tuple(dict.fromkeys(_rules(login.addresses)))[:_MOST_ORIGINS]
    if not rules:
        raise SecretRefused(
            "the provider does not say which site that account is for",
            hint="The operator adds the address of the site to the item.",
        )
    return rules


def _rules(addresses: Iterable[str]) -> Iterable[OriginRule]:
    for text in addresses:
        whole = text.strip() if "://" in text else f"https://{text.strip()}"
        try:
            address = parse(whole)
            if address.scheme not in WEB_SCHEMES or not address.host:
                continue
            # An item that was made for http is good for https too, never the other way round.
            yield OriginRule.parse(address.origin.removeprefix("http://"))
        except InvalidArgument:
            continue
