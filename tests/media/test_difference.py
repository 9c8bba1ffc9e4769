"""Differences by pixels, as eyes see them, and in areas."""

from __future__ import annotations

from PIL import Image, ImageDraw

from stockade.engines.values import Box
from stockade.media.difference import compare, exact, illustration


def blank(size: tuple[int, int] = (200, 600)) -> Image.Image:
    return Image.new("RGB", size, "white")


def drawn(*boxes: tuple[int, int, int, int], fill: str = "red") -> Image.Image:
    picture = blank()
    for box in boxes:
        ImageDraw.Draw(picture).rectangle(box, fill=fill)
    return picture


def test_every_byte_counts_when_it_is_exact() -> None:
    one = Image.new("RGBA", (10, 10), (1, 2, 3, 4))
    other = one.copy()
    other.putpixel((4, 5), (1, 2, 9, 9))
    found = exact(one, other)
    assert (found.pixels, found.changed, found.changed_bytes) == (100, 1, 2)
    assert found.box == Box(4, 5, 1, 1)
    assert exact(one, one).box is None


def test_small_shifts_of_colour_are_not_seen() -> None:
    near = drawn((10, 10, 50, 50), fill="#fcfdfb")
    assert compare(blank(), near).changed == 0
    assert compare(blank(), near, threshold=0).changed == 41 * 41


def test_areas_are_apart_and_the_largest_comes_first() -> None:
    found = compare(blank(), drawn((10, 10, 19, 19), (100, 300, 159, 319), (100, 330, 159, 339)))
    assert [area.box for area in found.areas] == [Box(100, 300, 60, 40), Box(10, 10, 10, 10)]
    assert [area.changed for area in found.areas] == [1800, 100]
    assert found.changed == 1900


def test_one_pixel_is_found_wherever_it_is() -> None:
    for x, y in ((0, 0), (199, 599), (100, 255), (100, 256)):
        found = compare(blank(), drawn((x, y, x, y)), smooth_edges=False)
        assert [area.box for area in found.areas] == [Box(x, y, 1, 1)]


def test_ignored_parts_do_not_count() -> None:
    found = compare(blank(), drawn((10, 10, 19, 19)), ignored=[Box(5, 5, 20, 20)])
    assert (found.changed, found.areas) == (0, [])


def test_what_only_one_picture_has_differs() -> None:
    found = compare(blank((10, 10)), blank((10, 14)))
    assert (found.pixels, found.changed) == (140, 40)
    assert found.areas[0].box == Box(0, 10, 10, 4)


def line(shift: float) -> Image.Image:
    """A slanting line, drawn smoothly."""
    large = Image.new("L", (800, 800), 255)
    ImageDraw.Draw(large).line((40 + shift * 4, 0, 400 + shift * 4, 800), fill=0, width=40)
    return large.resize((200, 200), Image.Resampling.BOX).convert("RGB")


def test_smooth_edges_are_forgiven_and_real_changes_are_not() -> None:
    strict = compare(line(0), line(0.4), smooth_edges=False)
    loose = compare(line(0), line(0.4))
    assert strict.changed > 50
    assert loose.changed < strict.changed / 4
    assert loose.smoothed > 0
    moved = compare(line(0), line(20))
    assert moved.changed > 0.8 * compare(line(0), line(20), smooth_edges=False).changed


def test_the_illustration_is_red_where_it_differs() -> None:
    after = drawn((50, 50, 89, 89), fill="black")
    found = compare(blank(), after)
    shown = illustration(after, found, [Box(150, 500, 20, 20)])
    assert shown.getpixel((70, 70)) == (220, 0, 0)
    assert shown.getpixel((160, 510)) == (200, 200, 230)
    assert shown.getpixel((5, 5)) == (255, 255, 255)
    assert shown.getpixel((47, 60)) == (0, 80, 200)
