"""Submitting: the ways in which a call could send a form."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from stockade.kernel.arguments import OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.targets import target_of
from stockade.policy.capabilities import Capability

__all__ = ["How", "hows", "needs_focus", "sender_of"]

How = Literal["", "point", "enter", "space", "script"]
"""A press on it, a key in it, or anything at all in its document."""

_POINTS: Final = frozenset({"click", "double_click", "camofox_click"})
_KEYS: Final = frozenset({"press", "camofox_press", "shortcut"})
_TYPES: Final = frozenset({"type", "camofox_type"})
_ANYTHING: Final = frozenset(
    {"drag", "mouse_down", "mouse_up", "touch_start", "touch_end", "gesture_swipe"}
    | {"gesture_pinch", "gesture_chain"}
)
"""Input whose parts come one by one: only the last of them shows what it is."""
_ENTER: Final = re.compile(r"(?:^|\+)(?:numpad)?(?:enter|return)$|^[\r\n]$", re.IGNORECASE)
_SPACE: Final = re.compile(r"(?:^|\+)space$|^ $", re.IGNORECASE)
_NEW_LINES: Final = re.compile(r"[\r\n]")


def hows(call: Call) -> list[How]:
    """How the call could send a form; nothing if it cannot."""
    name, args = call.tool.name, call.arguments
    if call.tool.capability is Capability.EVAL or name in _ANYTHING:
        return ["script"]
    if name in _POINTS:
        return ["point"]
    if name == "fill_form":
        return ["point"] if getattr(args, "submit", None) is not None else []
    found: list[How] = []
    if name in _KEYS:
        given: Any = getattr(args, "keys", None) or getattr(args, "key", "")
        keys = (given,) if isinstance(given, str) else tuple(given)
        if any(_ENTER.search(each) for each in keys):
            found.append("enter")
        if any(_SPACE.search(each) for each in keys):
            found.append("space")
        if name == "shortcut" and getattr(args, "coords", None) is not None:
            found.append("point")
    elif name in _TYPES:
        sends = getattr(args, "submit", False) or getattr(args, "press_enter", False)
        if sends or _NEW_LINES.search(getattr(args, "text", "")):
            found.append("enter")
    return found


def needs_focus(call: Call) -> bool:
    """Whether what has the focus takes the input where no element is named."""
    return call.tool.name in _KEYS | _TYPES


async def sender_of(call: Call) -> str | None:
    """The ref of the element that sends a form after its fields were filled."""
    submit = getattr(call.arguments, "submit", None)
    if call.tool.name != "fill_form" or submit is None:
        return None
    named = {"ref": submit.ref, "selector": submit.selector, "named": submit.named}
    found = await target_of(call, OptionalTarget(context_ref=submit.context_ref, **named))
    return found if isinstance(found, str) else None
