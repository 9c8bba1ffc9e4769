"""A flow: steps on one application, each with a policy that reads results and a check that does not.

What results say is compared with what the application knows: a false failure is a call that says
it failed although its input reached the page, a false success a step that was not done although
every result says that it was.
"""

from __future__ import annotations

import asyncio
import re
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from bench.apps.driver import ActionFailed, Driver
from bench.apps.driver import Step as Action
from bench.apps.lines import Line
from bench.apps.suite import Outcome, Suite

__all__ = ["CONTROLS", "Either", "Flow", "FlowSuite", "Hands", "Step"]

CONTROLS = "controls"
"""The task that operates what is in no flow."""

_LOOKS = 3
_LOOK_AGAIN_SECONDS = 0.5
_TRIES = 2
_STEP_SECONDS = 60.0

Name: TypeAlias = "str | re.Pattern[str] | None"


class Hands:
    """What a policy does: it takes lines that are shown, looks again where one is missing, acts."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    async def line(
        self,
        *roles: str,
        name: Name = None,
        nth: int = 0,
        fresh: bool = False,
        after: Line | None = None,
    ) -> Line:
        """A line that is known; with `fresh`, of the page as it is now.

        Where there is none one looks, and again: a page may take its time.
        """
        view = await self.driver.see() if fresh else self.driver.view
        for look in range(_LOOKS + 1):
            part = view if after is None else view.after(after)
            found = [each for each in part.all(*roles, name=name) if each.ref]
            if found and -len(found) <= nth < len(found):
                return found[nth]
            if look < _LOOKS:
                await asyncio.sleep(look * _LOOK_AGAIN_SECONDS)
                view = await self.driver.look()
        raise LookupError(f"no {'/'.join(roles) or 'line'} {name!r} with a ref is shown")

    async def text(self, name: Name) -> Line:
        """A line that shows a text, with a ref or without."""
        for view in (self.driver.view, await self.driver.see()):
            if view.has(name=name):
                return view.one(name=name)
        return (await self.driver.look()).one(name=name)

    async def choice(self, name: str, *roles: str) -> Line:
        """A box or button that is chosen: itself, or its label where that alone has a ref."""
        return (await self._choices(name, roles))[0]

    async def choose(self, name: str, *roles: str) -> None:
        """Click a box or button, or its label where it cannot be clicked itself."""
        first, *others = await self._choices(name, roles)
        try:
            await self.driver.click(first)
        except ActionFailed:
            if not others:
                raise
            await self.driver.click(others[0])

    async def _choices(self, name: str, roles: Sequence[str]) -> list[Line]:
        for known in (self.driver.view, await self.driver.see()):
            lines = [each for each in known.all(name=name) if each.ref]
            if lines:
                return sorted(lines, key=lambda each: each.role not in roles)
        return [await self.line(name=name)]

    async def click(self, *roles: str, **which: Any) -> None:
        """Click a line; where that fails, look for it again and click once more, as a model would."""
        try:
            await self.driver.click(await self.line(*roles, **which))
        except ActionFailed:
            await self.driver.look()
            await self.driver.click(await self.line(*roles, **which))

    async def click_all(self, lines: Sequence[Line]) -> None:
        """Click lines one after the other; all of them are known before the first."""
        await self.driver.run([Action("click", each) for each in lines])

    async def read(self, text: str | re.Pattern[str]) -> str:
        """Text that is shown now, or that the page is waited for to show."""
        pattern = re.compile(re.escape(text)) if isinstance(text, str) else text
        view = await self.driver.see()
        for _ in range(_LOOKS):
            found = pattern.search(_everything(view))
            if found is not None:
                return found[0]
            if isinstance(text, str):
                with suppress(ActionFailed):
                    await self.driver.wait_for(text)
                view = await self.driver.see()
            else:
                view = await self.driver.look()
        raise LookupError(f"{pattern.pattern!r} is not shown")

    async def has_state(self, state: str, *roles: str, name: Name = None, nth: int = 0) -> None:
        """See that a control is in a state."""
        view = await self.driver.see()
        for _ in range(_LOOKS):
            if any(
                state in each.states for each in view.all(*roles, name=name)[nth : nth + 1 or None]
            ):
                return
            view = await self.driver.look()
        raise LookupError(f"{'/'.join(roles)} {name!r} is not {state}")


def _everything(view: Any) -> str:
    parts = [" ".join([line.text, *sorted(line.states)]) for line in view]
    return re.sub(r"\s+", " ", " ".join(parts))


class Either:
    """One of several values that all are right."""

    def __init__(self, *values: object) -> None:
        self._values = values

    def __eq__(self, other: object) -> bool:
        return other in self._values

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Step:
    """One control or act: how it is done, and what the application has to tell of it."""

    control: str
    run: Callable[[Hands], Awaitable[None]]
    expected: Any = None
    """What was recorded last for the control; with None the step is judged by what it reads."""


@dataclass(frozen=True)
class Flow:
    """Steps from one opening of the application."""

    name: str
    goal: str
    steps: Sequence[Step]
    first: str = ""
    """Text that is shown when the application can be used, if it takes its time."""


@dataclass
class _Report:
    failed: dict[str, str] = field(default_factory=dict)
    """What results or the lack of them said of steps that were given up."""
    refused: set[str] = field(default_factory=set)
    """Steps in which a result said that a call had failed."""


class FlowSuite(Suite):
    """An application with flows."""

    flows: ClassVar[Sequence[Flow]]
    controls: ClassVar[Sequence[Step]] = ()
    """Every kind of control that no flow has, on a page of their own."""
    first: ClassVar[str] = ""
    """Text that is shown when that page can be used, if it takes its time."""

    def tasks(self) -> Sequence[str]:
        return [*(flow.name for flow in self.flows), *([CONTROLS] if self.controls else ())]

    def is_compared(self, task: str) -> bool:
        return task != CONTROLS

    def prepare(self, tasks: Sequence[str], *, fresh: bool) -> Mapping[str, str]:
        why = self.install(fresh=fresh)
        return {} if why is None else dict.fromkeys(tasks, why)

    @abstractmethod
    def install(self, *, fresh: bool) -> str | None:
        """Install the application; why it is not to be had, if so."""

    @abstractmethod
    async def begin(self, task: str) -> str:
        """Bring the application to its first state; the address to open."""

    @abstractmethod
    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        """What the application knows of every control, asked for outside of the contender's calls."""

    def false_failures(self, driver: Driver) -> int:
        """How many calls said that they failed although input reached the page; none if unknown."""
        del driver
        return 0

    async def episode(self, driver: Driver, task: str, seed: int) -> Outcome:
        del seed
        flow = self._flow(task)
        report = _Report()
        await driver.open(await self.begin(task))
        hands = Hands(driver)
        if flow.first:
            await hands.read(flow.first)
        for step in flow.steps:
            await _take(hands, step, report)
        known = await self.done(driver, task)
        wrong = {
            step.control: report.failed.get(step.control, f"it is {known.get(step.control)!r}")
            for step in flow.steps
            if (
                step.control in report.failed
                if step.expected is None
                else step.expected != known.get(step.control)
            )
        }
        return Outcome(
            success=not wrong,
            why="; ".join(f"{control}: {why[:200]}" for control, why in wrong.items()),
            false_failures=self.false_failures(driver),
            false_successes=len(set(wrong) - report.refused - set(report.failed)),
            steps=len(flow.steps),
        )

    def _flow(self, task: str) -> Flow:
        if task == CONTROLS:
            return Flow(CONTROLS, "Operate every control.", self.controls, self.first)
        return next(each for each in self.flows if each.name == task)


async def _take(hands: Hands, step: Step, report: _Report) -> None:
    """Do a step; where it fails, look at the page and begin it anew once, as a model would."""
    first = len(hands.driver.log)
    for attempt in range(_TRIES):
        try:
            async with asyncio.timeout(_STEP_SECONDS):
                if attempt:
                    await hands.driver.look()
                await step.run(hands)
        except (ActionFailed, LookupError, TimeoutError) as error:
            report.failed[step.control] = f"{type(error).__name__}: {error}"
        else:
            report.failed.pop(step.control, None)
            break
    if any(call.result.is_error for call in hands.driver.log[first:]):
        report.refused.add(step.control)
