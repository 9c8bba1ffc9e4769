"""Coverage: how much of its scripts and styles a page uses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from stockade.engines.events import LifecycleReached, NavigationRequested, PageClosed
from stockade.engines.port import DevTools
from stockade.errors import DeadlineExceeded, EngineError
from stockade.instruments.spans import Span, gaps, innermost, length, union
from stockade.instruments.stylesheets import style_rules, units
from stockade.sessions.tab import Tab
from stockade.sessions.work import Job

__all__ = ["Coverage", "Script", "Sheet", "report", "used_spans"]

_BEGIN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Profiler.enable", {}),
    ("Debugger.enable", {}),
    # Scripts are told of by the debugger, which must not stop at `debugger` statements.
    ("Debugger.setSkipAllPauses", {"skip": True}),
    ("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True}),
    ("DOM.enable", {}),
    ("CSS.enable", {}),
    ("CSS.startRuleUsageTracking", {}),
)
_END = (
    "CSS.stopRuleUsageTracking",
    "CSS.disable",
    "DOM.disable",
    "Profiler.stopPreciseCoverage",
    "Profiler.disable",
    "Debugger.disable",
)
_PATIENCE = 10.0
_ANNOUNCEMENT = 1.0
"""Seconds: a new process tells of its style sheets a moment after it uses them."""
_EVERY = 2.0
_STAGES = frozenset({"DOMContentLoaded", "load", "networkIdle"})
_MOST_RANGES = 50


@dataclass
class Script:
    """One script, by its content."""

    url: str
    total: int = 0
    line: int = 0
    """Where it begins in its document; 0 for one that has a file of its own."""
    used: list[Span] = field(default_factory=list)


@dataclass
class Sheet:
    """One style sheet, by its content."""

    url: str
    text: str = ""
    used: set[int] = field(default_factory=set)
    """Where the rules that were used begin."""


def used_spans(functions: Iterable[dict[str, Any]], assumed: int = 0) -> list[Span]:
    """What of a script ran, by the ranges that V8 tells: the innermost decides.

    So many characters are assumed to have run where nothing is told of them: what ran once, like
    the outermost level of a script, is soon forgotten.
    """
    told = [
        (each["startOffset"], each["endOffset"], each["count"] > 0)
        for function in functions
        for each in function["ranges"]
    ]
    return innermost([(0, assumed, True), *told] if assumed else told)


class _Process:
    """What one process of the tab tells."""

    def __init__(self, devtools: DevTools, start: Callable[[Callable[[], Any]], object]) -> None:
        self.devtools = devtools
        self.headers: dict[str, dict[str, Any]] = {}
        self.rules: dict[str, set[int]] = {}
        """Where the rules that were used begin, by sheet."""
        self.texts: dict[str, str] = {}
        self.scripts: dict[str, dict[str, Any]] = {}
        self.announced = asyncio.Event()
        self._start = start

    def parsed(self, event: dict[str, Any]) -> None:
        if event["url"]:
            self.scripts[event["scriptId"]] = event

    def added(self, event: dict[str, Any]) -> None:
        header = event["header"]
        if header["origin"] == "regular" and header["sourceURL"]:
            self.headers[header["styleSheetId"]] = header
            # It may be gone before the end.
            self._start(lambda: self.fetch(header["styleSheetId"]))
        self.announced.set()

    async def fetch(self, sheet: str) -> None:
        """Get the text of a sheet, if it is still there."""
        if sheet not in self.texts:
            with suppress(EngineError, DeadlineExceeded):
                answer = await self.devtools.send(
                    "CSS.getStyleSheetText", {"styleSheetId": sheet}, timeout=_PATIENCE
                )
                self.texts[sheet] = units(answer["text"])


class Coverage:
    """Follows a tab through its processes and documents until it is stopped.

    With `past`, what ran before counts too, as far as the engine remembers it.
    """

    def __init__(self, tab: Tab, *, past: bool = False) -> None:
        self._tab = tab
        self._past = past
        self._processes: list[_Process] = []
        self._scripts: dict[tuple[str, str], Script] = {}
        self._sheets: dict[tuple[str, str], Sheet] = {}
        self._offs: list[Callable[[], None]] = []
        self._jobs: list[Job[Any]] = []
        self._ending = asyncio.Event()
        self._started = 0.0

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return asyncio.get_running_loop().time() - self._started

    async def start(self, *, timeout: float) -> None:
        """Begin to count."""
        self._started = asyncio.get_running_loop().time()
        remembered = await self._remembered(timeout) if self._past else []
        self._offs.append(self._tab.page.probe(self._watch, _BEGIN))
        # The answer to this comes after those to all that was sent before.
        await self._tab.page.devtools[0].send("Profiler.enable", timeout=timeout)
        for process, counted in zip(self._processes, remembered, strict=False):
            self._count(process, counted, unknown_is_used=True)
        events = self._tab.page.events
        self._offs += [
            events.on(PageClosed, lambda _: self._ending.set()),
            events.on(LifecycleReached, self._reached),
            events.on(NavigationRequested, lambda _: self._take_soon()),
        ]
        self._work(self._look_often)

    async def _remembered(self, timeout: float) -> list[list[dict[str, Any]]]:
        """What ran so far in each process; counting begins at nothing, so it is asked before."""
        answers: list[list[dict[str, Any]]] = []
        for devtools in self._tab.page.devtools:
            await devtools.send("Profiler.enable", timeout=timeout)
            answer = await devtools.send("Profiler.getBestEffortCoverage", timeout=timeout)
            answers.append(answer["result"])
        return answers

    def _reached(self, event: LifecycleReached) -> None:
        if event.name in _STAGES:
            self._take_soon()

    def _take_soon(self) -> None:
        for process in self._processes:
            self._work(partial(self._take, process))

    async def _look_often(self) -> None:
        """Ask now and then: a document may be replaced before it could be asked."""
        while not self._ending.is_set():
            try:
                async with asyncio.timeout(_EVERY):
                    await self._ending.wait()
            except TimeoutError:
                for process in self._processes:
                    await self._take(process)

    def _watch(self, devtools: DevTools) -> None:
        process = _Process(devtools, self._work)
        self._processes.append(process)
        self._offs += [
            devtools.on("Debugger.scriptParsed", process.parsed),
            devtools.on("CSS.styleSheetAdded", process.added),
            # What the old document used is forgotten with it.
            devtools.on(
                "Page.frameStartedNavigating", lambda _: self._work(partial(self._take, process))
            ),
        ]

    def _work(self, make: Callable[[], Any]) -> None:
        self._jobs = [each for each in self._jobs if each.running]
        self._jobs.append(self._tab.session.work.start(make))

    async def _take(self, process: _Process) -> None:
        """Add what was used since the last time; a process that is gone has nothing to add."""
        with suppress(EngineError, DeadlineExceeded):
            counted = await process.devtools.send("Profiler.takePreciseCoverage", timeout=_PATIENCE)
            self._count(process, counted["result"])
            delta = await process.devtools.send("CSS.takeCoverageDelta", timeout=_PATIENCE)
            for rule in delta["coverage"]:
                starts = process.rules.setdefault(rule["styleSheetId"], set())
                if rule["used"]:
                    starts.add(int(rule["startOffset"]))

    def _count(
        self,
        process: _Process,
        scripts: list[dict[str, Any]],
        *,
        unknown_is_used: bool = False,
    ) -> None:
        for told in scripts:
            parsed = process.scripts.get(told["scriptId"])
            if parsed is None or parsed["url"] != told["url"]:
                continue
            inline = bool(parsed["startLine"] or parsed["startColumn"])
            script = self._scripts.setdefault(
                (parsed["url"], parsed["hash"]),
                Script(parsed["url"], parsed["length"], parsed["startLine"] + 1 if inline else 0),
            )
            known = used_spans(told["functions"], script.total if unknown_is_used else 0)
            script.used = union([*script.used, *known])

    async def stop(self, *, timeout: float) -> tuple[list[Script], list[Sheet]]:
        """End it, and say what was used of what."""
        self._ending.set()
        try:
            async with asyncio.timeout(timeout):
                for job in self._jobs:
                    await job.ended()
                for process in self._processes:
                    await self._take(process)
                    await self._learn_sheets(process)
        except TimeoutError:
            raise DeadlineExceeded("the page did not tell its coverage in time") from None
        finally:
            await self.end()
        for process in self._processes:
            self._add_sheets(process)
        return list(self._scripts.values()), list(self._sheets.values())

    async def _learn_sheets(self, process: _Process) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANNOUNCEMENT):
                while not process.rules.keys() <= process.headers.keys():
                    process.announced.clear()
                    await process.announced.wait()
        for sheet in process.headers:
            await process.fetch(sheet)

    def _add_sheets(self, process: _Process) -> None:
        for number, text in process.texts.items():
            url = process.headers[number]["sourceURL"]
            sheet = self._sheets.setdefault((url, text), Sheet(url, text))
            sheet.used |= process.rules.get(number, set())

    async def end(self) -> None:
        """Leave nothing switched on."""
        self._ending.set()
        for off in self._offs:
            off()
        self._offs.clear()
        for process in self._processes:
            for method in _END:
                with suppress(EngineError, DeadlineExceeded):
                    await process.devtools.send(method, timeout=_PATIENCE)


# --- telling ------------------------------------------------------------------------------------


def report(scripts: Iterable[Script], sheets: Iterable[Sheet]) -> dict[str, Any]:
    """How much of each address is used, the most wasteful first."""
    by_url: dict[str, list[Script]] = {}
    for script in scripts:
        by_url.setdefault(script.url, []).append(script)
    sheets_by_url: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        sheets_by_url.setdefault(sheet.url, []).append(sheet)
    js = [_script_row(url, each) for url, each in by_url.items()]
    css = [_sheet_row(url, each) for url, each in sheets_by_url.items()]
    return {"jsCoverage": sorted(js, key=_waste), "cssCoverage": sorted(css, key=_waste)}


def _waste(row: dict[str, Any]) -> tuple[int, str]:
    return row["usedBytes"] - row["totalBytes"], row["url"]


def _usage(url: str, total: int, used: int) -> dict[str, Any]:
    percent = round(100 * used / total, 1) if total else 100.0
    return {"url": url, "totalBytes": total, "usedBytes": used, "usagePercent": percent}


def _script_row(url: str, scripts: list[Script]) -> dict[str, Any]:
    row = _usage(
        url,
        sum(each.total for each in scripts),
        sum(length(each.used) for each in scripts),
    )
    dead = [
        {"start": start, "end": end, **({"line": each.line} if each.line else {})}
        for each in scripts
        for start, end in gaps(each.used, each.total)
    ]
    return {**row, **({"deadRanges": _largest(dead)} if dead else {})}


def _sheet_row(url: str, sheets: list[Sheet]) -> dict[str, Any]:
    total = used = rule_count = used_rules = 0
    dead: list[dict[str, Any]] = []
    for sheet in sheets:
        rules = style_rules(sheet.text)
        unused = [rule for rule in rules if rule[0] not in sheet.used]
        dead += [{"start": start, "end": end} for start, end in unused]
        total += len(sheet.text)
        rule_count += len(rules)
        used_rules += len(rules) - len(unused)
        used += length(innermost((*rule, rule[0] in sheet.used) for rule in rules))
    row = {**_usage(url, total, used), "usedRules": used_rules, "totalRules": rule_count}
    return {**row, **({"deadRules": _largest(dead)} if dead else {})}


def _largest(ranges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The largest of them, in the order in which they stand."""
    kept = sorted(ranges, key=lambda each: each["start"] - each["end"])[:_MOST_RANGES]
    return [each for each in ranges if each in kept]
