"""Addresses of captured traffic, without what they may carry."""

from __future__ import annotations

import re

from stockade.errors import InvalidArgument
from stockade.urls import parse

__all__ = ["shown_url", "url_pattern"]

_LONGEST = 200
_IDENTIFIER = re.compile(
    r"^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|(?=.*\d)(?=.*[a-zA-Z])[\w-]{20,})$",
    re.IGNORECASE,
)


def shown_url(url: str) -> str:
    """Scheme, host and path; a query or fragment is only said to be there."""
    try:
        address = parse(url)
    except InvalidArgument:
        return "…"
    if address.origin == "null" or not address.host:
        return f"{address.scheme}:"
    path, _, rest = address.href.partition("#")
    path, question, _ = path.partition("?")
    if address.credentials:
        scheme, _, tail = path.partition("://")
        path = f"{scheme}://{tail.partition('@')[2]}"
    shown = path[:_LONGEST] + ("…" if len(path) > _LONGEST else "")
    return shown + ("?…" if question else "") + ("#…" if rest else "")


def url_pattern(url: str) -> str:
    """The same, with identifiers in the path folded to `:id`."""
    shown = shown_url(url)
    scheme, divider, rest = shown.partition("://")
    if not divider:
        return shown
    host, *segments = rest.split("/")
    return "/".join([f"{scheme}://{host}", *map(_folded, segments)])


def _folded(segment: str) -> str:
    name, mark, rest = segment.partition("?")
    return f":id{mark}{rest}" if _IDENTIFIER.match(name) else segment
