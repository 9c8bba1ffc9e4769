"""Places of secrets: at which origins they were filled in, and which tabs have shown those."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stockade.engines.events import FrameNavigated
from stockade.engines.port import Page
from stockade.masking.scopes import Scope, of_place
from stockade.sessions.taint import family
from stockade.urls import origin_of

if TYPE_CHECKING:
    from stockade.sessions.session import Session
    from stockade.sessions.tab import Tab

__all__ = ["SecretPlaces", "scopes_of_places"]


class _ShownOrigins(set[str]):
    """Origins of the documents that a tab has shown."""


@dataclass
class SecretPlaces:
    """Where a session filled in secrets. A tab keeps what was said in it, wherever it goes next."""

    shared: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    """The names of lasting secrets that any session of the tenant filled in, by their origins.

    A site may keep what it was given, and show some of it in another session.
    """
    names: set[str] = field(default_factory=set)
    """What this session filled in."""
    _pages: dict[str, list[Page]] = field(default_factory=dict)

    def follow(self, tab: Tab) -> None:
        """Remember the origins that a new tab shows."""
        shown = tab.parts.of(_ShownOrigins, _ShownOrigins)
        tab.page.events.on(FrameNavigated, lambda event: shown.add(origin_of(event.url)))

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
        shown = _shown_by(tab)
        own = family(tab.page)
        return sorted(
            origin
            for origin, pages in self._pages.items()
            if origin in shown or own in map(family, pages)
        )

    def shared_origins(self, tab: Tab | None) -> list[str]:
        """The same of the origins at which other sessions filled some in."""
        shown = self.shared.keys() if tab is None else _shown_by(tab)
        return sorted(origin for origin in self.shared if origin in shown)

    def names_in(self, tab: Tab | None) -> set[str]:
        """What may be on a tab: filled in here, or by another session at an origin it shows."""
        shown = _shown_by(tab) if tab is not None else ()
        return self.names.union(*(self.shared[each] for each in self.shared if each in shown))


def scopes_of_places(session: Session, tab: Tab | None = None) -> list[Scope]:
    """Whose secrets are looked for in what comes from a tab beside those of the tenant."""
    places = session.parts.get(SecretPlaces)
    if places is None:
        return []
    tenant = session.owner.tenant
    return [
        *(of_place(tenant, session.id, each) for each in places.origins(tab)),
        *(of_place(tenant, "", each) for each in places.shared_origins(tab)),
    ]


def _shown_by(tab: Tab) -> set[str]:
    return {frame.origin for frame in tab.page.frames} | tab.parts.of(_ShownOrigins, _ShownOrigins)
