"""What a trace says about how fast a page was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stockade.instruments.threads import MainThreads

__all__ = ["LONG_TASK_MS", "cumulative_shift", "insights"]

LONG_TASK_MS = 50.0
_MOST = 50
_BEGIN = "TracingStartedInBrowser"
_BLOCKING = frozenset({"blocking", "in_body_parser_blocking"})
_GAP_MS = 1000.0
_WINDOW_MS = 5000.0
_MILESTONES = {
    "firstPaint": "firstPaintMs",
    "firstContentfulPaint": "firstContentfulPaintMs",
    "largestContentfulPaint::Candidate": "largestContentfulPaintMs",
    "MarkDOMContent": "domContentLoadedMs",
    "MarkLoad": "loadEventMs",
}


def insights(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Long tasks, shifts, what blocked, what was painted, and when; times in ms of the trace.

    Milestones of the navigation count from its start.
    """
    return _Reading(events).told()


def cumulative_shift(shifts: Iterable[tuple[float, float]]) -> float:
    """CLS: the largest sum of shifts (time in ms, score) within one burst."""
    best = total = 0.0
    began = last = float("-inf")
    for at, score in sorted(shifts):
        if at - last > _GAP_MS or at - began > _WINDOW_MS:
            total, began = 0.0, at
        total += score
        last = at
        best = max(best, total)
    return best


class _Reading:
    """Goes through the events once and keeps what matters."""

    def __init__(self, events: Iterable[dict[str, Any]]) -> None:
        self._threads = MainThreads()
        self._count = 0
        self._first = float("inf")
        self._began: float | None = None
        self._shifts: list[tuple[float, dict[str, Any]]] = []
        self._paints: list[tuple[float, dict[str, Any]]] = []
        self._sent: dict[str, tuple[float, dict[str, Any]]] = {}
        self._answered: dict[str, float] = {}
        self._finished: dict[str, tuple[float, dict[str, Any]]] = {}
        self._starts: list[tuple[float, str, dict[str, Any]]] = []
        self._marks: list[tuple[str, float, str, str]] = []
        for event in events:
            self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        self._count += 1
        name, at = event["name"], _ms(event.get("ts"))
        if name == _BEGIN:
            self._began = at
        elif event.get("ph") != "M" and at > 0:
            self._first = min(self._first, at)
        self._threads.take(event)
        args = event.get("args")
        args = args if isinstance(args, dict) else {}
        data = args.get("data")
        data = data if isinstance(data, dict) else {}
        request = str(data.get("requestId", ""))
        if name == "LayoutShift":
            self._shifts.append((at, data))
        elif name == "ResourceSendRequest":
            self._sent[request] = (at, data)
        elif name == "ResourceReceiveResponse":
            self._answered[request] = at
        elif name == "ResourceFinish":
            self._finished[request] = (at, data)
        elif name == "navigationStart" and data.get("isLoadingMainFrame"):
            self._starts.append((at, str(args.get("frame", "")), data))
        if name == "largestContentfulPaint::Candidate":
            self._paints.append((at, data))
        if name in _MILESTONES:
            frame = str(args.get("frame") or data.get("frame", ""))
            self._marks.append((name, at, frame, str(data.get("navigationId", ""))))

    # --- telling --------------------------------------------------------------------------------

    def _since(self, at: float) -> float:
        # Marks of a document may be older than the trace that tells of them.
        return round(at - (self._first if self._began is None else self._began), 1)

    def told(self) -> dict[str, Any]:
        long_tasks = self._long_tasks()
        shifts = self._layout_shifts()
        blocking = self._render_blocking()
        score = round(sum(each["score"] for each in shifts), 4)
        work = self._threads.work()
        navigation = self._navigation()
        return {
            "longTasks": long_tasks[:_MOST],
            "layoutShifts": shifts[:_MOST],
            "renderBlocking": blocking[:_MOST],
            "lcpCandidates": self._lcp_candidates()[:_MOST],
            **({"navigation": navigation} if navigation else {}),
            "totals": {
                "events": self._count,
                "longTaskCount": len(long_tasks),
                "longTaskMs": round(sum(each["durationMs"] for each in long_tasks), 1),
                "layoutShiftCount": len(shifts),
                "layoutShiftScoreSum": score,
                "cumulativeLayoutShift": self._cumulative(),
                "renderBlockingCount": len(blocking),
                **{f"{kind}Ms": round(spent, 1) for kind, spent in work.items()},
                "requests": len(self._sent),
                "bytes": int(
                    sum(_number(data, "encodedDataLength") for _, data in self._finished.values())
                ),
            },
        }

    def _long_tasks(self) -> list[dict[str, Any]]:
        found = [
            {
                "startMs": self._since(task.start),
                "durationMs": round(task.duration, 1),
                **({"url": task.url} if task.url else {}),
                **({"function": task.function} if task.function else {}),
            }
            for task in self._threads.tasks(LONG_TASK_MS)
        ]
        return sorted(found, key=lambda each: -each["durationMs"])

    def _layout_shifts(self) -> list[dict[str, Any]]:
        return [
            {
                "startMs": self._since(at),
                "score": round(_score(data), 4),
                **({"hadRecentInput": True} if data.get("had_recent_input") else {}),
            }
            for at, data in sorted(self._shifts, key=lambda each: each[0])
        ]

    def _cumulative(self) -> float:
        """Shifts that the user brought about do not count."""
        kept = [(at, _score(data)) for at, data in self._shifts if not data.get("had_recent_input")]
        return round(cumulative_shift(kept), 4)

    def _render_blocking(self) -> list[dict[str, Any]]:
        found = []
        for request, (at, data) in self._sent.items():
            if data.get("renderBlocking") not in _BLOCKING:
                continue
            end, finish = self._finished.get(request, (self._answered.get(request, at), {}))
            found.append(
                {
                    "url": str(data.get("url", "")),
                    "durationMs": round(end - at, 1),
                    "type": str(data.get("resourceType", "Other")),
                    "startMs": self._since(at),
                    "bytes": int(_number(finish, "encodedDataLength")),
                }
            )
        return sorted(found, key=lambda each: -each["durationMs"])

    def _lcp_candidates(self) -> list[dict[str, Any]]:
        found = []
        for at, data in sorted(self._paints, key=lambda each: each[0]):
            candidate = {"startMs": self._since(at), "size": int(_number(data, "size"))}
            for ours, theirs in (
                ("url", "imageUrl"),
                ("nodeName", "nodeName"),
                ("type", "type"),
            ):
                if isinstance(data.get(theirs), str) and data[theirs]:
                    candidate[ours] = data[theirs]
            found.append(candidate)
        return found

    def _navigation(self) -> dict[str, Any]:
        """The last navigation of a main frame to something that has an address."""
        real = [each for each in self._starts if each[2].get("documentLoaderURL")]
        if not real:
            return {}
        start, frame, data = max(real, key=lambda each: each[0])
        number = str(data.get("navigationId", ""))
        told: dict[str, Any] = {
            "url": data["documentLoaderURL"],
            "navigationStartMs": self._since(start),
        }
        if number in self._answered:
            told["ttfbMs"] = round(self._answered[number] - start, 1)
        for name, at, where, of in sorted(self._marks, key=lambda each: each[1]):
            if where == frame and at >= start and of in {"", number}:
                key = _MILESTONES[name]
                # The last candidate is the largest; of the rest the first is meant.
                if key not in told or key == "largestContentfulPaintMs":
                    told[key] = round(at - start, 1)
        return told


def _ms(microseconds: Any) -> float:
    return float(microseconds) / 1000 if isinstance(microseconds, int | float) else 0.0


def _number(data: dict[str, Any], key: str) -> float:
    value = data.get(key)
    return float(value) if isinstance(value, int | float) else 0.0


def _score(data: dict[str, Any]) -> float:
    return _number(data, "weighted_score_delta") or _number(data, "score")
