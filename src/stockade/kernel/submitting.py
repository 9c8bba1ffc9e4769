"""Submitting: the ways in which a call could send a form, as far as that can be foreseen."""

from __future__ import annotations

import re
from typing import Final, Literal

from stockade.kernel.call import Call
from stockade.kernel.targets import target_of
from stockade.policy.capabilities import Capability

__all__ = ["How", "hows", "sender_of"]

How = Literal["", "point", "enter", "space", "script"]
"""A press on it, a key in it, or anything at all in its page."""

_ENTER: Final = re.compile(r"(?:^|\+)(?:numpad)?(?:enter|return)$|^[\r\n]$", re.IGNORECASE)
_SPACE: Final = re.compile(r"(?:^|\+)space$|^ $", re.IGNORECASE)


def hows(call: Call) -> list[How]:
    """How the call could send a form; nothing if it cannot.

    It is asked about before anything is done; what cannot be foreseen, when it leaves.
    """
    if call.tool.capability is Capability.EVAL:
        return ["script"]
    keys = call.arguments.pressed_keys or ()
    found: list[How] = []
    if any(_ENTER.search(each) for each in keys):
        found.append("enter")
    if any(_SPACE.search(each) for each in keys):
        found.append("space")
    pointed = bool(keys) and call.arguments.starts_at is not None
    if call.tool.presses or pointed or call.arguments.submitter is not None:
        found.append("point")
    return found


async def sender_of(call: Call) -> str | None:
    """The ref of the element that sends a form after its fields were filled."""
    submitter = call.arguments.submitter
    if submitter is None:
        return None
    found = await target_of(call, submitter)
    return found if isinstance(found, str) else None
