"""Targets: from what a caller named to the element or point that is meant."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from stockade.errors import DeadlineExceeded, InvalidArgument, TargetNotFound
from stockade.kernel.arguments import ActionOptions, Coordinates, InTab, OnTarget, OptionalTarget
from stockade.kernel.call import Call
from stockade.page.locator import resolve
from stockade.page.probe import point_probe
from stockade.page.upcoming import when_possible, while_moving
from stockade.page.waiting import wait_until
from stockade.sessions.names import Names
from stockade.sessions.tab import Tab

__all__ = ["looking_on", "scope_of", "target_of"]

_WAYS = ("ref", "selector", "coords", "named")
_REF = re.compile(r"(f\d+)?e\d+")


async def target_of(
    call: Call, wanted: OptionalTarget, *, waits: bool = True
) -> str | Coordinates | None:
    """The ref or the point that is meant in the call's tab, if any was named.

    `waits` is whether an action's element may still be on its way.
    """
    given = [each for each in _WAYS if getattr(wanted, each, None)]
    if len(given) > 1:
        raise InvalidArgument(f"give one of {', '.join(given)}, not several")
    if wanted.selector is not None:
        return await _selected(call, wanted.selector, wanted, waits=waits)
    if wanted.named is not None:
        meant = call.session.parts.of(Names, Names).meant(wanted.named, call.tab.id)
        if isinstance(meant, str):
            return meant
        return await _placed(call, Coordinates(x=meant.x, y=meant.y), wanted)
    if wanted.coords is not None:
        return await _placed(call, wanted.coords, wanted)
    return wanted.ref


async def _placed(call: Call, point: Coordinates, wanted: OptionalTarget) -> str | Coordinates:
    """A point, for tools that take one; for others the element there."""
    if isinstance(wanted, OnTarget):
        return point
    probe = await point_probe(
        call.tab.agent, point.x, point.y, caller=call.caller, timeout=call.left
    )
    if not probe.stack:
        raise TargetNotFound("nothing is at that point of the page", reason="no-element")
    return probe.stack[0].ref


async def _selected(call: Call, selector: str, wanted: OptionalTarget, *, waits: bool) -> str:
    agent = call.tab.agent

    async def found() -> str:
        return await resolve(
            agent,
            selector,
            caller=call.caller,
            kind=wanted.kind,
            context_ref=wanted.context_ref,
            timeout=call.left,
        )

    async def found_yet() -> str | None:
        with suppress(TargetNotFound):
            return await found()
        return None

    if wanted.patience:
        with suppress(DeadlineExceeded):
            return await wait_until(agent, found_yet, timeout=min(wanted.patience, call.left))
    if waits and isinstance(call.arguments, ActionOptions):
        return await when_possible(
            agent,
            lambda patience: while_moving(agent, found, patience, timeout=call.left),
            timeout=call.left,
        )
    return await found()


async def scope_of(call: Call, scope: str | None) -> str | None:
    """The ref of the element that a `scope` means: a ref, or a selector of one element."""
    if scope is None or _REF.fullmatch(scope):
        return scope
    return await resolve(call.tab.agent, scope, caller=call.caller, timeout=call.left)


@asynccontextmanager
async def looking_on(call: Call) -> AsyncIterator[Tab]:
    """The tab of a call that watches without holding it, so that others can work there."""
    wanted = call.arguments
    tab = await call.session.tab(wanted.tab if isinstance(wanted, InTab) else None)
    tab.ensure_open()
    call.tab_or_none = tab
    call.policy.check_shown(tab.url)
    with tab.watched():
        yield tab
    # It may have gone elsewhere meanwhile, and what was seen there is not to be told.
    call.policy.check_shown(tab.url)
