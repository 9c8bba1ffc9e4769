"""Canvases: their pixels, and how an app's world lies on the screen."""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

import msgspec

from stockade.engines.port import DEADLINE
from stockade.engines.values import Point, World
from stockade.errors import InvalidArgument, ScriptFailed
from stockade.page.agent import PageAgent
from stockade.page.scripts import script

__all__ = ["LONGEST_EDGE", "CanvasPixels", "Transform", "pixels", "transform_of"]

LONGEST_EDGE: Final = 16_384
_MOST_BYTES = 64_000_000
_SCRIPT = "canvas_pixels.js binary.js"


@dataclass(frozen=True)
class CanvasPixels:
    """A canvas as a PNG, or the reason why it is not given."""

    width: int
    height: int
    ref: str = ""
    png: bytes = b""
    refused: str = ""


async def pixels(
    agent: PageAgent, ref: str | None, *, caller: str, timeout: float = DEADLINE
) -> CanvasPixels:
    """Read the canvas of that ref, or the only one of the main frame."""
    frame, number = agent.page.main_frame, 0
    if ref is not None:
        frame, number = agent.locate(ref)
    said = await agent.call(
        frame,
        _SCRIPT,
        caller=caller,
        ref=number,
        edge=LONGEST_EDGE,
        most=_MOST_BYTES,
        timeout=timeout,
    )
    return CanvasPixels(
        int(said["width"]),
        int(said["height"]),
        f"{agent.prefix(frame)}e{said['ref']}",
        base64.b64decode(said.get("data", "")),
        said.get("refused", ""),
    )


class Transform(NamedTuple):
    """An affine map from an app's world to the viewport, as in `matrix(a, b, c, d, e, f)`."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    @classmethod
    def scaled(cls, scale: float, pan: Point, origin: Point) -> Self:
        """The world enlarged by `scale`, then moved."""
        return cls(scale, 0, 0, scale, pan.x + origin.x, pan.y + origin.y)

    @property
    def reversible(self) -> bool:
        """Whether every point of the screen is one of the world."""
        size = self.a * self.d - self.b * self.c
        return all(map(math.isfinite, self)) and math.isfinite(size) and size != 0

    def to_screen(self, at: Point) -> Point:
        """Where a point of the world is shown."""
        return Point(self.a * at.x + self.c * at.y + self.e, self.b * at.x + self.d * at.y + self.f)

    def to_world(self, at: Point) -> Point:
        """What point of the world is shown there."""
        if not self.reversible:
            raise InvalidArgument("the transform flattens the world: nothing can be mapped back")
        size = self.a * self.d - self.b * self.c
        x, y = at.x - self.e, at.y - self.f
        return Point((self.d * x - self.c * y) / size, (self.a * y - self.b * x) / size)


class _Said(msgspec.Struct, rename={"source": "from"}):
    source: str
    matrix: tuple[float, float, float, float, float, float]


async def transform_of(
    agent: PageAgent, *, timeout: float = DEADLINE
) -> tuple[Transform, str] | None:
    """What the app of the main frame says of itself, and where it says it; a guess, at best."""
    frame = agent.page.main_frame
    try:
        said: Any = await frame.call(script("canvas_transform"), world=World.MAIN, timeout=timeout)
        found = msgspec.convert(said, _Said | None)
    except (msgspec.ValidationError, ScriptFailed):
        return None
    if found is None:
        return None
    transform = Transform(*found.matrix)
    return (transform, found.source[:60]) if transform.reversible else None
