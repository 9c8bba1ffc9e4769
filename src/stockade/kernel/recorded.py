"""Calls as steps of a flow, while a recording runs."""

from __future__ import annotations

from typing import Any

from stockade.errors import StockadeError, TargetChanged
from stockade.flows.recording import AFTERWARDS, RECORDED, Found, Masked, Recordings, Step
from stockade.kernel.arguments import OnTarget, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.targets import target_of
from stockade.page.locator import generate_locator
from stockade.page.probe import inspect
from stockade.page.search import text_search

__all__ = ["step_after", "step_before"]

_PATIENCE = 3.0
_WAYS = ("ref", "selector", "named", "contextRef")
_INNER = ("from", "to", "target", "submit")
"""Arguments that name an element of their own."""
_ASIDE = frozenset({"session", "tab", "mode", "maxResultTokens", "timeoutMs", "content", "files"})
_SECRETS = ("password", "one-time-code", "cc-number", "cc-csc")
_HELD = "dialog_open"


async def step_before(call: Call) -> Step | None:
    """The step that this call may become; nothing when no recording runs."""
    within = call.session_or_none
    recordings = within.parts.get(Recordings) if within is not None else None
    if recordings is None or recordings.running is None or call.tool.name not in RECORDED:
        return None
    given = call.arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
    tab = call.tab_or_none or call.session.current
    url = _masked(call, tab.url) if tab is not None else ""
    arguments = _masked(call, {key: each for key, each in given.items() if key not in _ASIDE})
    step = recordings.running.next_step(
        call.tool.name, arguments, given.get("tab") or (tab.id if tab is not None else ""), url
    )
    if call.tool.name not in AFTERWARDS and call.tab_or_none is not None:
        await _find_targets(call, step, given)
    return step


async def step_after(call: Call, step: Step | None, result: Any) -> None:
    """The call has ended: if it did what it was asked to, its step is kept."""
    recordings = call.session.parts.get(Recordings) if step is not None else None
    if step is None or recordings is None or recordings.running is None:
        return
    data = result.data if isinstance(result, Result) else result
    data = data if isinstance(data, dict) else {}
    well = result.ok if isinstance(result, Result) else data.get("ok", True)
    if not well and data.get("code") != _HELD:
        return
    if step.tool == "tabs" and step.arguments.get("action", "list") == "list":
        # Nothing was done.
        return
    if call.tool.name in AFTERWARDS and call.tab_or_none is not None:
        given = call.arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
        await _find_targets(call, step, given)
    step.opened = _opened(step, data)
    step.chosen = _masked(call, str(data.get("chosen", "")))
    if "" in step.targets and call.tool.name not in AFTERWARDS:
        for key in _WAYS:
            step.arguments.pop(key, None)
    recordings.running.conceal(step)
    recordings.running.keep(step)


def _opened(step: Step, data: dict[str, Any]) -> list[str]:
    if step.tool == "tabs":
        current = [row["tab"] for row in data.get("tabs", ()) if row.get("current")]
        return current if step.arguments.get("action") == "new" else []
    return [row["tab"] for row in data.get("structure", {}).get("newTabs", ())]


def _masked(call: Call, value: Any) -> Any:
    """The same with secrets by their names, and marked where there was one."""
    if isinstance(value, str):
        told = call.masker.exact(value)
        return Masked(told) if told != value else value
    if isinstance(value, dict):
        return {key: _masked(call, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(call, each) for each in value]
    return value


# --- elements -----------------------------------------------------------------------------------


async def _find_targets(call: Call, step: Step, given: dict[str, Any]) -> None:
    if call.target is not None:
        step.targets[""] = await _found(call, call.target)
    elif any(given.get(key) for key in _WAYS) and call.tool.name != "verify_count":
        await _find(call, step, "", given)
    elif call.tool.name == "wait_for" and given.get("text"):
        await _find_text(call, step, given["text"])
    for key in _INNER:
        if isinstance(given.get(key), dict):
            await _find(call, step, key, given[key])
    for index, row in enumerate(given.get("fields", ())):
        await _find(call, step, f"fields.{index}", row)
        if f"fields.{index}" in step.targets:
            for key in _WAYS:
                step.arguments["fields"][index].pop(key, None)


async def _find(call: Call, step: Step, key: str, wanted: dict[str, Any]) -> None:
    """An element that the tool itself would look up."""
    ways = {name: wanted[name] for name in _WAYS if wanted.get(name)}
    if not ways:
        return
    kind = OptionalTarget if key.startswith("fields") else OnTarget
    try:
        ref = await target_of(call, kind.model_validate(ways), waits=call.tool.name != "wait_for")
    except StockadeError:
        # The tool will say what is wrong with it.
        return
    if isinstance(ref, str):
        step.targets[key] = await _found(call, ref)


async def _find_text(call: Call, step: Step, text: str) -> None:
    """Where a text stands: a test has to be told in which frame."""
    try:
        found = await text_search(
            call.tab.agent,
            text,
            caller=call.caller,
            max_matches=1,
            timeout=min(call.left, _PATIENCE),
        )
    except StockadeError:
        return
    if found.matches:
        step.targets[""] = await _found(call, found.matches[0].ref)


async def _found(call: Call, ref: str) -> Found:
    agent, caller = call.tab.agent, call.caller
    timeout = min(call.left, _PATIENCE)
    try:
        seen = await inspect(agent, ref, caller=caller, timeout=timeout)
        locator = await generate_locator(agent, ref, caller=caller, timeout=timeout)
    except TargetChanged:
        # Said once only: whoever asks again means what is there now.
        raise
    except StockadeError:
        return Found(None)
    kind = seen.attributes.get("type", "text" if seen.tag == "input" else "").lower()
    fills = seen.attributes.get("autocomplete", "")
    secret = kind == "password" or any(each in fills for each in _SECRETS)
    name = call.masker.text(seen.name)
    return Found(locator, seen.tag, kind, seen.role or "", name, secret)
