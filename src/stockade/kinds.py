"""Kinds of values that a setting can have: counts, durations, sizes, names and places."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import NoDecode

from stockade.errors import InvalidArgument
from stockade.urls import WEB_SCHEMES, Address, parse

__all__ = ["Bytes", "Count", "Host", "Level", "Macros", "Names", "Place", "Seconds", "Site"]

_QUANTITY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([a-z]*)", re.ASCII)
_SECONDS = {"": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BYTES = {
    "": 1,
    "b": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate("kmgt", start=1)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", start=1)},
}
_LONGEST = 10 * 365 * 86400.0
_LARGEST = 2**63 - 1
_MACRO = re.compile(r"@?[a-z0-9_]{1,50}", re.ASCII | re.IGNORECASE)
_WORDS = re.compile(r"\{(?:q|query)\}")
_LEVELS_TO_COME = ("bwrap", "bastille", "attached")


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")  # noqa: TRY004
    return value


def _quantity(value: Any, units: Mapping[str, float], example: str) -> Any:
    if not isinstance(value, str):
        return _number(value)
    match = _QUANTITY.fullmatch(value.strip().lower())
    if match is None or match[2] not in units:
        raise ValueError(f"write {example}")
    unit = units[match[2]]
    return float(match[1]) * unit if "." in match[1] or unit < 1 else int(match[1]) * unit


def _seconds(value: Any) -> Any:
    return _quantity(value, _SECONDS, "a number of seconds, or one with its unit: 500ms, 30s, 5m")


def _bytes(value: Any) -> Any:
    found = _quantity(value, _BYTES, "a number of bytes, or one with its unit: 500MB, 1GiB")
    return int(found) if isinstance(value, str) else found


def _names(value: Any) -> Any:
    """A list, or text with commas; each name once."""
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        return value
    names = (name.strip() for part in parts for name in part.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def _place(path: Path) -> Path:
    """Where `path` is, whatever the working directory becomes."""
    if path == Path() or "\0" in str(path):
        raise ValueError("a path is wanted")
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ValueError("there is no such home directory; write the path in full") from None


def _host(name: str) -> str:
    if not name or not name.isprintable() or " " in name:
        raise ValueError("a host name or an IP address is wanted")
    return name


def _site(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#@]+/?", text):
        raise ValueError("write the address of a site, as in https://www.youtube.com")
    return text.rstrip("/")


def _level(value: Any) -> Any:
    if value in _LEVELS_TO_COME:
        raise ValueError("this version has no such level yet, only 'shared' and 'process'")
    return value


def _table(value: Any) -> Any:
    """A table, or one written as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError("write a JSON object, or a table in stockade.toml") from None


def _macros(table: dict[str, str]) -> dict[str, str]:
    """Each a name and a web address in which `{q}` stands for the words, though not in the host."""
    for name, template in table.items():
        if not _MACRO.fullmatch(name):
            raise ValueError("a macro's name is letters, digits and _, after an @")
        one, other = _address(template, "a"), _address(template, "b")
        if one is None or other is None or one.origin != other.origin or one.credentials:
            raise ValueError("a macro is an http or https address, with {q} in its path or query")
    return {name if name.startswith("@") else f"@{name}": text for name, text in table.items()}


def _address(template: str, words: str) -> Address | None:
    try:
        address = parse(_WORDS.sub(words, template))
    except InvalidArgument:
        return None
    return address if address.scheme in WEB_SCHEMES else None


Count = Annotated[int, BeforeValidator(_number)]
Seconds = Annotated[float, BeforeValidator(_seconds), Field(allow_inf_nan=False, le=_LONGEST)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(le=_LARGEST)]
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names)]
Place = Annotated[Path, AfterValidator(_place)]
Host = Annotated[str, AfterValidator(_host)]
Site = Annotated[str, AfterValidator(_site)]
Level = Annotated[Literal["shared", "process"], BeforeValidator(_level)]
Macros = Annotated[
    dict[str, str],
    NoDecode,
    BeforeValidator(_table),
    AfterValidator(_macros),
    Field(max_length=500),
]
