"""Adding our entry to a client's own file, so that nothing else in it changes."""

from __future__ import annotations

import os
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from stockade.cli import jsonc, toml
from stockade.cli.clients import NAME, Client
from stockade.errors import Conflict

__all__ = ["Merged", "merge"]

_BACKUP_MODE = 0o600


@dataclass(frozen=True)
class Merged:
    """What became of a file."""

    path: Path
    outcome: Literal["created", "changed", "unchanged"]
    backup: Path | None = None


def merge(which: Client, path: Path, stdio: Mapping[str, Any]) -> Merged:
    """Put our entry into the file; one that cannot be read is left exactly as it is."""
    # A settings file is often a link into a repository; the link stays one.
    path = path.resolve()
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    entry = which.entry(stdio)
    try:
        text = content.decode()
        before = _parsed(which, text)
        if before.get(which.container, {}).get(NAME) == entry:
            return Merged(path, "unchanged")
        after = _edited(which, text, entry)
        _check(which, before, _parsed(which, after), entry)
    except (ValueError, AttributeError) as error:
        reason = str(error) if isinstance(error, jsonc.Unreadable) else "it cannot be understood"
        raise Conflict(
            f"{path} was left as it is: {reason}",
            hint=f"Repair it, or paste what `stockade init {which.name}` prints.",
        ) from None
    backup = _backup(path, content) if content else None
    _replace(path, after.encode())
    return Merged(path, "changed" if content else "created", backup)


def _parsed(which: Client, text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    if which.format == "toml":
        return tomllib.loads(text)
    found = jsonc.parse(text)
    if not isinstance(found, dict):
        raise jsonc.Unreadable("the file is not an object")
    return found


def _edited(which: Client, text: str, entry: dict[str, Any]) -> str:
    if which.format == "toml":
        return toml.with_table(text, (which.container, NAME), entry)
    return jsonc.with_member(text, (which.container, NAME), entry)


def _check(
    which: Client, before: dict[str, Any], after: dict[str, Any], entry: dict[str, Any]
) -> None:
    """The new text says what the old one said, and our entry; anything else is not written."""
    wanted = {**before, which.container: {**before.get(which.container, {}), NAME: entry}}
    if after != wanted:
        raise jsonc.Unreadable("the entry does not fit into it")


def _backup(path: Path, content: bytes) -> Path:
    """Keep what was there; an older backup is never written over."""
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    backup = path.with_name(f"{path.name}.{moment}-{secrets.token_hex(2)}.bak")
    descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _BACKUP_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    return backup


def _replace(path: Path, content: bytes) -> None:
    """The whole new file or the whole old one, whatever happens, at the old one's mode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if path.exists():
                os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
