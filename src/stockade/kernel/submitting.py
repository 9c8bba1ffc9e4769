"""Submitting: the ways in which a call could send a form."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from stockade.kernel.arguments import Arguments, Coordinates, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.targets import target_of
from stockade.policy.capabilities import Capability

__all__ = ["How", "hows", "needs_focus", "sender_of", "spot_of"]

How = Literal["", "point", "enter", "space", "script", "again"]
"""A press on it, a key in it, anything at all in its page, or the page loaded once more."""

_POINTS: Final = frozenset({"click", "double_click", "camofox_click"})
_KEYS: Final = frozenset({"press", "camofox_press", "shortcut"})
_TYPES: Final = frozenset({"type", "camofox_type"})
_CHOOSERS: Final = frozenset({"upload_file", "camofox_upload"})
"""What is no file input is pressed, for it may open one."""
_ANYTHING: Final = frozenset(
    {"drag", "mouse_down", "mouse_up", "touch_start", "touch_end", "gesture_swipe"}
    | {"gesture_pinch", "gesture_chain", "choose_option"}
)
"""Input whose parts come one by one, only the last of which shows what it is."""
_LOADS_AGAIN: Final = frozenset({"reload", "camofox_refresh"})
_ALWAYS: Final[dict[str, tuple[How, ...]]] = {
    **dict.fromkeys(_POINTS | _CHOOSERS, ("point",)),
    **dict.fromkeys(_ANYTHING, ("point", "script")),
    **dict.fromkeys(_LOADS_AGAIN, ("again",)),
}
_ENTER: Final = re.compile(r"(?:^|\+)(?:numpad)?(?:enter|return)$|^[\r\n]$", re.IGNORECASE)
_SPACE: Final = re.compile(r"(?:^|\+)space$|^ $", re.IGNORECASE)
_NEW_LINES: Final = re.compile(r"[\r\n]")


def hows(call: Call) -> list[How]:
    """How the call could send a form; nothing if it cannot."""
    name, args = call.tool.name, call.arguments
    if call.tool.capability is Capability.EVAL or getattr(args, "dismiss_consent", False):
        return ["script"]
    if name in _POINTS and getattr(args, "force", False):
        # It lands on whatever is there.
        return ["point", "script"]
    if name == "fill_form":
        return ["point"] if getattr(args, "submit", None) is not None else []
    if name in _KEYS:
        return _by_keys(name, args)
    return _by_text(args) if name in _TYPES else list(_ALWAYS.get(name, ()))


def _by_keys(name: str, args: Arguments) -> list[How]:
    given: Any = getattr(args, "keys", None) or getattr(args, "key", "")
    keys = (given,) if isinstance(given, str) else tuple(given)
    found: list[How] = []
    if any(_ENTER.search(each) for each in keys):
        found.append("enter")
    if any(_SPACE.search(each) for each in keys):
        found.append("space")
    if name == "shortcut" and getattr(args, "coords", None) is not None:
        found.append("point")
    return found


def _by_text(args: Arguments) -> list[How]:
    text = getattr(args, "text", "")
    sends = getattr(args, "submit", False) or getattr(args, "press_enter", False)
    found: list[How] = ["enter"] if sends or _NEW_LINES.search(text) else []
    return [*found, "space"] if " " in text else found


def needs_focus(call: Call) -> bool:
    """Whether what has the focus takes the input where no element is named."""
    return call.tool.name in _KEYS | _TYPES


def spot_of(call: Call) -> Coordinates | None:
    """The point at which input begins, where the call names one."""
    args = call.arguments
    start = getattr(args, "start", None)
    given = getattr(args, "coords", None) or getattr(start, "coords", None) or start
    if isinstance(given, Coordinates):
        return given
    steps = getattr(args, "steps", ())
    placed = [each for each in steps if each.x is not None] if isinstance(steps, tuple) else []
    return Coordinates(x=placed[0].x, y=placed[0].y) if placed else None


async def sender_of(call: Call) -> str | None:
    """The ref of the element that sends a form after its fields were filled."""
    submit = getattr(call.arguments, "submit", None)
    if call.tool.name != "fill_form" or submit is None:
        return None
    found = await target_of(call, OptionalTarget(**submit.model_dump(exclude_none=True)))
    return found if isinstance(found, str) else None
