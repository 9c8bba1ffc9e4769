"""The operator's secrets, kept across restarts, encrypted.

A secret belongs to a tenant. What is kept can be used by the server and shown to nobody.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from stockade.errors import InvalidArgument, LimitReached, SetupError
from stockade.policy.origins import OriginRule
from stockade.sessions.secrets import NAME, Secret
from stockade.telemetry.logs import get_logger
from stockade.workspace import Workspace

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = ["MOST_KEPT", "KeptSecrets"]

_log = get_logger("stockade.files")

MOST_KEPT = 200
_FOLDER = "secrets"
_NAME = re.compile(NAME)
_FORMAT = b"\x01"
_NONCE = 12


class KeptSecrets:
    """The secrets of every tenant, below one directory of the workspace."""

    def __init__(self, workspace: Callable[[], Workspace], path: Path) -> None:
        self._open = workspace
        self._path = path / _FOLDER

    def save(self, tenant: str, secret: Secret) -> None:
        """Keep a secret in place of the one that had the name; call this in a thread."""
        place = self._place(tenant)
        others = [each for each in _names(place.path) if each != secret.name]
        if len(others) >= MOST_KEPT:
            raise LimitReached(f"{MOST_KEPT} secrets are kept already", hint="Remove one first.")
        content = {
            "value": secret.value,
            "origins": [each.text for each in secret.origins],
            "fields": secret.fields,
            "totp": secret.totp,
            "used": secret.used,
        }
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._cipher.encrypt(
            nonce, json.dumps(content).encode(), _about(tenant, secret.name)
        )
        place.write(secret.name, _FORMAT + nonce + sealed)

    def remove(self, tenant: str, name: str) -> None:
        """Keep it no longer; call this in a thread."""
        self._place(tenant).remove(name)

    def all(self) -> Iterator[tuple[str, Secret]]:
        """Every secret with its tenant; what is damaged is told of and left out."""
        if not self._path.is_dir():
            return
        for folder in sorted(self._path.iterdir()):
            tenant = unquote(folder.name[1:])
            for name in _names(folder):
                try:
                    yield tenant, self._load(tenant, name)
                except SetupError:
                    _log.warning("a secret is damaged, or another workspace's", name=name)

    def _load(self, tenant: str, name: str) -> Secret:
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        sealed = self._place(tenant).read(name) or b""
        nonce, body = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
        try:
            if sealed[:1] != _FORMAT:
                raise InvalidTag  # noqa: TRY301
            content = json.loads(self._cipher.decrypt(nonce, body, _about(tenant, name)))
            origins = tuple(map(OriginRule.parse, content["origins"]))
            fields = tuple(content["fields"])
            return Secret(
                name,
                content["value"],
                origins,
                unknown=True,
                fields=fields,
                totp=bool(content["totp"]),
                used=tuple(content["used"]),
            )
        except (InvalidTag, ValueError, KeyError, InvalidArgument):
            raise SetupError("what is kept under that name cannot be read") from None

    def _place(self, tenant: str) -> Workspace:
        # The first character keeps an id from being `.` or `..`.
        return Workspace(self._open().directory(_FOLDER, "=" + quote(tenant, safe="")))

    @cached_property
    def _cipher(self) -> AESGCM:
        # Only who keeps a secret needs these.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

        return AESGCM(HKDF(SHA256(), 32, None, b"stockade secrets").derive(self._open().key))


def _about(tenant: str, name: str) -> bytes:
    """What a file is bound to, so that none can be put in another's place."""
    return f"{tenant}\0{name}".encode()


def _names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if _NAME.fullmatch(each.name))
