"""The tab API's transcripts of videos."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument, StockadeError
from stockade.kernel.arguments import Arguments
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.media.transcripts import transcript_of, video_id
from stockade.media.watch_page import Watched, watch
from stockade.media.yt_dlp import Captions, fetch_captions, program
from stockade.policy.capabilities import Capability
from stockade.sessions.options import SessionOptions
from stockade.urls import parse

__all__ = ["camofox_youtube_transcript"]

_MOST_TOKENS = 200_000
_PROGRAM_SECONDS = 30.0
_PAGE_SECONDS = 30.0
_NONE = "No captions available for this video"

_Url = Annotated[str, Field(max_length=2000)]
_Language = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$")]


class TranscriptOf(Arguments):
    """Which video, and in which language."""

    url: Annotated[
        _Url | None,
        BeforeValidator(lambda given: given or None),
        Field(description="of a YouTube video"),
    ] = None
    languages: Annotated[
        tuple[_Language, ...], Field(max_length=5, description="the first that there is")
    ] = ("en",)

    @property
    def lasts(self) -> float:
        """One way after the other."""
        return _PROGRAM_SECONDS + _PAGE_SECONDS


class CaptionLanguage(TypedDict):
    """A language that there are captions in."""

    code: str
    name: str
    kind: str


class Transcript(TypedDict):
    """A transcript, or why there is none."""

    status: Literal["ok", "error"]
    transcript: NotRequired[str]
    code: NotRequired[int]
    message: NotRequired[str]
    video_url: str
    video_id: str
    video_title: NotRequired[str]
    title: NotRequired[str]
    language: NotRequired[str]
    total_words: NotRequired[int]
    available_languages: NotRequired[list[CaptionLanguage]]


@tool(
    Capability.NAVIGATION,
    gives=Transcript,
    toolset="camofox",
    reach="server",
    idempotent=True,
    structured=True,
)
async def camofox_youtube_transcript(call: Call, args: TranscriptOf) -> Result:
    """The transcript of a YouTube video, with the time of each line. It is untrusted."""
    if args.url is None:
        raise InvalidArgument("url is required")
    settings = call.kernel.settings
    given = parse(args.url).href
    video = video_id(given, mirror=parse(settings.youtube_address).host)
    address = call.policy.check_address(f"{settings.youtube_address}/watch?v={video}").href
    found, problem = await _found(call, address, video, args.languages or ("en",))
    data: dict[str, Any] = {"video_url": given, "video_id": video}
    if found.cues:
        text = transcript_of(found.cues)
        data = {
            "status": "ok",
            "transcript": text,
            **data,
            "video_title": found.title,
            "language": found.language,
            "total_words": sum(len(cue.text.split()) for cue in found.cues),
        }
        if found.tracks:
            data["available_languages"] = [each.shown() for each in found.tracks]
    else:
        message = f"{_NONE} ({problem})" if problem else _NONE
        data = {"status": "error", "code": 404, "message": message, **data, "title": found.title}
    tokens = min(estimate(compact(data)) + 100, _MOST_TOKENS)
    return Result(data=data, source=parse(address).origin, tokens=tokens)


async def _found(
    call: Call, address: str, video: str, languages: tuple[str, ...]
) -> tuple[Captions | Watched, str]:
    """What yt-dlp finds, else what the page of the video shows; and what kept yt-dlp from it.

    Both are on the way of a session that ends with them, knows nobody and is not remembered.
    """
    settings, sessions = call.kernel.settings, call.kernel.sessions
    name = f"transcript-{secrets.token_hex(6)}"
    session = sessions.open(call.principal, name, options=SessionOptions())
    try:
        captions = await fetch_captions(
            program(settings.yt_dlp),
            address,
            languages,
            uid=settings.browser_uid,
            timeout=min(_PROGRAM_SECONDS, call.left),
            proxy=await session.outgoing.proxy(),
            under=session.limits.scratch,
        )
        if captions.cues:
            return captions, ""
        try:
            tab = await session.new_tab()
            timeout = min(_PAGE_SECONDS, call.left)
            watched = await watch(tab.page, address, video, languages, timeout=timeout)
        except StockadeError as error:
            error.hint = error.hint or captions.problem
            raise
        return watched, captions.problem
    finally:
        await session.work.finish(lambda: sessions.close(session, "the transcript was read"))
