"""Waiting for the page."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from stockade.errors import (
    DeadlineExceeded,
    DialogOpen,
    InvalidArgument,
    StaleRef,
    TargetAmbiguous,
    TargetNotFound,
)
from stockade.kernel.action_result import ActionResult, Done
from stockade.kernel.arguments import RARE, ActionOptions, Exact, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.observation import Act, observe
from stockade.kernel.results import Result
from stockade.kernel.sightings import sightings
from stockade.kernel.targets import target_of
from stockade.kernel.tool import tool
from stockade.page.probe import inspect
from stockade.page.settle import Settled
from stockade.page.waiting import wait_until
from stockade.policy.capabilities import Capability
from stockade.sessions.names import Names

__all__ = ["wait_for"]

_KINDS = {
    "text": "the text",
    "selector": "the selector",
    "ref": "the ref",
    "named": "the element",
    "coords": "the element",
    "url_contains": "the url",
}


class WaitFor(ActionOptions, OptionalTarget):
    """What to wait for."""

    found_first: ClassVar[bool] = False

    text: Annotated[str | None, Field(min_length=1, max_length=1000)] = None
    exact: Annotated[Exact, RARE] = False
    url_contains: Annotated[str | None, Field(min_length=1, max_length=2000)] = None
    gone: Annotated[bool, Field(description="until it is not there any more")] = False


async def _there(call: Call, args: WaitFor) -> bool:
    """Whether it is there for a reader to see, now."""
    agent, caller = call.tab.agent, call.caller
    if args.url_contains is not None:
        return args.url_contains in call.masker.text(call.tab.url)
    if args.text is not None:
        found = await sightings(call, args.text, exact=args.exact, max_matches=1, values=False)
        return found.count > 0
    try:
        ref = await target_of(call, args, waits=False)
        if not isinstance(ref, str):
            return False
        return (await inspect(agent, ref, caller=caller, timeout=call.left)).visible
    except (TargetNotFound, StaleRef):
        return False
    except TargetAmbiguous:
        return True


@tool(Capability.ACTION, gives=ActionResult, effect="looks")
async def wait_for(call: Call, args: WaitFor) -> Result:
    """Wait until text, an element or an address is there, or gone. Returns what changed."""
    given = [each for each in _KINDS if getattr(args, each) is not None]
    if len(given) != 1:
        raise InvalidArgument("wait_for takes one of text, an element or urlContains")
    if args.named is not None:
        # Nothing gets a name while one waits for it.
        call.session.parts.of(Names, Names).meant(args.named, call.tab.id)
    before = call.tab.url

    async def met() -> bool | None:
        return True if await _there(call, args) != args.gone else None

    try:
        await wait_until(call.tab.agent, met, timeout=max(call.left - 0.05, 0.01))
    except DeadlineExceeded:
        wanted = "was still there" if args.gone else "did not appear"
        raise DeadlineExceeded(
            f"{_KINDS[given[0]]} {wanted} in time",
            hint="Take a snapshot to see what is there, or wait longer with timeoutMs.",
            retryable=True,
            waitedFor=given[0],
        ) from None
    except DialogOpen:
        settled = Settled(settled=True, effect="dialog")
    else:
        settled = Settled(settled=True, effect="changed")
    act = Act(
        done=Done(type="wait_for", ref=args.ref, selector=args.selector),
        settled=settled,
        url_before=before,
    )
    return await observe(call, act, args)
