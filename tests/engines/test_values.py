"""Plain values, and what follows from them."""

from __future__ import annotations

import pytest

from stockade.engines.values import LONGEST_SIDE, MOST_PIXELS, ImageFormat, largest_scale


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_a_picture_is_scaled_down_to_what_can_be_made(kind: ImageFormat) -> None:
    assert largest_scale(kind, 1280, 720) == 1
    for width, height in ((1280, 200_000), (200_000, 1280), (20_000, 20_000), (1, 5_000_000)):
        scale = largest_scale(kind, width, height)
        assert scale < 1
        assert max(width, height) * scale <= LONGEST_SIDE[kind] + 1
        assert width * height * scale * scale <= MOST_PIXELS + 1
