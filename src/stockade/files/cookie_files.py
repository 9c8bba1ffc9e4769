"""Cookie files: Netscape's `cookies.txt` and JSON, below the one directory they may be in."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from stockade.errors import InvalidArgument, Missing

__all__ = ["CookieFile", "Fault", "parse_cookies", "read_cookie_file"]

MOST_BYTES = 5 << 20
_MOST_FOLDERS = 8
_HTTP_ONLY = "#HttpOnly_"
_FIELDS = 7
_SWITCHES = {"TRUE": True, "FALSE": False}
_STEP = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_END = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class Fault:
    """A line that is no cookie, and why."""

    line: int
    reason: str


@dataclass
class CookieFile:
    """What a file holds."""

    rows: list[Any] = field(default_factory=list)
    """As the importing tool takes them; nothing is checked yet."""
    lines: list[int] | None = None
    """Where each row stands, in a file that has lines."""
    faults: list[Fault] = field(default_factory=list)


def read_cookie_file(folder: Path, name: str) -> CookieFile:
    """Read a file below `folder`; call this in a thread."""
    return parse_cookies(_content(folder, name))


def _content(folder: Path, name: str) -> bytes:
    """The bytes of a regular file: no step of the way may be a link, and nothing leads out."""
    *folders, last = _parts(folder, name)
    here = -1
    try:
        # The directory itself is the operator's own choice.
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for each in folders:
            above, here = here, os.open(each, _STEP, dir_fd=here)
            os.close(above)
        file = os.open(last, _END, dir_fd=here)
    except OSError as error:
        raise _unreadable(error) from None
    finally:
        if here >= 0:
            os.close(here)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise InvalidArgument("cookiesPath is not a file")
        with os.fdopen(file, "rb", closefd=False) as opened:
            content = opened.read(MOST_BYTES + 1) if found.st_size <= MOST_BYTES else None
    finally:
        os.close(file)
    if content is None or len(content) > MOST_BYTES:
        raise InvalidArgument("Cookie file too large (max 5MB)")
    return content


def _parts(folder: Path, name: str) -> tuple[str, ...]:
    path = PurePosixPath(name)
    if path.is_absolute() and path.is_relative_to(folder):
        path = path.relative_to(folder)
    parts = path.parts
    if not parts or path.is_absolute() or ".." in parts or "\0" in name:
        raise InvalidArgument("cookiesPath must be a relative path within the cookies directory")
    if len(parts) > _MOST_FOLDERS:
        raise InvalidArgument("cookiesPath leads through too many folders")
    return parts


def _unreadable(error: OSError) -> InvalidArgument | Missing:
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}:
        return Missing(
            "there is no such cookie file", hint="Put it below STOCKADE_COOKIES_DIR of the server."
        )
    if error.errno == errno.ELOOP:
        return InvalidArgument("cookiesPath leads through a link")
    return InvalidArgument("the cookie file cannot be read")


def parse_cookies(content: bytes) -> CookieFile:
    """The cookies of a file, in either form."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidArgument("the cookie file is not UTF-8 text") from None
    if text.lstrip()[:1] in {"[", "{"}:
        return CookieFile(_listed(text))
    return _netscape(text)


def _listed(text: str) -> list[Any]:
    """A list, or a storage state, which has one in it."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise InvalidArgument("the cookie file is neither JSON nor Netscape's format") from None
    rows = value.get("cookies") if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise InvalidArgument("the cookie file has no list of cookies")
    return rows


def _netscape(text: str) -> CookieFile:
    found = CookieFile(lines=[])
    # Only these end a line here: a value may hold the others that Python knows.
    for number, raw in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        line = raw.rstrip("\r")
        if not line.strip() or (line.startswith("#") and not line.startswith(_HTTP_ONLY)):
            continue
        try:
            row = _row(line)
        except InvalidArgument as error:
            found.faults.append(Fault(number, error.message))
            continue
        found.rows.append(row)
        if found.lines is not None:
            found.lines.append(number)
    return found


def _row(line: str) -> dict[str, Any]:
    fields = line.removeprefix(_HTTP_ONLY).split("\t", _FIELDS - 1)
    if len(fields) == _FIELDS - 1:
        # Editors that strip the ends of lines take an empty value's tab with them.
        fields.append("")
    if len(fields) != _FIELDS:
        raise InvalidArgument("it has not 7 fields parted by tabs")
    domain, below, path, secure, expires, name, value = fields
    switches = [_SWITCHES.get(each.strip().upper()) for each in (below, secure)]
    if None in switches:
        raise InvalidArgument("its second and fourth fields are not TRUE or FALSE")
    try:
        expiry = float(expires.strip() or 0)
    except ValueError:
        raise InvalidArgument("its fifth field is not a number of seconds") from None
    domain = domain.strip()
    return {
        "name": name,
        "value": value,
        "domain": f".{domain}" if switches[0] and domain[:1] not in {"", "."} else domain,
        "path": path,
        "expires": expiry,
        "httpOnly": line.startswith(_HTTP_ONLY),
        "secure": switches[1],
    }
