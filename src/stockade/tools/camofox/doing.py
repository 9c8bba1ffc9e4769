"""How the tab API acts: with a moment's patience, and telling what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NotRequired, TypeVar

from typing_extensions import TypedDict

from stockade.errors import DeadlineExceeded, InvalidArgument, NotActionable, StaleRef
from stockade.kernel import evidence
from stockade.kernel.action_result import Dialog
from stockade.kernel.arguments import OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.observation import answer_dialogs
from stockade.kernel.results import plain
from stockade.kernel.sanitise import shown_url
from stockade.page.actions import Outcome
from stockade.page.refs import refs_here
from stockade.page.waiting import wait_until

__all__ = ["Acted", "Began", "came_of", "carefully"]

T = TypeVar("T")

_PATIENCE = 1.0
_PASSING = frozenset(
    {"disabled", "hidden", "inert", "moving", "obscured", "off-screen", "read-only"}
)
"""What keeps input from an element and may be over in a moment."""


class Began(TypedDict):
    """A download that began."""

    id: str
    suggestedFilename: str


class Acted(TypedDict):
    """That it was done; what else came of it, where something did."""

    ok: bool
    newTabs: NotRequired[list[str]]
    downloads: NotRequired[list[Began]]
    dialogs: NotRequired[list[Dialog]]
    closed: NotRequired[bool]
    """The tab is gone."""
    warnings: NotRequired[list[str]]


async def carefully(call: Call, act: Callable[[], Awaitable[T]]) -> T:
    """Do something to the element that is meant; what is in the way may go within a moment."""
    try:
        if call.target is not None:
            call.tab.agent.locate(call.target)
    except InvalidArgument:
        raise await _unknown(call) from None
    except StaleRef:
        raise await _unknown(call) from None
    try:
        return await _patiently(call, act)
    except StaleRef as error:
        wanted = call.arguments
        if not isinstance(wanted, OptionalTarget) or wanted.ref is None:
            raise
        raise await _unknown(call, shown=error.details.get("shown")) from None


async def _patiently(call: Call, act: Callable[[], Awaitable[T]]) -> T:
    reason: NotActionable | None = None

    async def tried() -> tuple[T] | None:
        nonlocal reason
        try:
            return (await act(),)
        except NotActionable as error:
            if error.details.get("reason") not in _PASSING:
                raise
            reason = error
        return None

    done = await tried()
    if done is None:
        try:
            done = await wait_until(call.tab.agent, tried, timeout=min(_PATIENCE, call.left))
        except DeadlineExceeded:
            if reason is None:
                raise
            raise reason from None
    return done[0]


async def _unknown(call: Call, shown: str | None = None) -> StaleRef:
    """What is said of a ref that means no element, or no longer."""
    here = await refs_here(call.tab.agent, timeout=call.left)
    was = f"; it was {shown}" if shown else ""
    return StaleRef(
        f"Unknown ref: {call.target} ({here}{was}). "
        "Refs end with their element and document - call snapshot first.",
        ref=call.target,
    )


async def came_of(call: Call, outcome: Outcome | None) -> dict[str, Any]:
    """What an action brought that its client would not see otherwise."""
    tab = call.tab
    if outcome is not None:
        await answer_dialogs(call, outcome.settled)
    happened = tab.recorder.take()
    tabs = [found for page in happened.opened if (found := call.session.tab_of(page)) is not None]
    told = {
        "newTabs": [each.uuid for each in tabs],
        "downloads": [
            {"id": each.id, "suggestedFilename": each.filename} for each in happened.downloads
        ],
        "dialogs": [plain(each) for each in evidence.dialogs(happened.dialogs, tab.page.dialog)],
        "closed": tab.page.closed,
        "warnings": [
            f"a tab for {shown_url(url)} was closed at once: too many are open"
            for url in happened.refused
        ],
    }
    tab.told_url = tab.url
    return {"ok": True, **{name: value for name, value in told.items() if value}}
