"""States: what a browser knew, kept under a name across sessions and restarts, encrypted.

A state belongs to a key of a tenant. An operator finds those of every key of its tenant.
"""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, unquote

from stockade.errors import Conflict, InvalidArgument, Missing, QuotaExceeded, SetupError
from stockade.policy.principal import Principal, Role
from stockade.workspace import Workspace

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = ["Kind", "State", "States"]

Kind = Literal["slots", "snapshots"]

MOST = 200
MOST_BYTES = 20_000_000
_WORD = "[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}"
_NAME = re.compile(rf"(?:{_WORD}~)?{_WORD}")
"""A snapshot has its profile before it."""
_LONGEST_NAME = 181
_FORMAT = b"\x01"
_NONCE = 12


@dataclass(frozen=True)
class State:
    """One kept state."""

    name: str
    owner: str
    """The key that saved it."""
    size: int
    modified_at: float


class States:
    """The states of every key, below one directory of the workspace."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._open = workspace

    def save(self, kind: Kind, principal: Principal, name: str, content: bytes) -> State:
        """Keep a state in place of the one that had the name; call this in a thread."""
        _check(name)
        if len(content) > MOST_BYTES:
            raise QuotaExceeded(f"a state has at most {MOST_BYTES} bytes, this one {len(content)}")
        place = self._place(kind, principal.tenant, principal.id)
        others = [each for each in _names(place.path) if each != name]
        if len(others) >= MOST:
            raise QuotaExceeded(f"{MOST} {kind} are kept already", hint="Delete one first.")
        nonce = secrets.token_bytes(_NONCE)
        about = _about(kind, principal.tenant, principal.id, name)
        sealed = self._cipher.encrypt(nonce, zlib.compress(content, 6), about)
        path = place.write(name, _FORMAT + nonce + sealed)
        return _state(path, principal.id)

    def load(self, kind: Kind, principal: Principal, name: str) -> bytes:
        """What a state holds; call this in a thread."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        state = self._find(kind, principal, name)
        sealed = self._place(kind, principal.tenant, state.owner).read(name) or b""
        about = _about(kind, principal.tenant, state.owner, name)
        nonce, body = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
        try:
            if sealed[:1] != _FORMAT:
                raise InvalidTag  # noqa: TRY301
            return zlib.decompress(self._cipher.decrypt(nonce, body, about))
        except (InvalidTag, ValueError, zlib.error):
            raise SetupError(
                "what is kept under that name is damaged, or another workspace's",
                hint="Save it again.",
            ) from None

    def delete(self, kind: Kind, principal: Principal, name: str) -> State:
        """Forget a state."""
        state = self._find(kind, principal, name)
        self._place(kind, principal.tenant, state.owner).remove(name)
        return state

    def all(self, kind: Kind, principal: Principal) -> list[State]:
        """The states that a caller may use, by owner and name, its own first."""
        owners = sorted(self._owners(kind, principal), key=lambda each: each != principal.id)
        found = []
        for owner in owners:
            folder = self._place(kind, principal.tenant, owner).path
            for name in _names(folder):
                # Another call may delete it at this moment.
                with suppress(FileNotFoundError):
                    found.append(_state(folder / name, owner))
        return found

    def _find(self, kind: Kind, principal: Principal, name: str) -> State:
        _check(name)
        found = [each for each in self.all(kind, principal) if each.name == name]
        if not found:
            raise Missing("nothing is kept under that name", hint="`auth_list` shows what is.")
        if found[0].owner != principal.id and len(found) > 1:
            raise Conflict("several keys have something under that name")
        return found[0]

    def _owners(self, kind: Kind, principal: Principal) -> list[str]:
        if not principal.has_role(Role.OPERATOR):
            return [principal.id]
        tenant = self._open().directory("auth", kind, _folder(principal.tenant))
        return sorted({principal.id, *(unquote(each.name[1:]) for each in tenant.iterdir())})

    def _place(self, kind: Kind, tenant: str, owner: str) -> Workspace:
        return Workspace(self._open().directory("auth", kind, _folder(tenant), _folder(owner)))

    @cached_property
    def _cipher(self) -> AESGCM:
        # Only who keeps a state needs these.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

        derived = HKDF(SHA256(), 32, None, b"stockade states").derive(self._open().key)
        return AESGCM(derived)


def _check(name: str) -> None:
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise InvalidArgument(
            "a name is 1 to 100 letters, digits or . _ @ + -, letter or digit first"
        )


def _about(kind: Kind, tenant: str, owner: str, name: str) -> bytes:
    """What a file is bound to, so that none can be put in another's place."""
    return f"{kind}\0{tenant}\0{owner}\0{name}".encode()


def _folder(id: str) -> str:
    # The first character keeps an id from being `.` or `..`.
    return "=" + quote(id, safe="")


def _names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if _NAME.fullmatch(each.name))


def _state(path: Path, owner: str) -> State:
    found = path.stat()
    return State(path.name, owner, found.st_size, found.st_mtime)
