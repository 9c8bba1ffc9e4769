"""Captions of a video as its watch page has them, read in a tab."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from stockade.engines.events import Request, RequestFinished
from stockade.engines.port import Page
from stockade.errors import ContentGone, DeadlineExceeded, EngineError
from stockade.media.transcripts import Cue, Track, best_track, parse_captions
from stockade.page.scripts import script

__all__ = ["Watched", "watch"]

_MOST_CAPTIONS = 8 << 20
_TIMED_TEXT = "/api/timedtext"
_PLAY_SECONDS = 15.0


@dataclass(frozen=True)
class Watched:
    """What the page tells of its video."""

    title: str = ""
    language: str = ""
    cues: list[Cue] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)


async def watch(
    page: Page, address: str, video: str, languages: Sequence[str], *, timeout: float
) -> Watched:
    """Open the page of a video and read captions of it, in one of the languages if there is one.

    What the page names is asked for first. Where that has no content for us, the video is played
    until its player asks.
    """
    ends = asyncio.get_running_loop().time() + timeout
    asked: asyncio.Queue[Request] = asyncio.Queue()
    off = page.events.on(RequestFinished, lambda event: _note(asked, event.request, video))
    try:
        await page.navigate(address, timeout=timeout)
        told = await page.main_frame.call(script("player_response"), timeout=timeout)
        tracks = [Track(**each) for each in told["tracks"]]
        track = best_track(tracks, languages)
        if track is None:
            return Watched(told["title"])
        text = await page.main_frame.call(
            script("caption_track"), _as_json(track.url), _MOST_CAPTIONS, timeout=timeout
        )
        cues = parse_captions(text or "")
        language = track.code
        if not cues and await page.main_frame.call(script("play_captioned"), timeout=timeout):
            left = min(ends - asyncio.get_running_loop().time(), _PLAY_SECONDS)
            language, cues = await _overheard(page, asked, language, max(left, 0))
        return Watched(told["title"], language, cues, tracks)
    finally:
        off()


def _as_json(url: str) -> str:
    """The address of captions, in the form that keeps every word apart."""
    parts = urlsplit(url)
    query = parse_qs(parts.query, keep_blank_values=True) | {"fmt": ["json3"]}
    return urlunsplit(parts._replace(query=urlencode(query, doseq=True)))


def _note(asked: asyncio.Queue[Request], request: Request, video: str) -> None:
    parts = urlsplit(request.url)
    if parts.path == _TIMED_TEXT and parse_qs(parts.query).get("v") == [video]:
        asked.put_nowait(request)


async def _overheard(
    page: Page, asked: asyncio.Queue[Request], language: str, patience: float
) -> tuple[str, list[Cue]]:
    """The first captions with content that the player of the page is given."""
    try:
        async with asyncio.timeout(patience):
            while True:
                request = await asked.get()
                try:
                    body = await page.response_body(request.id)
                except (ContentGone, EngineError, DeadlineExceeded):
                    continue
                cues = parse_captions(body[:_MOST_CAPTIONS].decode(errors="replace"))
                if cues:
                    told = parse_qs(urlsplit(request.url).query)
                    return (told.get("tlang") or told.get("lang") or [language])[0], cues
    except TimeoutError:
        return language, []
