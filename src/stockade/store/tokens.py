"""Tokens: what a caller shows, and the little of it that is kept."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Self

__all__ = ["Token", "is_key_id"]

_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
_SHAPE = re.compile(rf"stk_({_ID.pattern})_([A-Za-z0-9_-]{{43}})", re.ASCII)
_LENGTH = len("stk_") + 16 + len("_") + 43


def is_key_id(text: str) -> bool:
    """Whether a key could have that id; nothing else is worth asking the database about."""
    return _ID.fullmatch(text) is not None


@dataclass(frozen=True)
class Token:
    """`stk_<key id>_<secret>`; the secret has 256 random bits, so a plain hash of it is enough."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def new(cls) -> Self:
        """A token that nobody has seen."""
        return cls(secrets.token_hex(8), secrets.token_urlsafe(32))

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a token; nothing if it is not one."""
        if len(text) != _LENGTH or (match := _SHAPE.fullmatch(text)) is None:
            return None
        return cls(match[1], match[2])

    @property
    def text(self) -> str:
        """What its owner keeps."""
        return f"stk_{self.id}_{self.secret}"

    @property
    def digest(self) -> bytes:
        """What the database keeps."""
        return hashlib.sha256(self.secret.encode("ascii")).digest()
