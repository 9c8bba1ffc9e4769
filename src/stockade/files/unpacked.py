"""Unpacked extensions: directories that the operator has put into the workspace."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from stockade.errors import InvalidArgument
from stockade.sessions.extensions import Unpacked

__all__ = ["read_unpacked"]

_MANIFEST = "manifest.json"
_VERSION = 3
_MOST_FILES = 2000
_MOST_BYTES = 20_000_000
_DEEPEST = 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HINT = "Name a directory below `extensions` in the workspace, where the operator puts them."

_REFUSED = frozenset(
    {"debugger", "dns", "downloads.open", "nativeMessaging", "privacy", "proxy", "vpnProvider"}
)
"""Permissions that lead around the egress proxy or out of the browser."""


def read_unpacked(root: Callable[[], Path], given: str) -> Unpacked:
    """The extension in a directory below `root`, through no link; what is unfit is refused."""
    top = root()
    parts = _parts(top, given)
    with _opened(top, parts) as folder:
        files = dict(_files(folder))
    manifest = _manifest(files.get(_MANIFEST))
    public = _public_key(manifest, parts)
    # The browser is given what was looked at, and not what it would read there itself.
    files[_MANIFEST] = json.dumps(
        manifest | {"key": base64.b64encode(public).decode()}, ensure_ascii=False
    ).encode()
    return Unpacked(
        id=_id_of(public),
        name=str(manifest["name"])[:200],
        version=str(manifest.get("version", ""))[:50],
        path="/".join(parts),
        commands=_commands(manifest),
        files=files,
    )


def _refused(message: str) -> InvalidArgument:
    return InvalidArgument(message, hint=_HINT, field="path")


# --- the directory --------------------------------------------------------------------------------


def _parts(top: Path, given: str) -> tuple[str, ...]:
    path = PurePosixPath(given)
    if path.is_absolute():
        if not path.is_relative_to(top):
            raise _refused("the path leads out of the directory of extensions")
        path = path.relative_to(top)
    if not path.parts or "\0" in given or ".." in path.parts:
        raise _refused("the path leads out of the directory of extensions")
    return path.parts


@contextmanager
def _opened(top: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """The directory, entered step by step so that no link leads astray."""
    here = os.open(top, _FOLDER)
    try:
        for part in parts:
            try:
                below = os.open(part, _FOLDER, dir_fd=here)
            except FileNotFoundError:
                raise _refused("there is no such extension") from None
            except OSError:
                raise _refused("the path leads to no directory, or through a link") from None
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def _files(folder: int) -> Iterator[tuple[str, bytes]]:
    """Every file below, by its path there; within limits, and none through a link."""
    count = size = 0
    waiting = [("", os.dup(folder))]
    try:
        while waiting:
            prefix, here = waiting.pop()
            try:
                for entry in sorted(os.listdir(here)):  # noqa: PTH208
                    count += 1
                    name = f"{prefix}{entry}"
                    if count > _MOST_FILES or name.count("/") > _DEEPEST:
                        raise _refused(f"an extension has at most {_MOST_FILES} files")
                    below, content = _taken(here, entry, _MOST_BYTES - size)
                    if below is not None:
                        waiting.append((f"{name}/", below))
                        continue
                    size += len(content)
                    yield name, content
            finally:
                os.close(here)
    finally:
        for _, here in waiting:
            os.close(here)


def _taken(folder: int, name: str, room: int) -> tuple[int | None, bytes]:
    """A directory, open, or what a file holds."""
    try:
        found = os.open(name, _FILE, dir_fd=folder)
    except OSError:
        raise _refused("the extension holds a link, or what cannot be read") from None
    mode = os.fstat(found).st_mode
    if stat.S_ISDIR(mode):
        return found, b""
    with os.fdopen(found, "rb") as file:
        if not stat.S_ISREG(mode):
            raise _refused("the extension holds what is no file")
        content = file.read(room + 1)
    if len(content) > room:
        raise _refused(f"an extension has at most {_MOST_BYTES:,} bytes")
    return None, content


# --- the manifest ---------------------------------------------------------------------------------


def _manifest(content: bytes | None) -> dict[str, Any]:
    if content is None:
        raise _refused("there is no manifest.json in that directory")
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError):
        raise _refused("manifest.json is not JSON") from None
    if not isinstance(manifest, dict) or manifest.get("manifest_version") != _VERSION:
        raise _refused("manifest.json must be of version 3")
    if not isinstance(manifest.get("name"), str):
        raise _refused("manifest.json says no name")
    unfit = sorted(_wanted(manifest) & _REFUSED)
    if unfit:
        raise InvalidArgument(
            f"the extension wants {', '.join(unfit)}, which leads around the egress proxy or out "
            "of the browser",
            hint="Use one that does without.",
            permissions=unfit,
        )
    return manifest


def _wanted(manifest: dict[str, Any]) -> set[str]:
    """Every permission that it has or may ask for."""
    found: set[str] = set()
    for key in ("permissions", "optional_permissions"):
        entries = manifest.get(key, [])
        for entry in entries if isinstance(entries, list) else [entries]:
            found |= set(entry) if isinstance(entry, dict) else {str(entry)}
    return found


def _public_key(manifest: dict[str, Any], parts: tuple[str, ...]) -> bytes:
    """What its id is made of; one that says none has the same id wherever it is loaded from."""
    key = manifest.get("key")
    if isinstance(key, str):
        try:
            return base64.b64decode(key, validate=True)
        except ValueError:
            raise _refused("the key in manifest.json is damaged") from None
    return hashlib.sha256("/".join(("stockade", *parts)).encode()).digest()


def _id_of(public: bytes) -> str:
    """As Chromium makes it: half a digest, written with the letters a to p."""
    digest = hashlib.sha256(public).hexdigest()[:32]
    return "".join(chr(ord("a") + int(each, 16)) for each in digest)


def _commands(manifest: dict[str, Any]) -> tuple[str, ...]:
    commands = manifest.get("commands", {})
    return tuple(map(str, commands))[:50] if isinstance(commands, dict) else ()
