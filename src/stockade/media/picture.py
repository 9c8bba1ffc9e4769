"""A picture that may leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Picture"]


@dataclass(frozen=True)
class Picture:
    """Pixels without a secret on them.

    The camera makes them, and whatever only changes one that the camera made. Results take nothing
    else, so that no tool can show a page past the camera.
    """

    data: bytes
    format: Literal["jpeg", "png", "webp"]

    @property
    def mime_type(self) -> str:
        """What the file is."""
        return f"image/{self.format}"
