"""What a request to the tab API asks for: its fields, wherever they were sent, and its user."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from stockade.errors import InvalidArgument
from stockade.surfaces.tabs.users import session_of, user_in

__all__ = [
    "NO_MACRO",
    "Asked",
    "Check",
    "asked",
    "given",
    "needs_any",
    "needs_cookies",
    "needs_place",
    "needs_size",
    "needs_text",
    "needs_way",
]

Check = Callable[[Mapping[str, Any]], None]
"""Refuses fields that the original refuses, in its words; the tools check the rest."""

NO_MACRO = (None, "", "__NO__", "none", "null")
"""What stands for no macro."""
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
        if not any(given(fields.get(name)) for name in names):
            raise InvalidArgument(message)

    return check


def given(value: Any) -> bool:
    """Whether a field says something."""
    return value not in (None, "")


def needs_place(fields: Mapping[str, Any]) -> None:
    """An address, or a macro that leads to one."""
    if not given(fields.get("url")) and fields.get("macro") in NO_MACRO:
        raise InvalidArgument("url or macro required")


def needs_cookies(fields: Mapping[str, Any]) -> None:
    """A list of cookies; what is in it is for the tool."""
    if "cookies" not in fields:
        raise InvalidArgument('Missing "cookies" field in request body')
    if not isinstance(fields["cookies"], list):
        raise InvalidArgument("cookies must be an array")


def needs_text(fields: Mapping[str, Any]) -> None:
    """What is typed is a text, which may be empty."""
    mode = fields.get("mode", "fill")
    if mode not in ("fill", "keyboard"):
        raise InvalidArgument("mode must be 'fill' or 'keyboard'")
    if not isinstance(fields.get("text"), str):
        raise InvalidArgument("text is required")
    if mode == "fill" and not (fields.get("ref") or fields.get("selector")):
        raise InvalidArgument("ref or selector required for mode=fill")


def needs_way(fields: Mapping[str, Any]) -> None:
    """A selector that is all blanks is none."""
    selector = fields.get("selector")
    if isinstance(selector, str) and selector and not selector.strip():
        raise InvalidArgument("the selector is blank", problem="invalid_selector")


def needs_size(fields: Mapping[str, Any]) -> None:
    """Width and height, as numbers that a window can have."""
    for name in ("width", "height"):
        value = fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidArgument("width and height required (100..4000 px)")
        if not _SMALLEST <= value <= _LARGEST:
            raise InvalidArgument("width and height required (100..4000 px)")
