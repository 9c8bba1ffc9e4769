"""What a request to the tab API asks for: its fields, wherever they were sent, and its user."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from starlette.requests import Request

from stockade.errors import InvalidArgument
from stockade.surfaces.tabs.segments import part
from stockade.surfaces.tabs.users import session_of, user_in

__all__ = ["Asked", "Check", "asked", "needs_any", "needs_size"]

Check = Callable[[Mapping[str, Any]], None]
"""Refuses fields that the original refuses, in its words; the tools check the rest."""

_SMALLEST = 100
_LARGEST = 4000
_COUNTS: Final = frozenset({"limit", "maxBytes", "offset"})
_FLAGS: Final = frozenset({"consume", "fullPage", "includeData", "includeScreenshot"})
_NUMBER: Final = re.compile(r"\s*\+?([0-9]{1,15})")


@dataclass(frozen=True)
class Asked:
    """The fields of a request; unknown ones are passed over."""

    fields: Mapping[str, Any]
    user: str

    @property
    def session(self) -> str:
        """The session that stands for the user."""
        return session_of(self.user)

    def text(self, name: str) -> str:
        """A field that is a text, and nothing where it is none."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""


async def asked(request: Request) -> Asked:
    """Read a request: the address, then the body, then the query."""
    fields = {name: _said(name, text) for name, text in request.query_params.items() if text}
    if request.method not in {"GET", "HEAD"}:
        fields |= await _body(request)
    wait = fields.get("timeout", 1)
    if not _is_number(wait) or not wait > 0:
        fields["timeout"] = None
    # The older name of a group is taken forever.
    group = user_in(fields.get("sessionKey")) or user_in(fields.get("listItemId"))
    told = {name: value for name, value in fields.items() if value is not None}
    if not isinstance(told.get("selector", ""), str):
        raise InvalidArgument("the selector is not a text", selector="")
    if not isinstance(told.get("url", ""), str):
        raise InvalidArgument("the address is not a text", reason="invalid-url")
    told["sessionKey"] = group
    named = part(request, "userId")
    return Asked(told, user_in(named if named is not None else told.get("userId")))


def _said(name: str, text: str) -> Any:
    """A value of the query; what is no number there says nothing, and what is not `true` is not."""
    if name in _FLAGS:
        return text.lower() in {"1", "true", "yes"}
    if name in _COUNTS:
        found = _NUMBER.match(text)
        return (int(found[1]) if found else 0) or None
    return text


async def _body(request: Request) -> dict[str, Any]:
    content = await request.body()
    if not content:
        return {}
    # It is JSON: the layer that read it has made sure.
    found = json.loads(content)
    if not isinstance(found, dict):
        raise InvalidArgument("the body is not a JSON object", hint="Send {...}.")
    return found


# --- what must be there ---------------------------------------------------------------------------


def needs_any(*names: str, message: str) -> Check:
    """One of them, and not empty."""

    def check(fields: Mapping[str, Any]) -> None:
        if all(fields.get(name) in (None, "") for name in names):
            raise InvalidArgument(message)

    return check


def needs_size(fields: Mapping[str, Any]) -> None:
    """Width and height, as numbers that a window can have."""
    for name in ("width", "height"):
        value = fields.get(name)
        if not _is_number(value) or not _SMALLEST <= value <= _LARGEST:
            raise InvalidArgument("width and height required (100..4000 px)")


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
