"""Observation: after an action, look at what came of it and say so within a budget."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from stockade.engines.events import LifecycleReached
from stockade.engines.port import Page
from stockade.errors import DeadlineExceeded, EgressDenied, EngineError
from stockade.kernel import evidence
from stockade.kernel.action_result import (
    ActionResult,
    Done,
    Failure,
    NewTab,
    Region,
    SnapshotDelta,
    Structure,
)
from stockade.kernel.arguments import ActionOptions
from stockade.kernel.call import Call
from stockade.kernel.downloads import collect
from stockade.kernel.element_result import Element, noteworthy
from stockade.kernel.impostors import impostor
from stockade.kernel.response_shapes import response_shapes
from stockade.kernel.results import Result, compact, plain
from stockade.kernel.sanitise import shown_url
from stockade.kernel.tokens import estimate
from stockade.page.settle import Settled, Window
from stockade.page.snapshot import Delta, Snapshot, SnapshotOptions
from stockade.sessions.happenings import Happenings
from stockade.sessions.tab import Tab
from stockade.urls import origin_of

__all__ = ["Act", "answer_dialogs", "observe"]

_MOST_DIALOGS = 20
_POPUP_PATIENCE = 2.0
_BLANK = frozenset({"", "about:blank"})
_LEAST_TREE = 40
_ROOM_FOR_REGIONS = 30
_ESCAPES = 0.88
"""What JSON leaves of a budget once quotes and line ends are escaped."""


@dataclass
class Act:
    """What was done, told by the tool that did it."""

    done: Done
    settled: Settled
    url_before: str
    element: dict[str, Any] | None = None
    elements: list[dict[str, Any]] | None = None
    warnings: list[str] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)
    """Fields of the result that only this tool has."""


async def observe(call: Call, act: Act, options: ActionOptions) -> Result:
    """The result of an action: evidence first, then as much of the page as fits."""
    tab = call.tab
    settled = await answer_dialogs(call, act.settled)
    happenings = tab.recorder.take()
    goes = any(url not in _BLANK for url in happenings.asked)
    new_tabs = [
        each
        for page in happenings.opened
        if (each := await _new_tab(call, page, goes=goes)) is not None
    ]
    downloads, links = await collect(call, happenings.downloads)
    dialog = tab.page.dialog
    gone = tab.page.closed or tab.page.crashed
    seen = bool(happenings.navigations or happenings.dialogs or happenings.asked_for or downloads)
    warnings = _warnings(tab, act, settled, seen=seen)
    if happenings.navigations:
        warnings += impostor(call)
    warnings += [
        f"a tab for {shown_url(url)} was closed at once: too many are open"
        for url in happenings.refused
    ]
    tab.told_url = tab.url
    changing = evidence.mutations(happenings.requests)
    shapes = await response_shapes(tab.page, changing) if changing and not gone else {}
    result = ActionResult(
        ok=True,
        action=_meant(call, act),
        navigation=evidence.movement(
            act.url_before, tab.url, happenings, addresses="final_url" not in act.beside
        ),
        structure=_structure(new_tabs=new_tabs, closed_tabs=list(happenings.closed)),
        element=cast("Element | None", _element(call, act)),
        elements=cast("list[Element] | None", _elements(act)),
        settled=None if settled.settled else False,
        pending=evidence.pending(settled.pending) or None,
        warnings=warnings or None,
        dialogs=evidence.dialogs(happenings.dialogs, dialog) or None,
        permission_requests=evidence.permission_requests(happenings) or None,
        notifications=evidence.notifications(happenings) or None,
        fs_picker_requests=evidence.picker_requests(happenings) or None,
        downloads=downloads or None,
        page_errors=evidence.page_errors(happenings) or None,
        console=evidence.console(happenings),
        network=evidence.network(
            happenings.requests,
            happenings.frames,
            shapes,
            off_list=call.session.outgoing.off_list(happenings.requests) or None,
        ),
    )
    denied = _denied(call, happenings)
    if denied is not None:
        failed = {
            "ok": False,
            "error": denied.message,
            "code": denied.code,
            "hint": denied.hint,
            "failure": Failure(source=denied.source),
        }
        result = result.model_copy(update=failed)
    elif dialog is None and not gone and options.mode != "none":
        result = await _with_page(call, result, act, options)
    return Result(
        data=_told(result, act),
        links=links,
        source=origin_of(tab.url),
        tokens=options.max_result_tokens,
        ok=result.ok,
        evidence={"element": act.element, "target": act.done.target},
    )


def _told(result: ActionResult, act: Act) -> dict[str, Any]:
    """The result as data, with what only its tool has right after whether it worked."""
    data: dict[str, Any] = plain(result)
    for name in ("element", "elements"):
        if name in data:
            # As it was told: that a point met nothing is worth saying.
            data[name] = getattr(result, name)
    data = {"ok": data.pop("ok"), **act.beside, **data}
    if result.snapshot_delta is not None and result.snapshot_delta.truncated:
        data["tokensEstimate"] = estimate(compact(data))
    return data


def _meant(call: Call, act: Act) -> Done | None:
    """The element that was found by a selector or a name."""
    if call.target is None or getattr(call.given, "ref", None) is not None:
        return None
    return Done(ref=call.target, target=act.done.target)


def _element(call: Call, act: Act) -> dict[str, Any] | None:
    if act.element is None:
        return None
    told = noteworthy(act.element)
    if told.get("ref") == call.target:
        # The caller gave it, or `action` has it.
        told.pop("ref", None)
    return told or None


def _elements(act: Act) -> list[dict[str, Any]] | None:
    """Each of several, without the focus, which has gone on to the next."""
    told = [noteworthy(each) for each in act.elements or ()]
    return [{key: each[key] for key in each if key != "focused"} for each in told] or None


def _structure(**parts: Sequence[Any]) -> Structure | None:
    told = {name: list(part) for name, part in parts.items() if part}
    return Structure(**told) if told else None


# --- what has to happen first -----------------------------------------------------------------


async def answer_dialogs(call: Call, settled: Settled) -> Settled:
    """Answer dialogs as the session's policy says, and wait for what comes of that."""
    tab = call.tab
    for _ in range(_MOST_DIALOGS):
        dialog = tab.page.dialog
        if dialog is None:
            break
        with Window(tab.agent) as window:
            if not await tab.settle_dialog(dialog, timeout=call.left):
                break
            settled = await window.settle(timeout=call.left)
    return settled


async def _new_tab(call: Call, page: Page, *, goes: bool) -> NewTab | None:
    """A popup, once there is something to say about it."""
    tab = call.session.tab_of(page)
    if tab is None:
        return None
    empty = goes and page.main_frame.url in _BLANK
    if empty or not page.main_frame.reached("DOMContentLoaded"):
        # One that is still loading by then is told as far as it got.
        with suppress(DeadlineExceeded):
            await page.events.wait(
                LifecycleReached,
                where=lambda event: (
                    event.name == "DOMContentLoaded"
                    and event.frame is page.main_frame
                    and not (goes and event.frame.url in _BLANK)
                ),
                timeout=min(_POPUP_PATIENCE, call.left),
            )
    return NewTab(tab=tab.id, url=tab.url, title=await tab.title())


def _denied(call: Call, happenings: Happenings) -> EgressDenied | None:
    """Why the page that the tab, or one that it opened, went to is not there."""
    pages = [*([call.tab.page] if happenings.navigations else []), *happenings.opened]
    places = (page.main_frame.unreachable for page in pages)
    found = (call.session.outgoing.refused(place) for place in places if place)
    return next(filter(None, found), None)


def _warnings(tab: Tab, act: Act, settled: Settled, *, seen: bool) -> list[str]:
    said = list(act.warnings)
    if tab.told_url and tab.told_url != act.url_before:
        said.append(f"before this call the page had gone by itself to {act.url_before}")
    if tab.page.closed:
        said.append(f"tab {tab.id} closed")
    elif tab.page.crashed:
        said.append("the page crashed; navigate again")
    elif settled.effect == "none" and not seen and act.done.type not in {"hover", "scroll"}:
        said.append("nothing was seen to happen")
    return said


# --- the page ---------------------------------------------------------------------------------


async def _with_page(
    call: Call, result: ActionResult, act: Act, options: ActionOptions
) -> ActionResult:
    """Add what the page looks like now, in the room that is left."""
    used = estimate(compact(_told(result, act))) + _ROOM_FOR_REGIONS
    room = int((options.max_result_tokens - used) * _ESCAPES)
    budget = max(room, _LEAST_TREE)
    snapshots = call.tab.snapshots
    try:
        if options.mode == "full":
            shown = await snapshots.take(
                call.caller, SnapshotOptions(budget=budget), timeout=call.left
            )
            return result.model_copy(update={"snapshot_delta": _whole(shown)})
        delta = await snapshots.delta(call.caller, budget=budget, timeout=call.left)
    except (EngineError, DeadlineExceeded) as error:
        warnings = [*(result.warnings or ()), f"the page could not be read ({error.code})"]
        return result.model_copy(update={"warnings": warnings})
    before = result.structure or Structure()
    structure = _structure(
        appeared=[_region(each) for each in delta.appeared],
        removed=[_region(each) for each in delta.removed],
        new_tabs=before.new_tabs or (),
        closed_tabs=before.closed_tabs or (),
    )
    update: dict[str, Any] = {"structure": structure}
    if delta.text:
        update["snapshot_delta"] = _part(delta)
    return result.model_copy(update=update)


def _whole(shown: Snapshot) -> SnapshotDelta:
    return SnapshotDelta(
        mode="full",
        tree=shown.text,
        truncated=shown.truncated or None,
        continuation=shown.continuation,
    )


def _part(delta: Delta) -> SnapshotDelta:
    if delta.snapshot is not None:
        return _whole(delta.snapshot)
    return SnapshotDelta(
        tree=delta.text,
        truncated=delta.truncated or None,
        continuation=delta.continuation,
    )


def _region(region: Any) -> Region:
    return Region(role=region.role, name=region.name or None, ref=region.ref)
