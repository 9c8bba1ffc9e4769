"""An element as a check sees it: what it is and says at this moment."""

from __future__ import annotations

import msgspec

from stockade.engines.port import DEADLINE
from stockade.errors import StaleRef
from stockade.page.agent import PageAgent
from stockade.page.reach import look, look_everywhere, setting

__all__ = ["Counted", "Reading", "count", "read"]


class Reading(msgspec.Struct, frozen=True):
    """An element now. What a secret field holds is never among it."""

    description: str
    visible: bool
    secret: bool
    texts: list[str]
    """What it says, in each of the ways that text is read off a page."""
    values: list[str]
    """What it holds: as it is sent and, where that differs, as it is shown."""
    why: str = ""
    """Why it cannot be seen."""
    attribute: str | None = None


class Counted(msgspec.Struct, frozen=True):
    """How many elements a selector means."""

    count: int
    rendered: int


async def read(
    agent: PageAgent, ref: str, *, attr: str | None = None, timeout: float = DEADLINE
) -> Reading:
    """Read the element with that ref, as it is now."""
    frame, number = agent.locate(ref)
    asked = {"ref": number} if attr is None else {"ref": number, "attr": attr}
    said = await look(agent, frame, "check.js", timeout=timeout, **asked)
    if said.get("gone"):
        raise StaleRef(f"{ref} is gone", ref=ref)
    if frame.parent is not None and said["visible"]:
        where = await setting(agent, frame, said["view"], timeout=timeout)
        if where.actionable == "hidden":
            said |= {"visible": False, "why": "its frame is not displayed"}
    return msgspec.convert(said, Reading)


async def count(
    agent: PageAgent, selector: str, *, caller: str, timeout: float = DEADLINE
) -> Counted:
    """Count all elements of the tab that a selector means, to be seen or not."""
    parts, _ = await look_everywhere(
        agent, "count.js", timeout=timeout, caller=caller, selector=selector
    )
    return Counted(
        sum(part.said["count"] for part in parts),
        sum(part.said["rendered"] for part in parts if part.setting.actionable != "hidden"),
    )
