"""Taint: documents that know a secret, because it was filled in there, or may have been told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stockade.engines.inside import Frame
from stockade.engines.port import Page

if TYPE_CHECKING:
    from stockade.sessions.tab import Tab

__all__ = ["Taint"]

_OPAQUE = ("null", "")


@dataclass(frozen=True)
class _Filled:
    """A fill: the origin it was for, and the documents that were within reach of it."""

    origin: str
    documents: frozenset[tuple[Frame, str]]

    @property
    def lasts(self) -> bool:
        return any(_is_there(*each) for each in self.documents)


@dataclass
class Taint:
    """What of a session knows a secret; it ends with the documents, not with their addresses."""

    _fills: list[_Filled] = field(default_factory=list)

    def mark(self, tab: Tab, frame: Frame) -> None:
        """A secret is about to be filled into a frame of a tab."""
        # A frame can be read by its neighbours of the same origin, and can tell the others.
        documents = frozenset((each, each.document) for each in tab.page.frames)
        fill = _Filled(frame.origin, documents | {(frame, frame.document)})
        if fill not in self._fills:
            self._fills.append(fill)

    @property
    def lasting(self) -> bool:
        """Whether any document that knows a secret is still there."""
        self._fills = [each for each in self._fills if each.lasts]
        return bool(self._fills)

    def holds(self, tab: Tab) -> bool:
        """Whether a tab has such a document, or one that shares its storage, or can talk to it."""
        return self.lasting and any(self._reaches(each, tab.page) for each in self._fills)

    def of_frame(self, frame: Frame) -> bool:
        """Whether a frame shows such a document."""
        return self.lasting and any(
            (frame, frame.document) in each.documents or _shares(each.origin, frame)
            for each in self._fills
        )

    @staticmethod
    def _reaches(fill: _Filled, page: Page) -> bool:
        pages = {frame.page for frame, document in fill.documents if _is_there(frame, document)}
        return _family(page) in map(_family, pages) or any(
            _shares(fill.origin, frame) for frame in page.frames
        )


def _is_there(frame: Frame, document: str) -> bool:
    return not (frame.detached or frame.page.closed) and frame.document == document


def _shares(origin: str, frame: Frame) -> bool:
    return origin not in _OPAQUE and frame.origin == origin


def _family(page: Page) -> Page:
    """The first of the pages that opened one another."""
    while page.opener is not None:
        page = page.opener
    return page
