"""Names that a caller gave to elements and regions, so as to mean them again."""

from __future__ import annotations

from dataclasses import dataclass, field

from stockade.engines.values import Box, Point
from stockade.errors import TargetNotFound

__all__ = ["NamedRef", "Names"]


@dataclass(frozen=True)
class NamedRef:
    """An element of a tab."""

    tab: str
    ref: str


@dataclass
class Names:
    """What a session's callers have named; a part of the session."""

    refs: dict[str, NamedRef] = field(default_factory=dict)
    regions: dict[str, Box] = field(default_factory=dict)

    def meant(self, name: str, tab: str) -> str | Point:
        """The ref of a named element of that tab, or the middle of a named region."""
        found = self.refs.get(name)
        if found is not None:
            if found.tab != tab:
                raise TargetNotFound(f"that name belongs to an element of tab {found.tab}")
            return found.ref
        region = self.regions.get(name)
        if region is None:
            raise TargetNotFound("nothing has that name", hint="`list_named_refs` shows the names.")
        return Point(region.x + region.width / 2, region.y + region.height / 2)
