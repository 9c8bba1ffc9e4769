"""What the main threads of a trace were busy with."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

__all__ = ["MainThreads", "Task"]

_MAIN = "CrRendererMain"
_TASK = "RunTask"
_SCRIPTS = ("FunctionCall", "EvaluateScript", "v8.evaluateModule", "TimerFire", "EventDispatch")
_KINDS = {
    "scripting": (
        *_SCRIPTS,
        "FireAnimationFrame",
        "FireIdleCallback",
        "RunMicrotasks",
        "v8.compile",
        "v8.compileModule",
        "MinorGC",
        "MajorGC",
        "V8.GCScavenger",
        "XHRReadyStateChange",
        "XHRLoad",
        "HandlePostMessage",
    ),
    "rendering": (
        "UpdateLayoutTree",
        "RecalculateStyles",
        "Layout",
        "PrePaint",
        "UpdateLayerTree",
        "HitTest",
        "Layerize",
    ),
    "painting": ("Paint", "CompositeLayers", "Commit", "PaintImage", "Decode Image"),
    "loading": ("ParseHTML", "ParseAuthorStyleSheet"),
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names}


@dataclass(frozen=True)
class Task:
    """One turn of a main thread, and the script that took most of it."""

    start: float
    duration: float
    url: str = ""
    function: str = ""


@dataclass(frozen=True)
class _Span:
    start: float
    duration: float
    name: str
    url: str = ""
    function: str = ""

    @property
    def end(self) -> float:
        return self.start + self.duration


class MainThreads:
    """Collects the spans of every thread; which are main threads is told among the rest."""

    def __init__(self) -> None:
        self._main: set[tuple[int, int]] = set()
        self._tasks: dict[tuple[int, int], list[_Span]] = defaultdict(list)
        self._spans: dict[tuple[int, int], list[_Span]] = defaultdict(list)

    def take(self, event: dict[str, Any]) -> None:
        """Look at one event."""
        name, thread = event["name"], (event.get("pid", 0), event.get("tid", 0))
        args = event.get("args")
        args = args if isinstance(args, dict) else {}
        if name == "thread_name" and args.get("name") == _MAIN:
            self._main.add(thread)
        if event.get("ph") != "X" or not (name == _TASK or name in _KIND_OF):
            return
        start, duration = event.get("ts"), event.get("dur")
        if not isinstance(start, int | float) or not isinstance(duration, int | float):
            return
        data = args.get("data")
        data = data if isinstance(data, dict) else {}
        span = _Span(
            start / 1000,
            duration / 1000,
            name,
            str(data.get("url") or ""),
            str(data.get("functionName") or ""),
        )
        (self._tasks if name == _TASK else self._spans)[thread].append(span)

    def tasks(self, least: float) -> list[Task]:
        """The turns of main threads that took at least that many ms."""
        found = []
        for thread in self._main:
            scripts = [each for each in self._spans[thread] if each.url]
            for task in self._tasks[thread]:
                if task.duration >= least:
                    inside = [
                        each
                        for each in scripts
                        if task.start <= each.start and each.end <= task.end + 0.001
                    ]
                    longest = max(inside, key=lambda each: each.duration, default=task)
                    found.append(Task(task.start, task.duration, longest.url, longest.function))
        return found

    def work(self) -> dict[str, float]:
        """How many ms the main threads spent on what, each moment counted once."""
        spent = dict.fromkeys(_KINDS, 0.0)
        for thread in self._main:
            open_spans: list[_Span] = []
            ordered = sorted(self._spans[thread], key=lambda each: (each.start, -each.duration))
            for span in ordered:
                while open_spans and open_spans[-1].end <= span.start:
                    open_spans.pop()
                spent[_KIND_OF[span.name]] += span.duration
                if open_spans:
                    # What is inside is the inner one's.
                    outer = open_spans[-1]
                    spent[_KIND_OF[outer.name]] -= min(span.duration, outer.end - span.start)
                open_spans.append(span)
        return {kind: max(ms, 0.0) for kind, ms in spent.items()}
