"""Files for a page: to the input that is meant, or to what a click on an element asks with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stockade.engines.port import DEADLINE, Frame
from stockade.engines.values import Point
from stockade.errors import (
    DeadlineExceeded,
    EngineError,
    InvalidArgument,
    NotActionable,
    TargetAmbiguous,
)
from stockade.page.actions import Actions, Outcome
from stockade.page.agent import PageAgent
from stockade.page.pointing import Aim
from stockade.page.reach import look
from stockade.page.scripts import script
from stockade.page.waiting import wait_until

__all__ = ["drop_files", "file_inputs", "give_files", "only_input"]

_PATIENCE = 2.0
_PANEL_PATIENCE = 2.0
"""Seconds in which a click that opens no chooser has brought an input."""
_MOST_CANDIDATES = 10

Input = dict[str, Any]


async def file_inputs(agent: PageAgent, *, caller: str, timeout: float = DEADLINE) -> list[Input]:
    """The file inputs of all frames."""
    patience = min(_PATIENCE, timeout)

    async def ask(frame: Frame) -> list[Input]:
        try:
            said = await look(agent, frame, "file_inputs.js", caller=caller, timeout=patience)
        except (EngineError, DeadlineExceeded):
            # A frame that hangs or goes away has none to offer.
            return []
        inputs: list[Input] = said["inputs"]
        return inputs

    answers = await asyncio.gather(*(ask(frame) for frame in agent.frames()))
    return [each for answer in answers for each in answer]


async def only_input(agent: PageAgent, *, caller: str, timeout: float = DEADLINE) -> str:
    """The ref of the one file input there is."""
    found = await file_inputs(agent, caller=caller, timeout=timeout)
    if not found:
        raise InvalidArgument(
            "ref or selector required: the page has no file input",
            hint="Name the button or the area that asks for files.",
        )
    if len(found) > 1:
        raise _several(found)
    ref: str = found[0]["ref"]
    return ref


def _several(found: Sequence[Input]) -> TargetAmbiguous:
    return TargetAmbiguous(
        f"the page has {len(found)} file inputs",
        hint="Name one by its ref.",
        count=len(found),
        candidates=list(found[:_MOST_CANDIDATES]),
    )


async def give_files(
    actions: Actions, ref: str, paths: Sequence[str], *, caller: str, timeout: float = DEADLINE
) -> Outcome:
    """Give files to what a ref means; `extra` says by which way: `via`.

    A click on it may open a chooser, or a part of the page with an input of its own.
    """
    agent = actions.agent
    known = {each["ref"] for each in await file_inputs(agent, caller=caller, timeout=timeout)}
    try:
        return await actions.upload(ref, paths, caller=caller, timeout=timeout)
    except NotActionable as error:
        if error.details.get("reason") != "no-chooser":
            raise
        refused = error

    async def come() -> list[Input] | None:
        found = await file_inputs(agent, caller=caller, timeout=timeout)
        return [each for each in found if each["ref"] not in known] or None

    try:
        panel = await wait_until(agent, come, timeout=min(_PANEL_PATIENCE, timeout))
    except DeadlineExceeded:
        raise refused from None
    if len(panel) > 1:
        raise _several(panel)
    outcome = await actions.upload(panel[0]["ref"], paths, caller=caller, timeout=timeout)
    return replace(outcome, extra={"via": "panel_input"})


async def drop_files(
    actions: Actions,
    ref: str,
    paths: Sequence[str],
    *,
    caller: str,
    at: Point | None = None,
    timeout: float = DEADLINE,
) -> Outcome:
    """Drop files from outside onto an element, at a point of it if one is given."""
    events: list[str] = []

    async def carry(found: Aim) -> None:
        point = at or found.point
        watch, mouse = script("drop_watch"), actions.agent.page.mouse
        await found.frame.call(watch, "begin", found.number, timeout=timeout)
        for kind in ("enter", "over", "over"):
            await mouse.drag_files(kind, point, paths, timeout=timeout)
        # The browser would go to a file that the page does not take.
        taken = await found.frame.call(watch, "taken", found.number, timeout=timeout)
        await mouse.drag_files("drop" if taken else "cancel", point, paths, timeout=timeout)
        events[:] = await found.frame.call(watch, "end", found.number, timeout=timeout)
        if not taken:
            raise NotActionable(
                f"{found.target} does not take dropped files", reason="not-a-drop-target"
            )

    outcome = await actions.pointed("drop", ref, caller, carry, timeout)
    return replace(outcome, extra={"events": events})
