"""Profiles: what a browser knows, kept in parts as it changes, encrypted.

A profile belongs to a key of a tenant. Whoever opens one has it alone, in whatever process.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from stockade.errors import Conflict, InvalidArgument, SetupError
from stockade.policy.principal import Principal
from stockade.telemetry.logs import get_logger
from stockade.workspace import Workspace

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = ["Profile", "Profiles"]

_log = get_logger("stockade.files")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+:-]{0,99}")
_PART = re.compile(r"[a-z][a-z0-9-]{0,79}")
_LOCK = ".lock"
_FORMAT = b"\x01"
_NONCE = 12
_LEVEL = 1
"""Of compression: what is written often is written fast."""


class Profiles:
    """The profiles of every key, below one directory of the workspace."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._open = workspace

    def open(self, principal: Principal, name: str) -> Profile:
        """Take a profile, which need not be there yet; it is held until it is closed."""
        place = Workspace(self._open().directory(*_way(principal, name)))
        about = f"profiles\0{principal.tenant}\0{principal.id}\0{name}"
        return Profile(name, place, about, lambda: self._cipher)

    def exists(self, principal: Principal, name: str) -> bool:
        """Whether a session ever had a profile of that name."""
        return self._open().path.joinpath(*_way(principal, name)).is_dir()

    def remove(self, principal: Principal, name: str) -> bool:
        """Forget a profile that nobody has open; whether there was anything."""
        if not self.exists(principal, name):
            return False
        profile = self.open(principal, name)
        try:
            return profile.clear()
        finally:
            profile.close()

    @cached_property
    def _cipher(self) -> AESGCM:
        # Only who keeps a profile needs these.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

        derived = HKDF(SHA256(), 32, None, b"stockade profiles").derive(self._open().key)
        return AESGCM(derived)


class Profile:
    """One profile, for one session; all but `close` is called in threads."""

    def __init__(
        self, name: str, place: Workspace, about: str, cipher: Callable[[], AESGCM]
    ) -> None:
        self.name = name
        self._place = place
        self._about = about
        self._cipher = cipher
        self._turn = threading.Lock()
        self._closed = False
        self._held = _lock(place.path / _LOCK, name)

    def read(self) -> dict[str, bytes]:
        """Every part, the latest last; what is damaged is set aside."""
        with self._working():
            self._sweep()
            parts = {}
            for name in self._names():
                content = self._part(name)
                if content is not None:
                    parts[name] = content
            return parts

    def write(self, part: str, content: bytes) -> None:
        """Keep a part in place of what it was, whole or not at all."""
        nonce = secrets.token_bytes(_NONCE)
        packed = zlib.compress(content, _LEVEL)
        sealed = _FORMAT + nonce + self._cipher().encrypt(nonce, packed, self._bound(part))
        with self._working():
            self._place.write(part, sealed)

    def remove(self, part: str) -> None:
        """Forget a part."""
        with self._working():
            self._place.remove(part)

    def set_aside(self, part: str, why: str) -> None:
        """Keep a part that is of no use out of the way, for somebody to look at."""
        with self._working():
            self._set_aside(part, why)

    def clear(self) -> bool:
        """Forget all parts, and what was set aside; whether there was any."""
        with self._working():
            doomed = [each.name for each in self._place.path.iterdir() if each.name != _LOCK]
            for name in doomed:
                self._place.remove(name)
            return any(_PART.fullmatch(name) for name in doomed)

    def close(self) -> None:
        """Let others have it, once what is being written is; nothing more is written then."""
        self._closed = True
        if self._turn.acquire(blocking=False):
            try:
                if self._held >= 0:
                    os.close(self._held)
                    self._held = -1
            finally:
                self._turn.release()

    @contextmanager
    def _working(self) -> Iterator[None]:
        """One at a time works on the files; who was at it when the profile was closed, closes."""
        try:
            with self._turn:
                if self._closed:
                    raise Conflict(f"profile {self.name} is closed")
                yield
        finally:
            if self._closed:
                self.close()

    def _names(self) -> list[str]:
        found = [each for each in self._place.path.iterdir() if _PART.fullmatch(each.name)]
        return [each.name for each in sorted(found, key=lambda each: each.lstat().st_mtime)]

    def _part(self, name: str) -> bytes | None:
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        try:
            sealed = self._place.read(name) or b""
            if sealed[:1] != _FORMAT:
                raise InvalidTag  # noqa: TRY301
            nonce, body = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
            return zlib.decompress(self._cipher().decrypt(nonce, body, self._bound(name)))
        except (InvalidTag, ValueError, zlib.error):
            self._set_aside(name, "it is damaged, or another's")
        except SetupError as error:
            self._set_aside(name, error.message)
        return None

    def _set_aside(self, part: str, why: str) -> None:
        path = self._place.path / part
        try:
            path.rename(path.with_name(f"{part}.damaged"))
        except OSError as error:
            why = f"{why}; {error.strerror}"
        _log.warning("part of a profile was set aside", profile=self.name, part=part, why=why)

    def _sweep(self) -> None:
        """Remove what a killed server had half written."""
        for each in self._place.path.iterdir():
            if each.name.startswith(".") and each.name != _LOCK:
                self._place.remove(each.name)

    def _bound(self, part: str) -> bytes:
        """What a file is bound to, so that none can be put in another's place."""
        return f"{self._about}\0{part}".encode()


def _way(principal: Principal, name: str) -> tuple[str, ...]:
    """Where in the workspace a profile is."""
    if not _NAME.fullmatch(name):
        raise InvalidArgument(
            "a profile's name is 1 to 100 letters, digits or . _ @ + : -, letter or digit first"
        )
    # The first character keeps an id from being `.` or `..`.
    folders = (quote(principal.tenant, safe=""), quote(principal.id, safe=""), name)
    return ("profiles", *(f"={each}" for each in folders))


def _lock(path: Path, name: str) -> int:
    """Hold a profile against other processes, and other sessions of this one."""
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(descriptor)
            raise
    except BlockingIOError:
        raise Conflict(
            f"profile {name} is in use by another process of this workspace",
            hint="Close the session that uses it, or choose another profile.",
        ) from None
    except OSError as error:
        raise SetupError(f"{path} cannot be used: {error.strerror}") from error
    return descriptor
