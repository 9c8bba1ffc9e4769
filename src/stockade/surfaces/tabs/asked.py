"""What a request to the tab API asks for: its fields, wherever they were sent, and its user."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from starlette.requests import Request

from stockade.errors import InvalidArgument
from stockade.surfaces.tabs.users import session_of, user_in

__all__ = ["Asked", "Check", "asked", "needs_any", "needs_size"]

Check = Callable[[Mapping[str, Any]], None]
"""Refuses fields that the original refuses, in its words; the tools check the rest."""

_SMALLEST = 100
_LARGEST = 4000


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
    fields: dict[str, Any] = {name: said for name, said in request.query_params.items() if said}
    if request.method not in {"GET", "HEAD"}:
        fields |= await _body(request)
    # The older name of a group is taken forever.
    group = user_in(fields.get("sessionKey")) or user_in(fields.get("listItemId"))
    told = {name: value for name, value in fields.items() if value is not None}
    told["sessionKey"] = group
    return Asked(told, user_in(request.path_params.get("userId", told.get("userId"))))


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
