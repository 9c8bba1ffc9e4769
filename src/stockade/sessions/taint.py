"""Taint: documents that know a secret.

Who knows may tell those of its own origin, and those that it opened or that opened it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stockade.engines.inside import Frame
from stockade.engines.port import Page

if TYPE_CHECKING:
    from stockade.sessions.tab import Tab

__all__ = ["Taint", "family"]

_OPAQUE = ("null", "")


@dataclass(frozen=True)
class _Mark:
    """What happened in a document, and which ones were within reach of it."""

    origin: str
    documents: frozenset[tuple[Frame, str]]
    code: str = ""
    """The name of a code, PIN or short password, where it is one."""

    @property
    def lasts(self) -> bool:
        return any(_is_there(*each) for each in self.documents)

    @property
    def holders(self) -> list[Frame]:
        """The frames of its own origin among them."""
        there = (frame for frame, document in self.documents if _is_there(frame, document))
        return [frame for frame in there if frame.origin == self.origin]


@dataclass
class Taint:
    """Documents that know a secret, because it was filled in there, or may have been told.

    They end with themselves, not with their addresses.
    """

    _marks: list[_Mark] = field(default_factory=list)
    origins: set[str] = field(default_factory=set)
    """Where it has happened in this session, be those documents there or not."""

    def mark(self, tab: Tab, frame: Frame, *, code: str = "") -> None:
        """It happens in a frame of a tab, now; `code` names the secret if it could be guessed."""
        # A frame can be read by its neighbours of the same origin, and can tell the others.
        documents = frozenset((each, each.document) for each in tab.page.frames)
        self.origins.add(frame.origin)
        mark = _Mark(frame.origin, documents | {(frame, frame.document)}, code)
        if mark not in self._marks:
            self._marks.append(mark)

    @property
    def lasting(self) -> bool:
        """Whether any of them is still there."""
        self._marks = [each for each in self._marks if each.lasts]
        return bool(self._marks)

    def holds(self, tab: Tab) -> bool:
        """Whether a tab has such a document, or one that shares its storage, or can talk to it."""
        return self.reaches(tab.page)

    def reaches(self, page: Page) -> bool:
        """The same for a page."""
        return self.lasting and any(_reaches(each, page) for each in self._marks)

    def code_holders(self, pages: Sequence[Page]) -> dict[str, list[Frame]]:
        """The codes that documents of these pages know, with the frames that were given them.

        Only documents of the origin where it was filled in count; without pages, all do.
        """
        found: dict[str, list[Frame]] = {}
        for mark in self._marks:
            near = not pages or any(_shares(mark.origin, f) for page in pages for f in page.frames)
            if mark.code and near and (holders := mark.holders):
                found.setdefault(mark.code, []).extend(holders)
        return found

    def of_frame(self, frame: Frame) -> bool:
        """Whether a frame shows such a document."""
        return self.lasting and any(
            (frame, frame.document) in each.documents or _shares(each.origin, frame)
            for each in self._marks
        )


def _reaches(mark: _Mark, page: Page) -> bool:
    pages = {frame.page for frame, document in mark.documents if _is_there(frame, document)}
    return family(page) in map(family, pages) or any(
        _shares(mark.origin, frame) for frame in page.frames
    )


def _is_there(frame: Frame, document: str) -> bool:
    return not (frame.detached or frame.page.closed) and frame.document == document


def _shares(origin: str, frame: Frame) -> bool:
    return origin not in _OPAQUE and frame.origin == origin


def family(page: Page) -> Page:
    """The first of the pages that opened one another."""
    while page.opener is not None:
        page = page.opener
    return page
