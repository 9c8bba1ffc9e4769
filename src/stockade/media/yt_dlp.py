"""Captions by yt-dlp, in a process of its own with a directory of its own.

It is given one address and asks YouTube by itself, not through a browser, though on the way out of
a session and so within its rules.
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

from stockade.engines.values import Proxy
from stockade.errors import LaunchFailed
from stockade.media.transcripts import Cue, Track, best_track, parse_captions
from stockade.processes import output_of, unprivileged
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
    argv: Sequence[str],
    url: str,
    languages: Sequence[str],
    *,
    uid: int,
    timeout: float,
    proxy: Proxy,
    under: Path | None = None,
) -> Captions:
    """Run yt-dlp on one video; it ends with its children when the time is over."""
    if not argv:
        return Captions(problem=_MISSING)
    scratch = Scratch(uid, under)
    try:
        async with asyncio.timeout(timeout), _AT_ONCE:
            options = [
                *_options(languages),
                f"--paths={scratch.path}",
                f"--proxy={proxy.server}",
            ]
            environment = _environment(scratch.path)
            told = await output_of(
                unprivileged([*argv, *options, "--", url], uid, within=scratch.path),
                environment=environment,
                most=_MOST_OUTPUT,
            )
        return await asyncio.to_thread(_taken, scratch, told, languages)
    except LaunchFailed as error:
        return Captions(problem=f"yt-dlp did not start: {error.message}")
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


def _environment(place: Path) -> dict[str, str]:
    """What it is told, and nothing of ours."""
    home = str(place)
    return {
        "HOME": home,
        "TMPDIR": home,
        "XDG_CACHE_HOME": home,
        "XDG_CONFIG_HOME": home,
        "PATH": _PLACES,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


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
