"""Captions by yt-dlp, in a process of its own with a directory of its own.

It is given one address and asks YouTube by itself, not through a browser: the origins that a
session may show are checked before it is started, and where the machine restricts connections,
its are restricted as the server's are.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from stockade.media.transcripts import Cue, Track, best_track, parse_captions
from stockade.processes import read_pipe, spawn, unprivileged
from stockade.scratch import Scratch

__all__ = ["Captions", "fetch_captions", "program"]

_PLACES = "/usr/local/bin:/usr/bin:/bin"
_MOST_OUTPUT = 4 << 20
_MOST_CAPTIONS = 8 << 20
_NAME = re.compile(r"captions\.([A-Za-z0-9-]{1,40})\.(?:json3|srv[123]|ttml|vtt)")
_MISSING = "yt-dlp is not installed; the server can have it: pip install 'stockade[youtube]'"
_AT_ONCE = asyncio.Semaphore(2)


@dataclass(frozen=True)
class Captions:
    """What yt-dlp found; no cues if there are none in the languages wanted."""

    title: str = ""
    language: str = ""
    cues: list[Cue] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    problem: str = ""
    """Why there is nothing, where that is known."""


def program(setting: Path | None) -> list[str]:
    """How yt-dlp is started: the operator's, that of this installation, or the system's."""
    if setting is not None:
        return [str(setting)]
    if find_spec("yt_dlp") is not None:
        return [sys.executable, "-I", "-m", "yt_dlp"]
    found = shutil.which("yt-dlp", path=_PLACES)
    return [found] if found is not None else []


async def fetch_captions(
    argv: Sequence[str], url: str, languages: Sequence[str], *, uid: int, timeout: float
) -> Captions:
    """Run yt-dlp on one video; it ends with its children when the time is over."""
    if not argv:
        return Captions(problem=_MISSING)
    scratch = Scratch(uid)
    try:
        async with asyncio.timeout(timeout), _AT_ONCE:
            told = await _run([*argv, *_options(languages), "--", url], scratch.path, uid)
        return await asyncio.to_thread(_taken, scratch, told, languages)
    except TimeoutError:
        return Captions(problem="yt-dlp took too long")
    finally:
        await asyncio.to_thread(scratch.remove)


def _options(languages: Sequence[str]) -> list[str]:
    wanted = [f"{code}{ending}" for code in languages for ending in ("", "-orig", "-[A-Z]{2}")]
    return [
        "--ignore-config",
        "--no-cache-dir",
        "--no-cookies",
        "--no-cookies-from-browser",
        "--no-exec",
        "--no-playlist",
        "--no-warnings",
        "--no-progress",
        "--no-simulate",
        "--skip-download",
        "--write-subs",
        "--write-auto-subs",
        "--sub-format=json3/srv3/vtt/best",
        f"--sub-langs={','.join(wanted)}",
        "--socket-timeout=10",
        "--retries=1",
        "--output=captions",
        "--print=%(.{id,title,subtitles})j",
    ]


async def _run(argv: Sequence[str], place: Path, uid: int) -> bytes:
    """Run a program in its directory, and take what it says."""
    home = str(place)
    environment = {
        "HOME": home,
        "TMPDIR": home,
        "XDG_CACHE_HOME": home,
        "XDG_CONFIG_HOME": home,
        "PATH": _PLACES,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    ours, theirs = os.pipe()
    try:
        child = spawn(
            unprivileged([*argv[:-2], f"--paths={home}", *argv[-2:]], uid),
            environment=environment,
            descriptors={1: theirs},
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    try:
        return await read_pipe(ours, _MOST_OUTPUT)
    finally:
        child.kill()
        await asyncio.shield(child.end(0))


def _taken(scratch: Scratch, told: bytes, languages: Sequence[str]) -> Captions:
    title, tracks = _described(told)
    files = {
        found[1]: each.name
        for each in sorted(scratch.path.iterdir())
        if (found := _NAME.fullmatch(each.name))
    }
    kept = [Track(code.removesuffix("-orig"), "", "manual", name) for code, name in files.items()]
    chosen = best_track(kept, languages)
    if chosen is None:
        problem = "" if title else "yt-dlp learned nothing of this video"
        return Captions(title, tracks=tracks, problem=problem)
    text = ""
    with suppress(OSError), os.fdopen(scratch.open_file(chosen.url), "rb") as file:
        text = file.read(_MOST_CAPTIONS).decode(errors="replace")
    return Captions(title, chosen.code, parse_captions(text), tracks)


def _described(told: bytes) -> tuple[str, list[Track]]:
    """The title, and the languages that humans wrote captions in."""
    value: Any = None
    with suppress(msgspec.DecodeError, RecursionError):
        value = msgspec.json.decode(told.splitlines()[0] if told.strip() else b"null")
    if not isinstance(value, dict):
        return "", []
    subtitles = value.get("subtitles")
    tracks = []
    for code, forms in subtitles.items() if isinstance(subtitles, dict) else ():
        first = forms[0] if isinstance(forms, list) and forms else {}
        name = first.get("name") if isinstance(first, dict) else None
        if code != "live_chat":
            tracks.append(Track(str(code), name if isinstance(name, str) else str(code), "manual"))
    title = value.get("title")
    return (title if isinstance(title, str) else "", tracks)
