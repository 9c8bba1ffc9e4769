"""A film: pictures, each held until the next, written as WebM while they come."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from stockade.errors import Unsupported
from stockade.media.picture import Picture

__all__ = ["Film", "require_codec"]

_MILLISECONDS = Fraction(1, 1000)
_RATE = 25
_BITS_PER_PIXEL = 1.5


def require_codec() -> Any:
    """The library that writes films, which not every installation has."""
    try:
        return import_module("av")
    except ImportError:
        raise Unsupported(
            "this server cannot write films", hint="Install it with its extra: stockade[video]."
        ) from None


class Film:
    """One file without a name, until it is saved; its methods block and are called in threads."""

    def __init__(self, width: int, height: int, under: Path | None = None) -> None:
        av = require_codec()
        # Chroma has half the resolution, so that sizes are even.
        self.width, self.height = max(width // 2 * 2, 2), max(height // 2 * 2, 2)
        self.frames = 0
        self.last_at = -1
        self.file: BinaryIO = tempfile.TemporaryFile(dir=under)  # noqa: SIM115
        self._av = av
        self._last: Any = None
        self._container = av.open(self.file, "w", format="webm")
        stream = self._container.add_stream("libvpx", rate=_RATE)
        stream.width, stream.height = self.width, self.height
        stream.pix_fmt = "yuv420p"
        stream.time_base = _MILLISECONDS
        stream.codec_context.time_base = _MILLISECONDS
        stream.bit_rate = int(self.width * self.height * _BITS_PER_PIXEL)
        stream.options = {"deadline": "realtime", "cpu-used": "8", "lag-in-frames": "0"}
        self._stream = stream

    def add(self, picture: Picture, at: int) -> None:
        """A picture that is shown from that millisecond on."""
        import PIL.Image  # noqa: PLC0415

        image = PIL.Image.open(BytesIO(picture.data), formats=("JPEG", "PNG")).convert("RGB")
        self._write(self._framed(image), at)

    def _framed(self, image: Any) -> Any:
        """In the size of the film, whole, on black where the shape differs."""
        import PIL.Image  # noqa: PLC0415

        if image.size == (self.width, self.height):
            return image
        ratio = min(self.width / image.width, self.height / image.height)
        size = max(round(image.width * ratio), 1), max(round(image.height * ratio), 1)
        canvas = PIL.Image.new("RGB", (self.width, self.height))
        canvas.paste(
            image.resize(size, PIL.Image.Resampling.BILINEAR),
            ((self.width - size[0]) // 2, (self.height - size[1]) // 2),
        )
        return canvas

    def _write(self, image: Any, at: int) -> None:
        frame = self._av.VideoFrame.from_image(image)
        # No two pictures have the same moment.
        self.last_at = frame.pts = max(at, self.last_at + 1)
        frame.time_base = _MILLISECONDS
        self._container.mux(self._stream.encode(frame))
        self._last = image
        self.frames += 1

    @property
    def size(self) -> int:
        """Bytes so far."""
        return self.file.tell()

    def finish(self, at: int) -> None:
        """Hold the last picture until that millisecond, and close the film."""
        if self._last is None:
            import PIL.Image  # noqa: PLC0415

            self._write(PIL.Image.new("RGB", (self.width, self.height)), 0)
        if at > self.last_at:
            self._write(self._last, at)
        self._container.mux(self._stream.encode(None))
        self._container.close()
        self.file.seek(0)

    def discard(self) -> None:
        """Forget it; what was written goes."""
        self._container.close()
        self.file.close()
