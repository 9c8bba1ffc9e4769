"""Choosing an option of whatever a page offers options with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    NotActionable,
    StockadeError,
    TargetAmbiguous,
    TargetNotFound,
)
from stockade.page.actions import Actions, Outcome
from stockade.page.settle import Settled

__all__ = ["Choice", "choose"]

_MOST_SHOWN = 50
_MOST_STEPS = 300
_LOADING = 2.0
"""Seconds that a list may take to fill itself after it was opened."""
_LOOK_AGAIN = 0.05


class _Option(msgspec.Struct):
    name: str
    value: str | None = None
    ref: str = ""
    selected: bool = False
    disabled: bool = False
    fits: bool = False


class _Control(msgspec.Struct):
    kind: str
    ref: str
    target: str
    expanded: bool
    editable: bool
    multiple: bool
    options: list[_Option]


class _Looked(msgspec.Struct):
    marked: bool
    busy: bool
    names: list[str]
    matches: list[_Option]


@dataclass(frozen=True)
class Choice:
    """What was chosen, and what came of it."""

    outcome: Outcome
    chosen: str
    how: str


async def choose(
    actions: Actions,
    ref: str,
    option: str,
    *,
    exact: bool = True,
    caller: str,
    timeout: float = DEADLINE,
) -> Choice:
    """Choose an option of a select, a list, a group of radio buttons, a menu or a combobox."""
    frame, number = actions.agent.locate(ref)
    chooser = _Chooser(actions, frame, option, exact, caller, timeout)
    return await chooser.run(number)


class _Chooser:
    def __init__(
        self,
        actions: Actions,
        frame: Frame,
        option: str,
        exact: bool,  # noqa: FBT001
        caller: str,
        timeout: float,
    ) -> None:
        self._actions = actions
        self._frame = frame
        self._option = option
        self._exact = exact
        self._caller = caller
        self._clock = asyncio.get_running_loop().time
        self._ends = self._clock() + timeout
        self._seen: dict[str, None] = {}
        self._url = actions.agent.page.main_frame.url

    @property
    def _left(self) -> float:
        return max(self._ends - self._clock(), 0.01)

    async def run(self, number: int) -> Choice:
        control = msgspec.convert(await self._ask("begin", ref=number), _Control)
        try:
            if control.kind == "select":
                return await self._of_select(control)
            if control.kind == "datalist":
                return await self._of_datalist(control)
            if control.kind == "list":
                return await self._of_list(control)
            return await self._of_popup(control)
        finally:
            await self._forget()

    # --- kinds ----------------------------------------------------------------------------------

    async def _of_select(self, control: _Control) -> Choice:
        found = self._single(control, [each for each in control.options if each.fits])
        values = [each.value or "" for each in control.options if each.selected]
        wanted = [found.value or ""]
        if control.multiple:
            wanted = [*(each for each in values if each not in wanted), *wanted]
        outcome = await self._actions.select(
            control.ref, wanted, caller=self._caller, timeout=self._left
        )
        return Choice(outcome, found.name, "select")

    async def _of_datalist(self, control: _Control) -> Choice:
        found = self._single(control, [each for each in control.options if each.fits])
        outcome = await self._actions.fill(
            control.ref, found.value or found.name, caller=self._caller, timeout=self._left
        )
        return Choice(outcome, found.name, "datalist")

    async def _of_list(self, control: _Control) -> Choice:
        found = await self._searched()
        if found is None:
            raise self._missing(control)
        if found.selected:
            quiet = Settled(settled=True, effect="none")
            return Choice(
                Outcome("choose", found.name, quiet, self._url, self._url), found.name, "list"
            )
        return await self._clicked(found, "list")

    async def _of_popup(self, control: _Control) -> Choice:
        opened = False
        found = await self._searched() if control.expanded else None
        if found is None and not self._seen:
            opened = True
            await self._actions.click(control.ref, caller=self._caller, timeout=self._left)
            found = await self._searched(patient=True)
        if found is None and not self._seen:
            await self._press("ArrowDown", control)
            found = await self._searched(patient=True)
        if found is None and control.editable:
            await self._actions.fill(
                control.ref, self._option, caller=self._caller, timeout=self._left
            )
            found = await self._searched(patient=True)
        if found is None:
            if opened and self._seen:
                await self._press("Escape", control)
            raise self._missing(control)
        return await self._clicked(found, "popup")

    # --- parts ----------------------------------------------------------------------------------

    async def _searched(self, *, patient: bool = False) -> _Option | None:
        """The option that is meant, among those in view or further down their list."""
        looked = await self._look()
        until = min(self._clock() + _LOADING, self._ends)
        while patient and not looked.matches and (looked.busy or not looked.names):
            if self._clock() > until:
                break
            await asyncio.sleep(_LOOK_AGAIN)
            looked = await self._look()
        if not looked.matches and looked.marked:
            looked = await self._scrolled(looked)
        if not looked.matches:
            return None
        enabled = [each for each in looked.matches if not each.disabled]
        if not enabled:
            raise NotActionable(
                f"the option {looked.matches[0].name!r} is disabled", reason="disabled"
            )
        if len(enabled) > 1:
            exactly = [each for each in enabled if each.name == self._option]
            if len(exactly) != 1:
                raise self._ambiguous(enabled)
            enabled = exactly
        return enabled[0]

    async def _scrolled(self, looked: _Looked) -> _Looked:
        await self._ask("top")
        for _ in range(_MOST_STEPS):
            await self._actions.agent.call(self._frame, "painted", timeout=self._left)
            looked = await self._look()
            if looked.matches or not (await self._ask("scroll"))["moved"]:
                break
        return looked

    async def _look(self) -> _Looked:
        looked = msgspec.convert(await self._ask("look"), _Looked)
        self._seen |= dict.fromkeys(looked.names)
        return looked

    async def _clicked(self, found: _Option, how: str) -> Choice:
        outcome = await self._actions.click(found.ref, caller=self._caller, timeout=self._left)
        return Choice(replace(outcome, url_before=self._url), found.name, how)

    async def _press(self, key: str, control: _Control) -> None:
        try:
            await self._actions.press(key, ref=control.ref, caller=self._caller, timeout=self._left)
        except (NotActionable, TargetNotFound):
            await self._actions.press(key, caller=self._caller, timeout=self._left)

    async def _ask(self, step: str, ref: int | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = await self._actions.agent.call(
            self._frame,
            "choices.js",
            step=step,
            caller=self._caller,
            ref=ref,
            option=self._option,
            exact=self._exact,
            timeout=self._left,
        )
        return answer

    async def _forget(self) -> None:
        try:
            await self._actions.agent.call(self._frame, "choices.js", step="end", timeout=1.0)
        except (EngineError, DeadlineExceeded):
            # The document went with the choice.
            return

    # --- errors ---------------------------------------------------------------------------------

    def _single(self, control: _Control, fitting: list[_Option]) -> _Option:
        if not fitting:
            self._seen |= dict.fromkeys(each.name for each in control.options)
            raise self._missing(control)
        if len(fitting) > 1:
            exactly = [each for each in fitting if self._option in (each.name, each.value)]
            if len(exactly) != 1:
                raise self._ambiguous(fitting)
            fitting = exactly
        return fitting[0]

    def _missing(self, control: _Control) -> StockadeError:
        names = list(self._seen)[:_MOST_SHOWN]
        return TargetNotFound(
            f"{control.target} has no such option",
            hint="Choose one of options, or exact: false for a part of its text."
            if names
            else "It showed no options; click it and look.",
            options=names,
            total=len(self._seen),
        )

    def _ambiguous(self, found: list[_Option]) -> StockadeError:
        return TargetAmbiguous(
            f"{len(found)} options fit",
            hint="Give more of the text, or click the one that is meant.",
            count=len(found),
            candidates=[{"ref": each.ref, "name": each.name} for each in found],
        )
