"""Cookies as other programs write them: browsers, their extensions, Playwright."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from posixpath import dirname
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument
from stockade.urls import WEB_SCHEMES, parse

__all__ = ["MOST", "check_number", "check_rows", "cookie_of", "cookies_of"]

MOST = 500

_SAME_SITE: Final[dict[str, Literal["Strict", "Lax", "None"] | None]] = {
    "strict": "Strict",
    "lax": "Lax",
    "none": "None",
    "no_restriction": "None",
    "unspecified": None,
    "": None,
}
_EXPIRY_NAMES = ("expires", "expirationDate", "expiry")
_LATEST = 253_402_300_799.0
"""The last second of the year 9999; what is larger counts milliseconds."""
_LONGEST_PATH = 4096
_WEB_PORT = 80
_NO_HOST = "its domain is not the name of a host"


def check_rows(rows: Any) -> list[Any]:
    """A list of cookies that have what none can do without, or an error that tells which do not."""
    if not isinstance(rows, list):
        raise InvalidArgument("cookies must be an array")
    check_number(len(rows))
    invalid: list[dict[str, Any]] = []
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            invalid.append({"index": index, "error": "cookie must be an object"})
        elif missing := _missing(row):
            invalid.append({"index": index, "missing": missing})
    if invalid:
        raise InvalidArgument(
            "Invalid cookie objects: each cookie must include name, value, and domain",
            invalid=invalid,
        )
    return rows


def check_number(count: int) -> None:
    """Refuse more than are taken at a time."""
    if count > MOST:
        raise InvalidArgument(
            f"Too many cookies. Maximum {MOST} per request.",
            hint="Import them in parts; domainSuffix takes a part of a file.",
        )


def cookies_of(rows: Iterable[Any], suffix: str | None) -> tuple[dict[int, Cookie], dict[int, str]]:
    """The cookies among rows, those of a domain alone if one is named; and why others are none."""
    wanted = None if suffix is None else _domain(suffix).removeprefix(".")
    found: dict[int, Cookie] = {}
    refused: dict[int, str] = {}
    for index, row in enumerate(rows):
        try:
            cookie = cookie_of(row)
        except InvalidArgument as error:
            refused[index] = error.message
            continue
        host = cookie.domain or parse(cookie.url or "").host
        # Whole labels, not letters.
        if wanted is None or f".{host.removeprefix('.')}".endswith(f".{wanted}"):
            found[index] = cookie
    return found, refused


def _missing(row: Mapping[str, Any]) -> list[str]:
    """What the row lacks; a url does for the domain."""
    missing = [] if isinstance(row.get("name"), str) and row["name"] else ["name"]
    if not isinstance(row.get("value"), str):
        missing.append("value")
    if not any(isinstance(row.get(each), str) and row[each] for each in ("domain", "url")):
        missing.append("domain")
    return missing


def cookie_of(row: Any) -> Cookie:
    """The cookie that a row describes, whatever else it says; the error never tells its value."""
    if not isinstance(row, dict):
        raise InvalidArgument("it is not an object")
    if missing := _missing(row):
        raise InvalidArgument(f"it has no {' and no '.join(missing)}")
    domain, url = row.get("domain"), row.get("url")
    path = _path(row.get("path"))
    secure = row.get("secure")
    if domain:
        host = _domain(domain, host_only=row.get("hostOnly"))
        url = None
    else:
        host = None
        address = parse(_text(url, "url"))
        if address.scheme not in WEB_SCHEMES:
            raise InvalidArgument("its url is not http or https")
        url = address.href
        path = path or dirname(urlsplit(url).path) or "/"
        secure = address.scheme == "https" if secure is None else secure
    partition, ancestor = _partition(row)
    return Cookie(
        row["name"],
        row["value"],
        host,
        path or "/",
        url=url,
        expires=_expiry(row),
        http_only=_flag(row.get("httpOnly"), "httpOnly"),
        secure=_flag(secure, "secure"),
        same_site=_same_site(row.get("sameSite")),
        partition=partition,
        cross_site_ancestor=ancestor,
    )


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidArgument(f"its {what} is not a text")
    return value


def _flag(value: Any, what: str) -> bool:
    if value is None:
        return False
    if not isinstance(value, bool):
        raise InvalidArgument(f"its {what} is neither true nor false")
    return value


def _path(value: Any) -> str:
    path = _text(value, "path") if value is not None else ""
    if len(path) > _LONGEST_PATH:
        raise InvalidArgument("its path is too long")
    return path


def _domain(value: Any, *, host_only: Any = None) -> str:
    """A domain as the browser spells it; extensions say apart whether it is for one host alone."""
    given = _text(value, "domain").strip()
    bare = given.removeprefix(".")
    try:
        address = parse(f"http://{bare}/")
    except InvalidArgument:
        raise InvalidArgument(_NO_HOST) from None
    if not bare or set(bare) & set("/?#@\\") or address.port != _WEB_PORT:
        raise InvalidArgument(_NO_HOST)
    everywhere = given.startswith(".") or host_only is False
    if host_only is True or address.numeric:
        everywhere = False
    return f".{address.host}" if everywhere else address.host


def _same_site(value: Any) -> Literal["Strict", "Lax", "None"] | None:
    if value is None:
        return None
    name = _text(value, "sameSite").strip().lower()
    if name not in _SAME_SITE:
        raise InvalidArgument("its sameSite is not Strict, Lax or None")
    return _SAME_SITE[name]


def _partition(row: Mapping[str, Any]) -> tuple[str | None, bool]:
    key = row.get("partitionKey")
    if isinstance(key, dict):
        site = key.get("topLevelSite")
        ancestor = _flag(key.get("hasCrossSiteAncestor"), "partitionKey")
        return (_text(site, "partitionKey"), ancestor) if site else (None, False)
    if key:
        ancestor = _flag(row.get("_crHasCrossSiteAncestor"), "_crHasCrossSiteAncestor")
        return _text(key, "partitionKey"), ancestor
    if row.get("partitioned") is True:
        raise InvalidArgument("it is partitioned, and its partitionKey is not said")
    return None, False


def _expiry(row: Mapping[str, Any]) -> float:
    """Seconds since 1970; -1 for one that ends with the session, which 0 means as well."""
    value = next((row[each] for each in _EXPIRY_NAMES if row.get(each) is not None), None)
    if value is None or value == "" or row.get("session") is True:
        return -1.0
    seconds = _seconds(value)
    if not math.isfinite(seconds):
        raise InvalidArgument("its expiry is not a moment")
    if seconds <= 0:
        return -1.0
    if seconds > _LATEST:
        seconds /= 1000
    if seconds > _LATEST:
        raise InvalidArgument("its expiry is after the year 9999")
    return seconds


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidArgument("its expiry is not a moment")
    try:
        return float(value)
    except (ValueError, OverflowError):
        pass
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(str(value))
        except (ValueError, OverflowError):
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    raise InvalidArgument("its expiry is not a moment")
