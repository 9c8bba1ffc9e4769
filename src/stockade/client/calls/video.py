"""Calls of the tools in `video`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class FilmSize(TypedDict):
    """The size of the film in pixels."""

    width: int
    height: int


class StartedVideo(Beside):
    """A film that has begun."""

    ok: bool
    path: str
    width: int
    height: int
    startedAt: str


class Video(Beside):
    """A film that is there."""

    ok: bool
    path: str
    uri: str
    bytes: int
    format: str
    mimeType: str
    width: int
    height: int
    frames: int
    durationMs: int
    startedAt: str
    contentBase64: NotRequired[str]
    warnings: NotRequired[list[str]]
    tokensEstimate: int


class VideoCalls(Calls):
    """Methods that call tools."""

    async def start_video(
        self,
        *,
        path: str | None = None,
        size: FilmSize | None = None,
    ) -> StartedVideo:
        """Film the session from now on: the tab that is used, as WebM."""
        answer = await self._call("start_video", {}, {"path": path, "size": size}, in_tab=False)
        return cast("StartedVideo", answer)

    async def stop_video(
        self,
    ) -> Video:
        """End the film of the session and save it."""
        answer = await self._call("stop_video", {}, {}, in_tab=False)
        return cast("Video", answer)

    async def get_video(
        self,
        *,
        format: Literal['path', 'bytes'] | None = None,
    ) -> Video:
        """The last film of the session: where it is, or its bytes."""
        answer = await self._call("get_video", {}, {"format": format}, in_tab=False)
        return cast("Video", answer)
