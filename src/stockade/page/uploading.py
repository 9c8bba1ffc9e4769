"""Files for a page: to the input that is meant, or to what a click on an element asks with."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from stockade.engines.events import FileChooserOpened
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
from stockade.page.settle import Window
from stockade.page.waiting import wait_until

__all__ = ["drop_files", "file_inputs", "give_files", "only_input"]

_PATIENCE = 2.0
_PANEL_PATIENCE = 2.0
"""Seconds in which a click that opens no chooser has brought an input."""
_MOST_CANDIDATES = 10

Input = dict[str, Any]
T = TypeVar("T")


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


async def _upload(
    actions: Actions, ref: str, paths: Sequence[str], *, caller: str, timeout: float = DEADLINE
) -> Outcome:
    """Give files to a file input, or to the chooser that a click on the element opens."""
    frame, number = actions.agent.locate(ref)
    with Window(actions.agent) as window:
        url = actions.agent.page.main_frame.url
        async with actions.looking_on(window, frame):
            found = await actions.agent.call(
                frame, "file_input", caller=caller, ref=number, timeout=timeout
            )
        if found["ref"] is not None:
            if len(paths) > 1 and not found["multiple"]:
                raise InvalidArgument(f"{found['target']} takes one file")
            handle = await actions.agent.element(frame, found["ref"], timeout=timeout)
            await handle.set_files(paths, timeout=timeout)
            await handle.dispose()
            done = await actions.finish("upload", window, url, frame, number, found, timeout)
            return replace(done, extra={"via": "direct_input"})
    with actions.taking_choosers():
        outcome = await actions.click(ref, caller=caller, timeout=timeout)
    choosers: list[FileChooserOpened] = outcome.facts.choosers
    if not choosers:
        raise NotActionable(
            f"{outcome.target} was clicked and opened no file chooser",
            reason="no-chooser",
            retryable=False,
            target=outcome.target,
        )
    return await _choose(actions, choosers[0], ref, found["target"], paths, timeout=timeout)


async def _choose(
    actions: Actions,
    opened: FileChooserOpened,
    ref: str,
    target: str,
    paths: Sequence[str],
    *,
    timeout: float,
) -> Outcome:
    """Give files to a chooser that an element opened."""
    with Window(actions.agent) as window:
        url = actions.agent.page.main_frame.url
        await opened.chooser.set_files(paths, timeout=timeout)
        ready = {"target": target}
        done = await actions.finish(
            "upload", window, url, *actions.agent.locate(ref), ready, timeout
        )
        return replace(done, extra={"via": "filechooser"})


async def give_files(
    actions: Actions, ref: str, paths: Sequence[str], *, caller: str, timeout: float = DEADLINE
) -> Outcome:
    """Give files to what a ref means; `extra` says by which way: `via`.

    A click on it may open a chooser, at once or a little later, or a part of the page with an
    input of its own.
    """
    agent = actions.agent
    known = {each["ref"] for each in await file_inputs(agent, caller=caller, timeout=timeout)}
    late: list[FileChooserOpened] = []
    off = agent.page.events.on(FileChooserOpened, late.append)

    async def come() -> list[Input] | None:
        if late:
            return []
        found = await file_inputs(agent, caller=caller, timeout=timeout)
        return [each for each in found if each["ref"] not in known] or None

    try:
        with actions.taking_choosers():
            return await _upload(actions, ref, paths, caller=caller, timeout=timeout)
    except NotActionable as error:
        if error.details.get("reason") != "no-chooser":
            raise
        refused = error
        with actions.taking_choosers():
            panel = await _in_time(wait_until(agent, come, timeout=min(_PANEL_PATIENCE, timeout)))
    finally:
        off()
    if late:
        target = refused.details["target"]
        return await _choose(actions, late[0], ref, target, paths, timeout=timeout)
    if panel is None:
        raise refused
    if len(panel) > 1:
        raise _several(panel)
    outcome = await _upload(actions, panel[0]["ref"], paths, caller=caller, timeout=timeout)
    return replace(outcome, extra={"via": "panel_input"})


async def _in_time(waiting: Awaitable[T]) -> T | None:
    try:
        return await waiting
    except DeadlineExceeded:
        return None


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
