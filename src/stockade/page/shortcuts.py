"""Chords of keys, and which handler of the page took them for its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.actions import Actions, Outcome

__all__ = ["KeyEvent", "Pressed", "press_all"]

_PATIENCE = 1.0
_UNANSWERED = (EngineError, DeadlineExceeded)


@dataclass(frozen=True)
class KeyEvent:
    """What a document heard."""

    type: str
    key: str
    prevented: bool
    target: str


@dataclass(frozen=True)
class Pressed:
    """What came of the keys."""

    outcome: Outcome
    events: list[KeyEvent]
    active: dict[str, Any] | None
    """What has the focus now: its ref, and the element in words."""

    @property
    def handled(self) -> bool:
        """Whether the page kept the browser from doing what it does with such keys."""
        return any(event.prevented for event in self.events)


async def press_all(
    actions: Actions,
    chords: Sequence[str],
    *,
    ref: str | None,
    caller: str,
    timeout: float = DEADLINE,
) -> Pressed:
    """Press chords one after the other, the first in an element if one is given."""
    ends = asyncio.get_running_loop().time() + timeout
    frames = actions.agent.frames()
    await _ask(actions, frames, "begin", caller)
    outcome: Outcome | None = None
    url = actions.agent.page.main_frame.url
    try:
        for number, chord in enumerate(chords):
            outcome = await actions.press(
                chord,
                ref=ref if not number else None,
                caller=caller,
                timeout=ends - asyncio.get_running_loop().time(),
            )
            if outcome.settled.effect == "dialog":
                break
    finally:
        answers = await _ask(actions, frames, "end", caller)
    if outcome is None:
        raise ValueError("no keys")
    # Where the last key went is where the focus is; every frame believes that it has it.
    answers.sort(key=lambda answer: max((each["at"] for each in answer["events"]), default=0))
    active = next((answer["active"] for answer in reversed(answers) if answer["active"]), None)
    events = sorted(
        (event for answer in answers for event in answer["events"]), key=lambda each: each["at"]
    )
    return Pressed(
        replace(outcome, url_before=url),
        [
            KeyEvent(each["type"], each["key"], each["defaultPrevented"], each["target"])
            for each in events
        ],
        active,
    )


async def _ask(
    actions: Actions, frames: Sequence[Frame], step: str, caller: str
) -> list[dict[str, Any]]:
    """All frames at once; those that are gone or held have nothing to say."""

    async def ask(frame: Frame) -> dict[str, Any] | None:
        try:
            answer: dict[str, Any] | None = await actions.agent.call(
                frame, "key_watch.js", step=step, caller=caller, timeout=_PATIENCE
            )
        except _UNANSWERED:
            return None
        return answer

    answers = await asyncio.gather(*(ask(frame) for frame in frames))
    return [answer for answer in answers if answer is not None]
