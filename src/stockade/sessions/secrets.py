"""Secrets that an agent may use by name, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from stockade.errors import InvalidArgument, LimitReached
from stockade.masking.worth import is_guessable
from stockade.policy.origins import OriginRule
from stockade.sessions.one_time_codes import code_of
from stockade.urls import parse

__all__ = ["MOST_SECRETS", "NAME", "NAMED", "Secret", "SessionSecrets"]

NAME = r"[A-Z][A-Z0-9_]{0,63}"
"""What a secret can be called."""
NAMED = re.compile(rf"<({NAME})>")
"""A text that stands for a secret: it is nothing but its name."""
MOST_SECRETS = 32

_OPAQUE = ("null", "")


@dataclass(frozen=True)
class Secret:
    """A value that agents know by its name alone."""

    name: str
    value: str = field(repr=False)
    origins: tuple[OriginRule, ...] = ()
    """Where it may be filled in; none: where it is first used."""
    unknown: bool = False
    """Whether the agent that uses it does not know it."""
    fields: tuple[str, ...] = ()
    """Names or labels of fields that the operator meant it for, beside those for passwords."""
    totp: bool = False
    """It is a seed, and what is filled in is the one-time code of the moment."""
    used: tuple[str, ...] = ()
    """Origins at which it was filled in, if it is kept."""

    @property
    def text(self) -> str:
        """What is filled in."""
        return code_of(self.value) if self.totp else self.value

    @property
    def guessable(self) -> bool:
        """Whether so few values are like it that whoever does not know it could try them all."""
        return self.unknown and is_guessable(self.value)

    def fits(self, origin: str) -> bool:
        """Whether it may be filled into a document of that origin."""
        if origin in _OPAQUE:
            return False
        try:
            address = parse(origin)
        except InvalidArgument:
            return False
        return any(rule.matches(address) for rule in self.origins)

    @property
    def scope(self) -> str | None:
        """Where it may be filled in, in words."""
        return ", ".join(rule.text for rule in self.origins) or None


class SessionSecrets:
    """What was registered in a session."""

    def __init__(self) -> None:
        self._secrets: dict[str, Secret] = {}

    @property
    def names(self) -> list[str]:
        """Those there are."""
        return sorted(self._secrets)

    def get(self, name: str) -> Secret | None:
        """The one of that name."""
        return self._secrets.get(name)

    def check_room(self, name: str) -> None:
        """Refuse one more than there may be."""
        if name not in self._secrets and len(self._secrets) >= MOST_SECRETS:
            raise LimitReached(f"{MOST_SECRETS} secrets are registered in this session already")

    def put(self, secret: Secret) -> None:
        """Register one, in the place of the one that had the name."""
        self._secrets[secret.name] = secret

    def bind(self, secret: Secret, origin: str) -> Secret:
        """From its first use on, a secret without a scope belongs to where that was."""
        if origin in _OPAQUE:
            return secret
        bound = replace(secret, origins=(OriginRule.parse(origin),))
        self._secrets[secret.name] = bound
        return bound
