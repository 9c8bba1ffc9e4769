"""Scripts of a caller's own, run in a page, and what they give."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import DeadlineExceeded, ScriptFailed
from stockade.page.agent import PageAgent
from stockade.page.reach import named_frame
from stockade.page.scripts import script

__all__ = ["Evaluated", "evaluate"]

_LIMITS = {"nodes": 200_000, "depth": 40, "characters": 8_000_000}
_PLACE = re.compile(r"<anonymous>:(\d+):\d+")
_AWAIT = "async (given) => { await given; }"


@dataclass(frozen=True)
class Evaluated:
    """What a script gave, as JSON can hold it."""

    value: Any
    cut: bool = False
    """Whether there was more than could be brought out."""
    absent: bool = False
    """Whether it gave nothing at all, which JSON has no word for."""


async def evaluate(
    agent: PageAgent,
    source: str,
    *,
    frame: str | None = None,
    ref: str | None = None,
    caller: str,
    void: bool = False,
    left_behind: Callable[[Frame], object] = lambda _: None,
    timeout: float = DEADLINE,
) -> Evaluated:
    """Run an expression or statements in the page's own world; promises are awaited.

    A script that does not end is ended when time is up, and the tab goes on. When the caller
    leaves before, `left_behind` is told of the frame, whose `stop_script` does the same.
    """
    where, element = named_frame(agent, frame) if frame else agent.page.main_frame, None
    if ref is not None:
        where, number = agent.locate(ref)
        await agent.call(where, "inspect", caller=caller, ref=number, timeout=timeout)
        element = await agent.element(where, number, timeout=timeout)
    try:
        if void:
            await where.evaluate(source, _AWAIT, element=element, timeout=timeout)
            return Evaluated(None)
        said = await where.evaluate(
            source, script("plain_value"), _LIMITS, element=element, timeout=timeout
        )
        made = json.loads(said)
        return Evaluated(made["value"], made["cut"], made["absent"])
    except DeadlineExceeded:
        raise await _ended(where, timeout) from None
    except asyncio.CancelledError:
        left_behind(where)
        raise
    except ScriptFailed as error:
        error.details["line"] = _line(error)
        raise
    finally:
        if element is not None:
            await element.dispose()


def _line(error: ScriptFailed) -> int | None:
    """The line of the caller's code, counted from one, as the stack tells."""
    found = _PLACE.search(str(error.details.get("stack", "")))
    return int(found[1]) if found is not None else None


async def _ended(frame: Frame, timeout: float) -> DeadlineExceeded:
    if await frame.stop_script():
        return DeadlineExceeded(
            f"the script ran for more than {timeout:g} s and was ended",
            hint="The tab can be used again.",
        )
    return DeadlineExceeded(
        f"the script did not finish within {timeout:g} s",
        hint="What it awaits did not happen; a larger timeoutMs gives it more time.",
    )
