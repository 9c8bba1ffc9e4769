"""Films of a session.

A session has one film at a time. It shows the tab that is used, whichever that is, from the
moment it begins until it is stopped or the session is closed.
"""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import Conflict, Missing
from stockade.files.artifacts import Artifact
from stockade.kernel.arguments import Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import shown_path
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.media.film import Film, require_codec
from stockade.media.filming import Filming
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session

__all__ = ["begin_video", "get_video", "start_video", "stop_video"]

_LARGEST_WIDTH, _LARGEST_HEIGHT = 1280, 720
_MOST_INLINE = 150_000
"""Bytes that a result can hold; larger films are fetched from their file."""


class FilmSize(Arguments):
    """The size of the film in pixels."""

    width: int = Field(ge=100, le=1920)
    height: int = Field(ge=100, le=1920)


class StartVideo(InSession):
    """Where the film goes."""

    path: Annotated[str | None, Field(min_length=1, max_length=1000)] = None
    size: FilmSize | None = None


class StopVideo(InSession):
    """Which session."""


class GetVideo(InSession):
    """How to give the film."""

    format: Literal["path", "bytes"] = "path"


class StartedVideo(TypedDict):
    """A film that has begun."""

    ok: bool
    path: str
    width: int
    height: int
    startedAt: str


class Video(TypedDict):
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


@dataclass
class _Done:
    """A finished film."""

    artifact: Artifact
    told: dict[str, Any]


@dataclass
class _Videos:
    """The film under way and the last one that was made; a part of the session."""

    path: str = ""
    filming: Filming | None = None
    done: _Done | None = None


def _size(session: Session, size: FilmSize | None) -> tuple[int, int]:
    if size is not None:
        return size.width, size.height
    window = session.emulation.viewport
    if session.current is not None:
        window = session.current.page.emulation.viewport
    ratio = min(1.0, _LARGEST_WIDTH / window.width, _LARGEST_HEIGHT / window.height)
    return round(window.width * ratio), round(window.height * ratio)


async def begin_video(
    call: Call, session: Session, path: str | None, size: FilmSize | None = None
) -> Filming:
    """Begin to film a session; its browser starts now if it did not run."""
    session.policy.require(Capability.FILE_IO, "a film")
    await asyncio.to_thread(require_codec)
    mine = session.parts.of(_Videos, _Videos)
    if mine.filming is not None:
        raise Conflict("this session is being filmed already", hint="`stop_video` ends the film.")
    await session.tab()
    width, height = _size(session, size)
    film = await asyncio.to_thread(Film, width, height, session.limits.scratch)
    mine.filming = filming = Filming(session, film, call.masker)
    mine.path = path or call.kernel.artifacts.unused_name(session, "video.webm")

    async def finish() -> None:
        if mine.filming is filming:
            await _finish(call, session)

    session.before_end.append(finish)
    await filming.start()
    return filming


async def _finish(call: Call, session: Session) -> _Done:
    mine = session.parts.of(_Videos, _Videos)
    filming = mine.filming
    if filming is None:
        raise Missing("this session is not being filmed", hint="`start_video` begins a film.")
    mine.filming = None
    duration = round(filming.seconds * 1000)
    film = await session.work.finish(filming.stop)
    try:
        artifact = await asyncio.to_thread(
            call.kernel.artifacts.save, session, mine.path, film.file, "video/webm"
        )
    finally:
        await asyncio.to_thread(film.discard)
    told: dict[str, Any] = {
        "format": "webm",
        "mimeType": "video/webm",
        "width": film.width,
        "height": film.height,
        "frames": film.frames,
        "durationMs": duration,
        "startedAt": instant(filming.started_at),
    }
    warnings = [f"it ended early: {filming.ended}"] if filming.ended else []
    if filming.dropped:
        warnings.append(f"{filming.dropped} pictures came too fast to be kept")
    if filming.withheld:
        warnings.append(f"{filming.withheld} pictures were withheld: secrets moved on them")
    if warnings:
        told["warnings"] = warnings
    mine.done = _Done(artifact, told)
    return mine.done


def _shown(call: Call, done: _Done) -> dict[str, Any]:
    artifact = done.artifact
    data: dict[str, Any] = {
        "ok": True,
        "path": shown_path(call, artifact),
        "uri": artifact.uri,
        "bytes": artifact.size,
        **done.told,
    }
    data["tokensEstimate"] = estimate(compact(data))
    return data


@tool(Capability.FILE_IO, gives=StartedVideo, toolset="media", reach="session", structured=True)
async def start_video(call: Call, args: StartVideo) -> dict[str, Any]:
    """Film the session from now on: the tab that is used, as WebM."""
    filming = await begin_video(call, call.session, args.path, args.size)
    return {
        "ok": True,
        "path": call.session.parts.of(_Videos, _Videos).path,
        "width": filming.film.width,
        "height": filming.film.height,
        "startedAt": instant(filming.started_at),
    }


@tool(Capability.FILE_IO, gives=Video, toolset="media", reach="session", structured=True)
async def stop_video(call: Call, args: StopVideo) -> Result:
    """End the film of the session and save it."""
    del args
    done = await _finish(call, call.session)
    return Result(data=_shown(call, done), links=(link_to(done.artifact),))


@tool(
    Capability.FILE_IO,
    gives=Video,
    toolset="media",
    reach="session",
    reads=True,
    structured=True,
)
async def get_video(call: Call, args: GetVideo) -> Result:
    """The last film of the session: where it is, or its bytes."""
    mine = call.session.parts.of(_Videos, _Videos)
    if mine.done is None:
        if mine.filming is not None:
            raise Conflict("the film is not finished", hint="`stop_video` ends it.")
        raise Missing("this session has no film", hint="`start_video` begins one.")
    data = _shown(call, mine.done)
    if args.format == "bytes":
        artifact = mine.done.artifact
        if artifact.size > _MOST_INLINE:
            warning = f"the film is too large for a result: fetch its uri, {artifact.size} bytes"
            data["warnings"] = [*data.get("warnings", ()), warning]
        else:
            content = await asyncio.to_thread(artifact.path.read_bytes)
            data["contentBase64"] = base64.b64encode(content).decode()
    data["tokensEstimate"] = estimate(compact(data))
    # Half a film is of no use to anyone.
    return Result(
        data=data, links=(link_to(mine.done.artifact),), tokens=data["tokensEstimate"] + 100
    )
