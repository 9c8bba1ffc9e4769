"""Transcripts of videos: which video an address means, and captions of every form as lines."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

from stockade.errors import InvalidArgument
from stockade.urls import WEB_SCHEMES, parse

__all__ = ["Cue", "Track", "best_track", "parse_captions", "transcript_of", "video_id"]

_ID: Final = re.compile(r"[A-Za-z0-9_-]{11}")
_HOSTS: Final = frozenset({"youtube.com", "youtube-nocookie.com"})
_BELOW: Final = frozenset({"www", "m", "music", "gaming"})
_SHORT: Final = frozenset({"youtu.be", "www.youtu.be"})
_FOLDERS: Final = frozenset({"embed", "e", "live", "shorts", "v"})
_NO_ID: Final = "Could not extract YouTube video ID from URL"

_TAG: Final = re.compile(r"<[^<>]{0,1000}>")
_SPACE: Final = re.compile(r"\s+")
_ELEMENT: Final = re.compile(r"<(text|p)\s([^<>]{0,500})>(.*?)</\1>", re.DOTALL)
_START: Final = re.compile(r"""\b(start|t)=["']([0-9.]{1,20})["']""")
_TIMES: Final = re.compile(r"((?:[0-9]{1,4}:)?[0-9]{1,2}:[0-9]{2})(?:[.,][0-9]{1,6})?\s+-->\s")


@dataclass(frozen=True)
class Cue:
    """What is said, and when that begins."""

    seconds: float
    text: str


@dataclass(frozen=True)
class Track:
    """The captions of a video in one language."""

    code: str
    name: str
    kind: str
    """`asr` for those that a machine heard, else `manual`."""
    url: str = ""

    def shown(self) -> dict[str, str]:
        """As results tell of it."""
        return {"code": self.code, "name": self.name, "kind": self.kind}


def video_id(url: str, *, mirror: str = "") -> str:
    """The video that an address of YouTube, or of a mirror of it, leads to."""
    address = parse(url)
    host = address.host.removesuffix(".")
    below, _, rest = host.partition(".")
    known = host in _HOSTS or (below in _BELOW and rest in _HOSTS) or (mirror and host == mirror)
    if address.scheme not in WEB_SCHEMES or not (known or host in _SHORT):
        raise InvalidArgument(_NO_ID, hint="Only addresses of YouTube are taken.")
    parts = urlsplit(address.href)
    steps = parts.path.split("/")[1:]
    if host in _SHORT:
        found = steps[0]
    elif steps[0] in _FOLDERS and len(steps) > 1:
        found = steps[1]
    else:
        found = parse_qs(parts.query).get("v", [""])[0] if steps[0] == "watch" else ""
    if not _ID.fullmatch(found):
        raise InvalidArgument(_NO_ID)
    return found


def best_track(tracks: Sequence[Track], languages: Iterable[str]) -> Track | None:
    """The first language that there is, written by a human if possible; else what there is."""
    by_humans_first = sorted(tracks, key=lambda each: each.kind == "asr")
    for wanted in languages:
        exact = [each for each in by_humans_first if each.code.lower() == wanted.lower()]
        akin = [each for each in by_humans_first if _family(each.code) == _family(wanted)]
        if akin:
            return (exact or akin)[0]
    return by_humans_first[0] if by_humans_first else None


def _family(code: str) -> str:
    return code.partition("-")[0].lower()


# --- captions -------------------------------------------------------------------------------------


def parse_captions(text: str) -> list[Cue]:
    """The cues of captions, in whichever form they are: JSON, WebVTT, or XML of several kinds."""
    begun = text.removeprefix("\ufeff").lstrip()
    if begun.startswith("{"):
        return _from_json(begun)
    if begun.startswith("<"):
        return _from_xml(begun)
    return _from_vtt(begun)


def transcript_of(cues: Iterable[Cue]) -> str:
    """Cues as lines, each with the minute and second it begins at; empty ones are left out."""
    lines = []
    for cue in cues:
        minutes, seconds = divmod(int(cue.seconds), 60)
        lines.append(f"[{minutes:02}:{seconds:02}] {cue.text}")
    return "\n".join(lines)


def _cues(found: Iterable[tuple[float, str]]) -> list[Cue]:
    cleaned = ((seconds, _SPACE.sub(" ", text).strip()) for seconds, text in found)
    return [Cue(seconds, text) for seconds, text in cleaned if text]


def _from_json(text: str) -> list[Cue]:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return []
    events = value.get("events") if isinstance(value, dict) else None
    if not isinstance(events, list):
        return []
    return _cues(_event(each) for each in events if isinstance(each, dict))


def _event(event: dict[str, Any]) -> tuple[float, str]:
    start, parts = event.get("tStartMs"), event.get("segs")
    words = [
        each["utf8"]
        for each in (parts if isinstance(parts, list) else ())
        if isinstance(each, dict) and isinstance(each.get("utf8"), str)
    ]
    number = start if isinstance(start, int | float) and start > 0 else 0
    return number / 1000, "".join(words)


def _from_xml(text: str) -> list[Cue]:
    """`<text start=seconds>` of the first form, `<p t=milliseconds>` of the third."""
    found = []
    for kind, attributes, content in _ELEMENT.findall(text):
        starts = dict(_START.findall(attributes))
        try:
            seconds = float(starts.get("start", "0")) if kind == "text" else _third(starts)
        except ValueError:
            continue
        # The first form is escaped twice.
        bare = html.unescape(html.unescape(_TAG.sub("", content)))
        found.append((seconds, _TAG.sub("", bare) if kind == "text" else bare))
    return _cues(found)


def _third(starts: dict[str, str]) -> float:
    return float(starts.get("t", "0")) / 1000


def _from_vtt(text: str) -> list[Cue]:
    """Blocks parted by empty lines; rolling captions say again what the block before said."""
    found: list[tuple[float, str]] = []
    before: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        times = next((at for at, line in enumerate(lines) if _TIMES.match(line.strip())), None)
        if times is None:
            continue
        said = [html.unescape(_TAG.sub("", line)).strip() for line in lines[times + 1 :]]
        said = [line for line in said if line]
        fresh = [line for line in said if line not in before]
        before = said or before
        stamp = _TIMES.match(lines[times].strip())
        if stamp is not None:
            found.append((_clock(stamp[1]), " ".join(fresh)))
    return _cues(found)


def _clock(stamp: str) -> float:
    seconds = 0
    for part in stamp.split(":"):
        seconds = seconds * 60 + int(part)
    return float(seconds)
