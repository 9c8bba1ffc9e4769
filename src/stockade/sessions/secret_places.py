"""Places of secrets: at which origins of a session they were filled in, and by which tabs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stockade.engines.port import Page
from stockade.masking.scopes import Scope, of_place
from stockade.sessions.taint import family

if TYPE_CHECKING:
    from stockade.sessions.session import Session
    from stockade.sessions.tab import Tab

__all__ = ["SecretPlaces", "scopes_of_places"]


@dataclass
class SecretPlaces:
    """Where a session filled in secrets. A tab keeps what was said in it, wherever it goes next."""

    _pages: dict[str, list[Page]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    """What was filled in."""

    def note(self, tab: Tab, origin: str, name: str) -> None:
        """A secret is filled in at an origin, now."""
        pages = self._pages.setdefault(origin, [])
        if tab.page not in pages:
            pages.append(tab.page)
        self.names.add(name)

    def origins(self, tab: Tab | None) -> list[str]:
        """Those that what a tab shows may come from; without a tab, all."""
        if tab is None:
            return sorted(self._pages)
        here = {frame.origin for frame in tab.page.frames}
        own = family(tab.page)
        return sorted(
            origin
            for origin, pages in self._pages.items()
            if origin in here or own in map(family, pages)
        )


def scopes_of_places(session: Session, tab: Tab | None = None) -> list[Scope]:
    """Whose secrets are looked for in what comes from a tab beside those of the tenant."""
    places = session.parts.get(SecretPlaces)
    origins = places.origins(tab) if places is not None else []
    return [of_place(session.owner.tenant, session.id, each) for each in origins]
