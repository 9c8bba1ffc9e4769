"""What of a browser's trace belongs to one session.

Chromium traces every process of the browser, and sessions of others live in the same browser. A
renderer process never serves two sessions, so what is kept is told by its process: those that show
frames of the session. Of the browser's own process only the few events are kept that say which
frames a renderer shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, BinaryIO

import msgspec

from stockade.errors import InvalidArgument

__all__ = ["events", "sift"]

_HEAD = b'{"traceEvents":['
_STARTED = "TracingStartedInBrowser"
_FRAMES = frozenset(
    {_STARTED, "FrameCommittedInBrowser", "FrameDeletedInBrowser", "ProcessReadyInBrowser"}
)
_THREADS = frozenset({"process_name", "thread_name", "process_sort_index", "thread_sort_index"})
_MAIN_THREAD = "CrBrowserMain"
_BY_FRAME = b'"frame":"'


class _Head(msgspec.Struct):
    """As much of an event as decides about it."""

    name: str = ""
    pid: int = -1
    ph: str = ""


_head = msgspec.json.Decoder(_Head)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    """The events of a trace, each as its JSON; Chromium writes one to a line."""
    file.seek(0)
    first = file.readline()
    if first.rstrip() != _HEAD:
        yield from _whole(file)
        return
    for line in file:
        piece = line.rstrip().rstrip(b",")
        if piece.endswith(b"]") or piece.startswith(b"]"):
            last = piece.partition(b"]")[0] if piece.startswith(b"]") else piece[:-1]
            if last:
                yield last
            return
        if b'],"' in piece and not _is_json(piece):
            # The last event, with what comes after the list in the same line.
            yield piece[: piece.rindex(b'],"')]
            return
        if piece:
            yield piece


def _is_json(piece: bytes) -> bool:
    try:
        _head.decode(piece)
    except msgspec.DecodeError:
        return False
    return True


def _whole(file: BinaryIO) -> Iterator[bytes]:
    """A trace that something else has written."""
    file.seek(0)
    try:
        content = json.load(file)
    except ValueError:
        raise _broken() from None
    listed = content.get("traceEvents") if isinstance(content, dict) else content
    if not isinstance(listed, list):
        raise _broken()
    for each in listed:
        yield msgspec.json.encode(each)


def _broken() -> InvalidArgument:
    return InvalidArgument(
        "that file is no trace", hint="Record one with `perf_start`, `perf_stop`."
    )


def events(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """The events of a saved trace; what is none is left out."""
    for piece in _pieces(file):
        try:
            event = json.loads(piece)
        except ValueError:
            raise _broken() from None
        if isinstance(event, dict) and isinstance(event.get("name"), str):
            yield event


def sift(raw: BinaryIO, out: BinaryIO, frames: AbstractSet[str], about: dict[str, Any]) -> int:
    """Write what belongs to the session that shows `frames`; how many events that was."""
    browser, renderers = _processes(raw, frames)
    written = 0
    out.write(_HEAD)
    for piece in _pieces(raw):
        try:
            head = _head.decode(piece)
        except msgspec.DecodeError:
            continue
        if head.pid in renderers or (head.pid == browser and _tells_frames(head, piece)):
            out.write(b",\n" if written else b"\n")
            out.write(piece)
            written += 1
    out.write(b'\n],\n"metadata":' + msgspec.json.encode(about) + b"}\n")
    return written


def _processes(raw: BinaryIO, frames: AbstractSet[str]) -> tuple[int, set[int]]:
    """The browser's process, and the renderers that have shown frames of the session."""
    browser, shown = -1, set(frames)
    renderers: set[int] = set()
    named: list[tuple[int, str]] = []
    for piece in _pieces(raw):
        if b"InBrowser" in piece:
            event = _decoded(piece)
            if event.get("name") in _FRAMES:
                browser = event["pid"] if event["name"] == _STARTED else browser
                data = event.get("args", {}).get("data", {})
                for frame in (data, *data.get("frames", ())):
                    renderers.add(frame.get("processId", -1))
                    shown.add(frame.get("frame", ""))
        elif _BY_FRAME in piece:
            event = _decoded(piece)
            data = event.get("args", {}).get("data", {})
            if isinstance(data, dict) and isinstance(data.get("frame"), str):
                named.append((event.get("pid", -1), data["frame"]))
    renderers |= {pid for pid, frame in named if frame and frame in shown}
    return browser, renderers - {browser, 0, -1}


def _decoded(piece: bytes) -> dict[str, Any]:
    try:
        event = json.loads(piece)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


def _tells_frames(head: _Head, piece: bytes) -> bool:
    if head.ph == "M":
        return head.name in _THREADS and (
            head.name != "thread_name" or _MAIN_THREAD.encode() in piece
        )
    return head.name in _FRAMES
