"""Pixels: pictures opened with limits, changed and written again."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Literal

from stockade.errors import InvalidArgument

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST_PIXELS", "encoded", "opened", "within"]

MOST_PIXELS = 64_000_000
_FORMATS = ("PNG", "JPEG", "WEBP")


def opened(data: bytes) -> Image:
    """A picture's pixels; one that is too large is refused before any of it is unpacked."""
    import PIL.Image  # noqa: PLC0415
    from PIL import UnidentifiedImageError  # noqa: PLC0415

    try:
        picture = PIL.Image.open(BytesIO(data), formats=_FORMATS)
        if picture.width * picture.height > MOST_PIXELS:
            raise InvalidArgument(
                f"the picture has {picture.width}x{picture.height} pixels;"
                f" {MOST_PIXELS} are allowed",
                reason="too-large",
            )
        picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        if isinstance(error, InvalidArgument):
            raise
        raise InvalidArgument("that is not a PNG, JPEG or WebP picture", reason="damaged") from None
    except PIL.Image.DecompressionBombError:
        raise InvalidArgument("the picture is too large", reason="too-large") from None
    return picture


def encoded(picture: Image, format: Literal["png", "jpeg", "webp"], quality: int = 80) -> bytes:
    """A picture as a file."""
    file = BytesIO()
    if format == "png":
        picture.save(file, "PNG", compress_level=3)
    else:
        picture.convert("RGB").save(file, format.upper(), quality=quality)
    return file.getvalue()


def within(picture: Image, edge: int, pixels: int) -> Image:
    """A picture no larger than that, smaller in proportion where it was."""
    ratio = min(1.0, edge / max(picture.size), (pixels / (picture.width * picture.height)) ** 0.5)
    if ratio == 1.0:
        return picture
    return picture.resize(
        (max(round(picture.width * ratio), 1), max(round(picture.height * ratio), 1))
    )
