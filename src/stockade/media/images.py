"""Images of a tab: which files it shows, and what is in them."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import DeadlineExceeded, EngineError
from stockade.media.resources import Resource, Resources
from stockade.page.agent import PageAgent
from stockade.page.reach import look_everywhere

__all__ = ["Content", "Image", "contents_of", "images_of"]

_PATIENCE = 5.0
_SCRIPT = "image_data.js binary.js"
_TOO_LARGE = "max_bytes_exceeded"
_NO_IMAGE = "not_an_image"


@dataclass(frozen=True)
class Image:
    """An image file and how it stands on the page."""

    src: str
    alt: str
    frame: Frame
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class Content:
    """What is in a file, or why that is not told."""

    mime_type: str = ""
    size: int | None = None
    data: bytes | None = None
    skipped: str = ""
    error: str = ""


async def images_of(agent: PageAgent, *, limit: int, timeout: float = DEADLINE) -> list[Image]:
    """The first images of a tab, each file once: the main frame's, then those of the others."""
    parts, _ = await look_everywhere(agent, "images.js", most=limit, timeout=timeout)
    found: dict[str, Image] = {}
    for part in parts:
        for each in part.said["images"]:
            found.setdefault(each["src"], Image(frame=part.frame, **each))
    return list(found.values())[:limit]


async def contents_of(
    agent: PageAgent, images: Sequence[Image], *, most: int, all_of_them: int, timeout: float
) -> list[Content]:
    """What is in these images: at most so many bytes each, and together.

    The browser's own copies are taken. What it has not loaded yet is asked for by the page, which
    can read no more than its scripts can.
    """
    ends = asyncio.get_running_loop().time() + timeout
    resources = Resources(agent.page, timeout=timeout)
    found: list[Content] = []
    for image in images:
        left = ends - asyncio.get_running_loop().time()
        if left <= 0:
            found.append(Content(error="timed_out"))
            continue
        content = await _content(agent, resources, image, most, min(left, _PATIENCE))
        size = len(content.data or b"")
        if size > all_of_them:
            content = Content(content.mime_type, content.size, skipped=_TOO_LARGE)
            size = 0
        all_of_them -= size
        found.append(content)
    return found


async def _content(
    agent: PageAgent, resources: Resources, image: Image, most: int, timeout: float
) -> Content:
    if image.src.startswith("data:"):
        return _checked(_inline(image.src), most)
    try:
        kept = None if image.src.startswith("blob:") else await resources.get(image.src)
        if kept is not None and not kept.content:
            # Of what it cannot show the browser keeps nothing.
            kept = None
        said = (
            {}
            if kept is not None
            else await agent.call(image.frame, _SCRIPT, src=image.src, most=most, timeout=timeout)
        )
    except (DeadlineExceeded, EngineError) as error:
        return Content(error="timed_out" if isinstance(error, DeadlineExceeded) else "gone")
    if kept is not None:
        return _checked(kept, most)
    if "error" in said:
        return Content(error=said["error"])
    data = base64.b64decode(said["data"]) if "data" in said else None
    if data is None:
        return Content(said["mimeType"], said["bytes"], skipped=_TOO_LARGE)
    return _checked(Resource(image.src, said["mimeType"], data), most)


def _inline(src: str) -> Resource:
    head, _, rest = src.partition(",")
    kind, *parts = head.removeprefix("data:").split(";")
    data = unquote_to_bytes(rest)
    if "base64" in (part.strip().lower() for part in parts):
        # As browsers do: what is no letter of it does not matter, nor does missing padding.
        data = base64.b64decode(data + b"==")
    return Resource(src, kind.strip().lower() or "text/plain", data)


def _checked(file: Resource, most: int) -> Content:
    """Only what is an image is told: a page can name any address as the source of one."""
    size = len(file.content)
    if not file.mime_type.lower().startswith("image/"):
        return Content(file.mime_type, size, skipped=_NO_IMAGE)
    if size > most:
        return Content(file.mime_type, size, skipped=_TOO_LARGE)
    return Content(file.mime_type, size, file.content)
