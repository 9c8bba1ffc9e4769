"""Entry lists: the names and values that a form or a request sends."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from stockade.engines.routing import HeldRequest

__all__ = ["Entry", "Sent", "body_of", "read_request"]

_URLENCODED: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"
_LINE: Final = re.compile(r"\r\n|\r|\n")
_PARAMETER: Final = re.compile(rb';\s*(filename|name)="([^"]*)"', re.IGNORECASE)
_BOUNDARY: Final = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)
_ESCAPES: Final = {b"%22": b'"', b"%0D": b"\r", b"%0A": b"\n"}
_MOST_ENTRIES: Final = 5000


@dataclass(frozen=True)
class Entry:
    """One name with its value; of a file, its name, its size and a digest of what is in it."""

    name: str
    value: str
    size: int | None = None
    digest: str = ""


@dataclass(frozen=True)
class Sent:
    """What a request carries."""

    method: str
    address: str
    """Without a fragment; where a query is what is sent, without that."""
    type: str
    entries: tuple[Entry, ...] | None
    """Nothing where the body is no list of names and values."""
    digest: str
    size: int

    @property
    def bound(self) -> Any:
        """Everything that it is, for a yes that holds for nothing else."""
        what = self.digest
        if self.entries is not None:
            # The line between the parts of a form is another each time.
            listed = [[each.name, each.value, each.size, each.digest] for each in self.entries]
            what = json.dumps(listed, ensure_ascii=True)
        return [self.method, self.address, self.type, what]

    def is_form(self, form: Mapping[str, Any]) -> bool:
        """Whether it is what a form was about to send, to the letter."""
        if form.get("inexact") or self.entries is None:
            return False
        if self.method.lower() != form["method"]:
            return False
        if _bare(form["action"], query=self.method != "GET") != self.address:
            return False
        if any(each.size is not None for each in self.entries):
            return False  # What is in a file was not shown.
        meant = [(_lines(each["name"]), _lines(each["value"])) for each in form["fields"]]
        found = [(_lines(each.name), _lines(each.value)) for each in self.entries]
        if self.type == "application/json":
            return sorted(meant) == sorted(found)
        return meant == found and (self.method == "GET" or self.type == form["enctype"])


def read_request(request: HeldRequest) -> Sent:
    """What a request is about to send; a large one is best read in a thread."""
    body = body_of(request)
    stated = next((v for k, v in request.headers.items() if k.lower() == "content-type"), "")
    kind = stated.split(";")[0].strip().lower()
    asks = request.method.upper() in {"GET", "HEAD"}
    address = _bare(request.url, query=not asks)
    entries: list[Entry] | None
    if asks:
        kind = _URLENCODED
        entries = _pairs(request.url.partition("?")[2].partition("#")[0].encode())
    else:
        entries = _entries(kind, stated, body)
    listed = None if entries is None or len(entries) > _MOST_ENTRIES else tuple(entries)
    digest = hashlib.sha256(body).hexdigest()
    return Sent(request.method.upper(), address, kind, listed, digest, len(body))


def _entries(kind: str, stated: str, body: bytes) -> list[Entry] | None:
    if kind == _URLENCODED:
        return _pairs(body)
    if kind == _MULTIPART:
        found = _BOUNDARY.search(stated)
        return None if found is None else _parts(body, found[1].encode())
    if kind == "application/json":
        return _members(body)
    if kind == "text/plain" and b"=" in body:
        rows = body.decode("utf-8", "replace").removesuffix("\r\n").split("\r\n")
        return [Entry(*each.partition("=")[::2]) for each in rows]
    return [] if not body else None


def _pairs(encoded: bytes) -> list[Entry]:
    pairs = (each.partition(b"=") for each in encoded.split(b"&") if each)
    return [Entry(_decoded(name), _decoded(value)) for name, _, value in pairs]


def _decoded(encoded: bytes) -> str:
    return unquote_to_bytes(encoded.replace(b"+", b" ")).decode("utf-8", "backslashreplace")


def _parts(body: bytes, boundary: bytes) -> list[Entry] | None:
    """The parts of a multipart body, as browsers write it."""
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary)
    if len(pieces) < 2 or pieces[0] or not pieces[-1].startswith(b"--"):  # noqa: PLR2004
        return None
    found = []
    for piece in pieces[1:-1]:
        head, gap, content = piece.partition(b"\r\n\r\n")
        named = {key.lower(): _unescaped(value) for key, value in _PARAMETER.findall(head)}
        if not gap or b"name" not in named:
            return None
        name = named[b"name"]
        if b"filename" in named:
            digest = hashlib.sha256(content).hexdigest()
            found.append(Entry(name, named[b"filename"], len(content), digest))
        else:
            found.append(Entry(name, content.decode("utf-8", "backslashreplace")))
    return found


def _unescaped(value: bytes) -> str:
    for escaped, plain in _ESCAPES.items():
        value = value.replace(escaped, plain)
    return value.decode("utf-8", "backslashreplace")


def _members(body: bytes) -> list[Entry] | None:
    """The members of a JSON object; one that is no text as it is written."""
    names: list[list[str]] = []

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names.append([name for name, _ in pairs])
        return dict(pairs)

    try:
        read = json.loads(body, object_pairs_hook=note)
    except (ValueError, RecursionError):
        return None
    # A name that is there twice could mean either of its values.
    if not isinstance(read, dict) or any(len(each) > len(set(each)) for each in names):
        return None
    return [Entry(name, _written(value)) for name, value in read.items()]


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def body_of(request: HeldRequest) -> bytes:
    """The whole body; a large one is best read in a thread."""
    if request.body is not None:
        return request.body
    try:
        return b"".join(map(base64.b64decode, request.pieces))
    except ValueError:
        return "".join(request.pieces).encode()


def _bare(address: str, *, query: bool) -> str:
    bare = address.partition("#")[0]
    return bare if query else bare.partition("?")[0]


def _lines(text: str) -> str:
    return _LINE.sub("\n", text)
