"""What a call gives beside its data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from stockade.kernel.results import Link

__all__ = ["Answer", "Beside", "Image", "Link"]


@dataclass(frozen=True)
class Image:
    """A picture beside a result."""

    data: bytes
    mime_type: str


class Beside(TypedDict, total=False):
    """What any result may hold beside its own fields."""

    images: list[Image]
    links: list[Link]
    untrusted: str
    """Says that what follows comes from a page, and from which."""
    end: str
    leftOut: dict[str, Any]
    """What was left out to stay within the budget."""


@dataclass(frozen=True)
class Answer:
    """What a transport brings back from a call that went through."""

    data: Mapping[str, Any] | None
    text: str
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()

    def result(self) -> Any:
        """The data with what stands beside it; the text, where that is all there is."""
        if self.data is None:
            return self.text
        beside: dict[str, Any] = {}
        if self.images:
            beside["images"] = list(self.images)
        if self.links:
            beside["links"] = list(self.links)
        return {**self.data, **beside}
