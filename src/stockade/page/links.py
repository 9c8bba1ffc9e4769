"""Links of a tab: where they lead, from every frame and shadow root."""

from __future__ import annotations

from dataclasses import dataclass

from stockade.engines.port import DEADLINE
from stockade.page.agent import PageAgent
from stockade.page.reach import look_everywhere

__all__ = ["Link", "Links", "links_of"]

_LONGEST_TEXT = 100


@dataclass(frozen=True)
class Link:
    """Where a link leads, and its words."""

    url: str
    text: str


@dataclass(frozen=True)
class Links:
    """Some of the links, and how many there are."""

    links: list[Link]
    total: int


async def links_of(
    agent: PageAgent, *, offset: int = 0, limit: int = 50, timeout: float = DEADLINE
) -> Links:
    """The web links of the main frame in their order, then those of the others."""
    parts, _ = await look_everywhere(
        agent, "links.js", most=offset + limit, longest=_LONGEST_TEXT, timeout=timeout
    )
    said = [part.said for part in parts]
    found: list[Link] = []
    skip = offset
    for each in said:
        # A frame tells no more than may be wanted of it, so its number is what it has.
        found += [Link(**link) for link in each["links"][skip:]]
        skip = max(0, skip - each["total"])
    return Links(found[:limit], sum(each["total"] for each in said))
