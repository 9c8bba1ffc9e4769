"""Two pictures compared: how many pixels differ, where, and a picture that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stockade.engines.values import Box

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Area", "Comparison", "Exact", "compare", "exact", "illustration"]

_STRIP = 256
"""Rows that are worked on at a time: sums take sixteen bytes for a pixel."""
_FARTHEST = 35215.0
"""The distance between black and white, as eyes weigh brightness and colour."""
_MOST_JUDGED = 20_000
"""Pixels that are looked at one by one, for the edges of letters."""
_CELL = 16
_MOST_AREAS = 50
_ALIKE = 2
"""An edge drawn smoothly has no more neighbours of its own colour than this."""


@dataclass(frozen=True)
class Exact:
    """What differs, byte by byte."""

    pixels: int
    changed: int
    changed_bytes: int
    box: Box | None


@dataclass(frozen=True)
class Area:
    """A part of the picture where pixels differ."""

    box: Box
    changed: int


@dataclass(frozen=True)
class Comparison:
    """What differs, as far as an eye would see it."""

    mask: Image
    pixels: int
    changed: int
    smoothed: int
    """Pixels that only differ as the edges of letters do."""
    areas: list[Area] = field(default_factory=list)
    more_areas: int = 0


def exact(before: Image, after: Image) -> Exact:
    """Compare two pictures of one size, all four channels."""
    from PIL import ImageChops  # noqa: PLC0415

    bands = ImageChops.difference(before.convert("RGBA"), after.convert("RGBA")).split()
    highest = bands[0]
    for band in bands[1:]:
        highest = ImageChops.lighter(highest, band)
    pixels = highest.width * highest.height
    bounds = highest.getbbox()
    return Exact(
        pixels,
        pixels - highest.histogram()[0],
        sum(pixels - band.histogram()[0] for band in bands),
        _box(bounds) if bounds is not None else None,
    )


def _box(bounds: tuple[int, int, int, int]) -> Box:
    left, top, right, bottom = bounds
    return Box(left, top, right - left, bottom - top)


def compare(
    before: Image,
    after: Image,
    *,
    threshold: float = 0.1,
    smooth_edges: bool = True,
    ignored: Sequence[Box] = (),
) -> Comparison:
    """Compare two pictures; where only one of them has pixels, they differ."""
    import PIL.Image  # noqa: PLC0415
    from PIL import ImageChops, ImageDraw  # noqa: PLC0415

    width, height = max(before.width, after.width), max(before.height, after.height)
    common = min(before.width, after.width), min(before.height, after.height)
    mask = PIL.Image.new("L", (width, height), 255)
    one, other = before.convert("RGB"), after.convert("RGB")
    mask.paste(0, (0, 0, *common))
    for top in range(0, common[1], _STRIP):
        strip = (0, top, common[0], min(top + _STRIP, common[1]))
        first, second = one.crop(strip), other.crop(strip)
        # Most of most pages is the same, which is seen at once.
        bounds = ImageChops.difference(first, second).getbbox()
        if bounds is not None:
            far = _far(first.crop(bounds), second.crop(bounds), threshold)
            mask.paste(far, (bounds[0], top + bounds[1]))
    draw = ImageDraw.Draw(mask)
    for box in ignored:
        draw.rectangle((box.x, box.y, box.x + box.width - 1, box.y + box.height - 1), fill=0)
    smoothed = _forgive_edges(one, other, mask, common) if smooth_edges else 0
    pixels = width * height
    areas = _areas(mask)
    return Comparison(
        mask,
        pixels,
        pixels - mask.histogram()[0],
        smoothed,
        areas[:_MOST_AREAS],
        max(len(areas) - _MOST_AREAS, 0),
    )


def _far(one: Image, other: Image, threshold: float) -> Image:
    """White where two pictures differ by more than the threshold, in brightness and colour."""
    from PIL import ImageMath  # noqa: PLC0415

    limit = _FARTHEST * threshold * threshold

    def far(bands: dict[str, Any]) -> Any:
        red, green, blue = (bands[f"a{at}"] - bands[f"b{at}"] for at in range(3))
        bright = red * 0.29889531 + green * 0.58662247 + blue * 0.11448223
        warm = red * 0.59597799 - green * 0.2741761 - blue * 0.32180189
        cool = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694
        sum_of_squares = bright * bright * 0.5053 + warm * warm * 0.299 + cool * cool * 0.1957
        return bands["convert"]((sum_of_squares > limit) * 255, "L")

    bands: dict[str, Image] = {}
    for letter, picture in (("a", one), ("b", other)):
        for at, band in enumerate(picture.split()):
            bands[f"{letter}{at}"] = band.convert("F")
    result: Image = ImageMath.lambda_eval(far, **bands)
    return result


# --- edges of letters -------------------------------------------------------------------------


def _forgive_edges(one: Image, other: Image, mask: Image, common: tuple[int, int]) -> int:
    """Take pixels out of the mask that are smooth edges in either picture; how many there were."""
    bounds = mask.crop((0, 0, *common)).getbbox()
    changed = common[0] * common[1] - mask.crop((0, 0, *common)).histogram()[0]
    if bounds is None or changed > _MOST_JUDGED:
        return 0
    marks: Any = mask.load()
    first, second = _Edges(one), _Edges(other)
    forgiven = [
        (x, y)
        for y in range(bounds[1], bounds[3])
        for x in range(bounds[0], bounds[2])
        if marks[x, y] and (first.smooth(x, y, second, marks) or second.smooth(x, y, first, marks))
    ]
    for x, y in forgiven:
        marks[x, y] = 0
    return len(forgiven)


class _Edges:
    """Tells smooth edges of one picture: pixels between a darker and a brighter neighbour."""

    def __init__(self, picture: Image) -> None:
        self._width, self._height = picture.size
        self._bright: Any = picture.convert("L").load()
        self._colour: Any = picture.load()

    def _around(self, x: int, y: int) -> list[tuple[int, int]]:
        return [
            (a, b)
            for a in range(max(x - 1, 0), min(x + 2, self._width))
            for b in range(max(y - 1, 0), min(y + 2, self._height))
            if (a, b) != (x, y)
        ]

    def smooth(self, x: int, y: int, other: _Edges, marks: Any) -> bool:
        """Whether the pixel lies at the edge of a plain part that both pictures have alike."""
        here = self._bright[x, y]
        around = self._around(x, y)
        steps = [self._bright[at] - here for at in around]
        if steps.count(0) > _ALIKE or not steps:
            return False
        low, high = min(steps), max(steps)
        if low >= 0 or high <= 0:
            return False
        ends = around[steps.index(low)], around[steps.index(high)]
        return any(not marks[at] and self._plain(*at) and other._plain(*at) for at in ends)

    def _plain(self, x: int, y: int) -> bool:
        """Whether it has neighbours of its own colour."""
        mine = self._colour[x, y]
        return sum(bool(self._colour[at] == mine) for at in self._around(x, y)) > _ALIKE


# --- areas ------------------------------------------------------------------------------------


def _areas(mask: Image) -> list[Area]:
    """Changed pixels that are near each other, as boxes; the largest first."""
    cells = mask.reduce(_CELL)
    columns, rows = cells.size
    marked = {at for at, value in enumerate(cells.tobytes()) if value}
    areas: list[Area] = []
    while marked:
        group = [marked.pop()]
        for at in group:
            row, column = divmod(at, columns)
            for near in (
                (row + down) * columns + column + across
                for down in (-1, 0, 1)
                for across in (-1, 0, 1)
                if 0 <= row + down < rows and 0 <= column + across < columns
            ):
                if near in marked:
                    marked.remove(near)
                    group.append(near)
        areas.append(_area(mask, group, columns))
    return sorted(areas, key=lambda area: -area.changed)


def _area(mask: Image, group: list[int], columns: int) -> Area:
    left = min(at % columns for at in group) * _CELL
    top = min(at // columns for at in group) * _CELL
    right = min((max(at % columns for at in group) + 1) * _CELL, mask.width)
    bottom = min((max(at // columns for at in group) + 1) * _CELL, mask.height)
    part = mask.crop((left, top, right, bottom))
    bounds = part.getbbox() or (0, 0, 1, 1)
    return Area(
        Box(left + bounds[0], top + bounds[1], bounds[2] - bounds[0], bounds[3] - bounds[1]),
        part.width * part.height - part.histogram()[0],
    )


def illustration(after: Image, found: Comparison, ignored: Sequence[Box] = ()) -> Image:
    """The later picture, pale, with what differs in red and its areas in boxes."""
    import PIL.Image  # noqa: PLC0415
    from PIL import ImageDraw  # noqa: PLC0415

    size = found.mask.size
    white = PIL.Image.new("RGB", size, "white")
    shown = white.copy()
    shown.paste(after.convert("L").convert("RGB"))
    shown = PIL.Image.blend(shown, white, 0.7)
    shown.paste((220, 0, 0), mask=found.mask)
    draw = ImageDraw.Draw(shown)
    for box in ignored:
        draw.rectangle(
            (box.x, box.y, box.x + box.width - 1, box.y + box.height - 1), fill=(200, 200, 230)
        )
    for area in found.areas:
        x, y, width, height = area.box
        draw.rectangle((x - 3, y - 3, x + width + 2, y + height + 2), outline=(0, 80, 200), width=2)
    return shown
