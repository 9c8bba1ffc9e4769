"""Things to click that have no text: what they are called where they are called anything."""

from __future__ import annotations

import re

from bench.apps.lines import Line, View

__all__ = ["icons", "pick_icon"]

_ROLES = {"button", "clickable", "generic", "img", "image", "link"}


def icons(view: View) -> list[Line]:
    """What can be clicked and shows no text; a name is a file's or a title, of one word mostly."""
    found = []
    for line in view:
        if not line.ref or line.role not in _ROLES or line.value:
            continue
        if line.role in {"generic", "img", "image"} and line.state("cursor") != "pointer":
            continue
        if not view.below(line).text and not re.search(r"\s\S+\s", line.name):
            found.append(line)
    return found


def pick_icon(view: View, pattern: str, place: int) -> Line:
    """The icon that is called so; else the one at this place among those without a name."""
    there = icons(view)
    for line in there:
        if re.search(pattern, line.name or line.state("icon") or "", re.IGNORECASE):
            return line
    nameless = [line for line in there if not line.name]
    try:
        return nameless[place]
    except IndexError:
        raise LookupError(f"no icon for {pattern!r} is shown") from None
