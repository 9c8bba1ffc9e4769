"""The analysers of an audit: each looks at one side of a page's speed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from stockade.engines.events import Request
from stockade.instruments.insights import LONG_TASK_MS
from stockade.instruments.thrash import Thrash
from stockade.instruments.vitals import Memory, Vitals

__all__ = ["ANALYSERS", "Facts", "Issue", "Severity"]

Severity = Literal["high", "medium", "low"]

_KB = 1024
_UNUSED_PERCENT = 30.0
_WORTH_TELLING = 2 * _KB
_LARGE_IMAGE = 500 * _KB
_TIMES_TOO_LARGE = 4
_FORCED = 5
_LATE_FONT_MS = 200.0
_LONG_LIVED = 86_400
_STATIC = frozenset({"Script", "Stylesheet", "Image", "Font", "Media"})
_FONT_FILE = re.compile(r"\.(?:woff2?|ttf|otf)(?:[?#]|$)", re.IGNORECASE)
_MAX_AGE = re.compile(r"(?:s-maxage|max-age)\s*=\s*(\d+)", re.IGNORECASE)
_SAME_TASK_MS = 5.0
_MOST = 20


@dataclass(frozen=True)
class Issue:
    """Something that makes a page slower than it need be, and what to do about it."""

    severity: Severity
    title: str
    action: str
    target: str = ""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass
class Facts:
    """All that an audit has seen."""

    vitals: Vitals
    thrash: Thrash
    tasks: list[dict[str, Any]]
    """Long tasks of the trace, as insights tell them."""
    coverage: dict[str, Any] | None = None
    before: Memory | None = None
    after: Memory | None = None


def _graded(value: float, high: float, medium: float) -> Severity:
    return "high" if value > high else "medium" if value > medium else "low"


def _size(count: float) -> str:
    return f"{count / _KB:.0f} KB"


def _worst(issues: Iterable[Issue]) -> list[Issue]:
    order = {"high": 0, "medium": 1, "low": 2}
    return sorted(issues, key=lambda each: order[each.severity])[:_MOST]


def _render_blocking(facts: Facts) -> list[Issue]:
    """Style sheets and scripts that had to come before the first paint."""
    return [
        Issue(
            _graded(each["duration"], 500, 100),
            f"{each['url']} held up the first paint for {each['duration']:.0f} ms",
            "Load it with defer or async, put what the first view needs inline, or use media=.",
            each["url"],
            {"durationMs": each["duration"], "bytes": each["bytes"], "kind": each["kind"]},
        )
        for each in facts.vitals.resources
        if each["blocking"]
    ]


def _unused_code(facts: Facts) -> list[Issue]:
    """Files of which less than 30 % is used."""
    found = []
    for kind in ("jsCoverage", "cssCoverage"):
        for row in (facts.coverage or {}).get(kind, ()):
            unused = row["totalBytes"] - row["usedBytes"]
            if row["usagePercent"] < _UNUSED_PERCENT and unused > _WORTH_TELLING:
                found.append(
                    Issue(
                        _graded(unused, 100 * _KB, 20 * _KB),
                        f"{row['url']}: {_size(unused)} of {_size(row['totalBytes'])} are not used",
                        "Split it, or leave out what this page does not need.",
                        row["url"],
                        {"usagePercent": row["usagePercent"], "unusedBytes": unused},
                    )
                )
    return found


def _oversize_images(facts: Facts) -> list[Issue]:
    """Pictures that weigh more than 500 KB, or have four times the pixels that are shown."""
    bytes_of = _bytes_by_address(facts)
    found = []
    for url, weight in bytes_of.items():
        if weight > _LARGE_IMAGE and url in {each["url"] for each in facts.vitals.images}:
            found.append(
                Issue(
                    _graded(weight, 3 * _LARGE_IMAGE, _LARGE_IMAGE),
                    f"{url} weighs {_size(weight)}",
                    "Compress it, or use a format like AVIF or WebP.",
                    url,
                    {"bytes": weight},
                )
            )
    for each in facts.vitals.images:
        shown = each["shownWidth"] * each["shownHeight"]
        pixels = each["width"] * each["height"]
        weight = bytes_of.get(each["url"], 0)
        if shown and pixels > _TIMES_TOO_LARGE * shown and weight > 10 * _KB:
            size = f"{each['width']} by {each['height']}"
            found.append(
                Issue(
                    _graded(weight, 300 * _KB, 50 * _KB),
                    f"{each['url']} is {size} but shown at "
                    f"{each['shownWidth']} by {each['shownHeight']}",
                    "Offer it in smaller sizes with srcset and sizes.",
                    each["url"],
                    {"bytes": weight, "pixels": pixels, "shownPixels": shown},
                )
            )
    return found


def _bytes_by_address(facts: Facts) -> dict[str, int]:
    weights = {each.url: each.bytes for each in facts.vitals.requests if each.type == "Image"}
    for each in facts.vitals.resources:
        weights[each["url"]] = max(each["bytes"], weights.get(each["url"], 0))
    return weights


def _layout_thrashing(facts: Facts) -> list[Issue]:
    """Scripts that make the browser compute layouts in their middle."""
    action = "Read all measures first, then write; or put both into requestAnimationFrame."
    found = []
    if facts.thrash.forced > _FORCED:
        found = [
            Issue(
                _graded(each["count"], 100, 20),
                f"{each['originatingStack']} forced {each['count']} layouts",
                action,
                each["originatingStack"],
                {"count": each["count"], "totalDurationMs": each["totalDurationMs"]},
            )
            for each in facts.thrash.by_origin()
            if each["count"] > _FORCED
        ]
    for frame in facts.vitals.slow_frames:
        found += [
            Issue(
                _graded(each["forced"], 150, 50),
                f"{each['url']} spent {each['forced']:.0f} ms on forced layouts in one frame",
                action,
                each["url"],
                {"forcedMs": each["forced"], "function": each["function"]},
            )
            for each in frame["scripts"]
            if each["forced"] > LONG_TASK_MS / 2
        ]
    return found


def _long_tasks(facts: Facts) -> list[Issue]:
    """Turns of the main thread of 50 ms and more, while it was watched and before."""
    seen = [(each["durationMs"], each.get("url", "")) for each in facts.tasks]
    for task in facts.vitals.long_tasks:
        # What happened while it was watched is told by both.
        if not any(abs(task["duration"] - known) <= _SAME_TASK_MS for known, _ in seen):
            seen.append((task["duration"], _script_of(task, facts.vitals.slow_frames)))
    return [
        Issue(
            _graded(duration, 250, 100),
            f"the main thread was busy for {duration:.0f} ms" + (f" with {url}" if url else ""),
            "Break the work up with scheduler.yield(), or move it to a worker.",
            url,
            {"durationMs": duration},
        )
        for duration, url in sorted(seen, reverse=True)
    ]


def _script_of(task: dict[str, Any], frames: list[dict[str, Any]]) -> str:
    """The script that took longest in the frame of a task."""
    scripts = [
        script
        for frame in frames
        if frame["start"] <= task["start"] <= frame["start"] + frame["duration"]
        for script in frame["scripts"]
    ]
    longest = max(scripts, key=lambda each: float(each["duration"]), default={"url": ""})
    return str(longest["url"])


def _leak_suspects(facts: Facts) -> list[Issue]:
    """What has grown while nobody did anything, and elements that are held but not shown."""
    before, after = facts.before, facts.after
    if before is None or after is None:
        return []
    action = "Take heap_snapshot twice and compare with memory_diff; heap_retainers says who holds."
    sides: tuple[tuple[str, int, int, int], ...] = (
        ("bytes of heap", before.heap, after.heap, 1 << 20),
        ("DOM nodes", before.nodes, after.nodes, 500),
        ("event listeners", before.listeners, after.listeners, 100),
    )
    found = [
        Issue(
            _graded(new - old, 10 * least, 3 * least),
            f"{new - old} more {what} after a while ({old} → {new})",
            action,
            "",
            {"before": old, "after": new},
        )
        for what, old, new, least in sides
        if new - old > least and new > old * 1.1
    ]
    if after.detached > 100:  # noqa: PLR2004
        found.append(
            Issue(
                _graded(after.detached, 5000, 1000),
                f"{after.detached} elements are in no document any more, and still held",
                action,
                "",
                {"detachedNodes": after.detached},
            )
        )
    return found


def _cache_opportunities(facts: Facts) -> list[Issue]:
    """Files that could be kept by the browser for a day or longer, and are not."""
    seen: dict[str, Request] = {}
    for request in facts.vitals.requests:
        if request.type in _STATIC and request.status == 200:  # noqa: PLR2004
            seen.setdefault(request.url, request)
    found = []
    for url, request in seen.items():
        if url.startswith(("data:", "blob:")):
            continue
        headers = {key.lower(): value for key, value in request.response_headers.items()}
        control = headers.get("cache-control", "")
        age = _MAX_AGE.search(control)
        kept = int(age[1][:10]) if age is not None and "no-store" not in control else 0
        if kept < _LONG_LIVED and "immutable" not in control:
            found.append(
                Issue(
                    _graded(request.bytes, 500 * _KB, 100 * _KB),
                    f"{url} may be kept for {kept} s only" if kept else f"{url} is not kept",
                    "Give it a name that changes with its content and Cache-Control: max-age.",
                    url,
                    {"cacheControl": control, "bytes": request.bytes},
                )
            )
    return found


def _font_loading(facts: Facts) -> list[Issue]:
    """Fonts that are found late, or that hide the text until they come."""
    found = [
        Issue(
            _graded(each["end"], 1500, 600),
            f"{each['url']} began to load only after {each['start']:.0f} ms",
            'Tell of it early: <link rel="preload" as="font" crossorigin>.',
            each["url"],
            {"startMs": each["start"], "endMs": each["end"]},
        )
        for each in facts.vitals.resources
        if _FONT_FILE.search(each["url"]) and each["start"] > _LATE_FONT_MS
    ]
    families = {
        each["family"]: each["display"]
        for each in facts.vitals.fonts
        if each["status"] != "unloaded" and each["display"] in {"auto", "block"}
    }
    found += [
        Issue(
            "low",
            f"text in {family} is hidden until the font is there",
            "Use font-display: swap or optional.",
            family,
            {"fontDisplay": display},
        )
        for family, display in families.items()
    ]
    return found


def _bounded(analyse: Callable[[Facts], list[Issue]]) -> Callable[[Facts], list[Issue]]:
    return lambda facts: _worst(analyse(facts))


ANALYSERS: dict[str, Callable[[Facts], list[Issue]]] = {
    "render-blocking": _bounded(_render_blocking),
    "unused-code": _bounded(_unused_code),
    "oversize-images": _bounded(_oversize_images),
    "layout-thrashing": _bounded(_layout_thrashing),
    "long-tasks": _bounded(_long_tasks),
    "leak-suspects": _bounded(_leak_suspects),
    "cache-opportunities": _bounded(_cache_opportunities),
    "font-loading": _bounded(_font_loading),
}
"""By category: what is wrong, the worst first."""
