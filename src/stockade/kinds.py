"""Kinds of values that a setting can have: counts, durations, sizes, names and places."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import NoDecode

from stockade.errors import InvalidArgument
from stockade.urls import WEB_SCHEMES, Address, parse

__all__ = [
    "Bytes",
    "Count",
    "Debugging",
    "Endpoint",
    "Exceptions",
    "Host",
    "Level",
    "Macros",
    "Names",
    "Place",
    "Ports",
    "Seconds",
    "Seeds",
    "Service",
    "Site",
]

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
_HIGHEST_PORT = 65535
_DEBUGGING = (
    "write a debugging address on loopback, as in http://127.0.0.1:9222; no other machine's "
    "browser is attached to"
)
_SERVICE = "write its address, as in https://api.example.com; http is for loopback alone"
_ACCOUNT = re.compile(r"[^-\s,=][^,=]{0,199}")
_SEED = re.compile(r"[A-Z2-7]{8,512}=*")
_PROVISIONED = re.compile(r"otpauth://totp/[^?#\s]*\?[^#\s]*\bsecret=[A-Za-z2-7]{8,512}[^\s]*")


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


def _port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text, re.ASCII) or not 0 < int(text) <= _HIGHEST_PORT:
        raise ValueError("a port is a number from 1 to 65535")
    return int(text)


def _ports(value: Any) -> Any:
    """A list of numbers, or text with commas; each once, in order."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        return value
    names = [name.strip() for part in parts for name in str(part).split(",")]
    return tuple(sorted({_port(name) for name in names if name}))


def _exceptions(entries: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_exception, entries)))


def _exception(entry: str) -> str:
    """`host:port` or `host:*` with the host in its one spelling; `*.host` is all below it."""
    machine, colon, port = entry.rpartition(":")
    host = machine.removeprefix("*.")
    bare = ":" in host and not host.startswith("[")
    if not colon or not host or bare or "*" in host or not re.fullmatch(r"[^\s/?#@\\%]+", host):
        raise ValueError("write host:port or host:*, as in localhost:3000, 10.0.0.7:*, [::1]:8080")
    try:
        address = parse(f"http://{host}/")
    except InvalidArgument:
        raise ValueError("that is no host; write host:port or host:*") from None
    if machine != host and address.numeric:
        raise ValueError("there are no names below a number; name the address alone")
    shown = f"[{address.machine}]" if ":" in address.machine else address.machine
    number = port if port == "*" else str(_port(port))
    return f"{'*.' if machine != host else ''}{shown}:{number}"


def _endpoint(text: str) -> str:
    """An address and a port, or nothing."""
    if not text:
        return text
    host, colon, port = text.rpartition(":")
    try:
        address = ip_address(host.strip("[]") if host.startswith("[") else host)
    except ValueError:
        raise ValueError("write ip:port, as in 127.0.0.1:5353 or [::1]:53") from None
    if not colon:
        raise ValueError("write ip:port, as in 127.0.0.1:5353 or [::1]:53")
    shown = f"[{address}]" if address.version == 6 else str(address)  # noqa: PLR2004
    return f"{shown}:{_port(port)}"


def _debugging(text: str) -> str:
    """A debugging address on this machine, and on no other, or nothing."""
    if not text:
        return text
    try:
        address = parse(text)
    except InvalidArgument:
        raise ValueError(_DEBUGGING) from None
    host = "127.0.0.1" if address.host == "localhost" else address.host
    local = (address.numeric or host != address.host) and ip_address(host).is_loopback
    if address.scheme not in {"http", "ws"} or not local or address.credentials:
        raise ValueError(_DEBUGGING)
    shown = f"[{host}]" if ":" in host else host
    path = address.href.removeprefix(address.origin)
    return f"{address.scheme}://{shown}:{address.port}{path if address.scheme == 'ws' else ''}"


def _service(text: str) -> str:
    """Where a service of the operator's is, or nothing; what is sent there is not for everybody."""
    if not text:
        return text
    try:
        address = parse(text)
    except InvalidArgument:
        raise ValueError(_SERVICE) from None
    local = address.host == "localhost" or (
        address.numeric and ip_address(address.host).is_loopback
    )
    web = address.scheme == "https" or (address.scheme == "http" and local)
    if not web or address.credentials or {"?", "#"} & set(address.href):
        raise ValueError(_SERVICE)
    return address.href.rstrip("/")


def _pairs(value: Any) -> Any:
    """A table, one written as JSON, or `name=value` with commas."""
    if not isinstance(value, str) or value.lstrip().startswith("{"):
        return _table(value)
    parts = [part.partition("=") for part in value.split(",") if part.strip()]
    return {name.strip(): rest.strip() for name, _, rest in parts}


def _seeds(table: dict[str, str]) -> dict[str, str]:
    """What each account's one-time codes are made from, as sites give it, without blanks."""
    found = {}
    for account, seed in table.items():
        if not _ACCOUNT.fullmatch(account) or not account.isprintable():
            raise ValueError("write account=SEED; an account has no comma, no = and no - in front")
        plain = re.sub(r"[\s-]", "", seed).upper()
        if _PROVISIONED.fullmatch(seed):
            found[account] = seed
        elif _SEED.fullmatch(plain):
            found[account] = plain
        else:
            raise ValueError("a seed is in base32, or an otpauth://totp/ address")
    return found


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
Ports = Annotated[tuple[int, ...], NoDecode, BeforeValidator(_ports)]
Exceptions = Annotated[
    tuple[str, ...], NoDecode, BeforeValidator(_names), AfterValidator(_exceptions)
]
Endpoint = Annotated[str, AfterValidator(_endpoint)]
Debugging = Annotated[str, AfterValidator(_debugging)]
Place = Annotated[Path, AfterValidator(_place)]
Host = Annotated[str, AfterValidator(_host)]
Site = Annotated[str, AfterValidator(_site)]
Service = Annotated[str, AfterValidator(_service)]
Seeds = Annotated[
    dict[str, str],
    NoDecode,
    BeforeValidator(_pairs),
    AfterValidator(_seeds),
    Field(max_length=500),
]
Level = Literal["auto", "shared", "process", "bwrap"]
Macros = Annotated[
    dict[str, str],
    NoDecode,
    BeforeValidator(_table),
    AfterValidator(_macros),
    Field(max_length=500),
]
