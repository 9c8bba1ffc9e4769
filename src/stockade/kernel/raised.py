"""Raising: the next result of a tab whose page asked for something is a failure that says so.

What came up before a call that would change something keeps that call from being made: its caller
does not know what the page has become. Whoever reads or goes elsewhere gets the result, marked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from stockade.engines.events import DialogOpened
from stockade.errors import DialogOpen, PageAsked
from stockade.kernel import evidence
from stockade.kernel.call import Call
from stockade.kernel.results import Reply, Result, page_block, plain
from stockade.policy.capabilities import Capability
from stockade.sessions.asked import Asked, Raised, dialog_asked
from stockade.sessions.dialogs import HINT

__all__ = ["after", "before", "marked", "told"]

_LONGEST = 500
_MOST_SAID = 5
_WORDS: Final = {
    "dialog": ("opened a native {what} dialog, which was {how}", "set_dialog_policy"),
    "permission": ("asked for {what}, which was denied", "set_permission_policy"),
    "notification": ("showed a notification", "set_notification_policy"),
    "fs-picker": ("asked for files by {what}, and got none", "set_fs_picker_policy"),
}
_LISTS: Final = {
    "dialog": "dialogs",
    "permission": "permissionRequests",
    "notification": "notifications",
    "fs-picker": "fsPickerRequests",
}
"""Where the result of an action tells of it, so that it need not be told again."""


def before(call: Call) -> None:
    """Refuse a call that would change a page without knowing what it asked for meanwhile."""
    tab = call.tab
    raised = tab.parts.of(Raised, Raised)
    spared = call.tool.reads or call.tool.capability is Capability.NAVIGATION or tab.group
    if spared or raised.refused or not call.tool.held_by_dialog:
        raised.refused = False
        return
    found = raised.take()
    if found is None:
        return
    # Whoever repeats the call means it, however much the page goes on asking.
    raised.refused = True
    asked, count = found
    raise PageAsked(
        f"nothing was done: before this call the page {_said(asked, count)}",
        hint=f"Look at the page, then repeat the call. {_remedy(asked)}",
        **_facts(call, asked, count),
    )


def told(call: Call, error: DialogOpen) -> None:
    """The caller is told by an error that a dialog is, or was, open."""
    if call.tab_or_none is None:
        return
    tab = call.tab
    raised = tab.parts.of(Raised, Raised)
    dialog = tab.page.dialog
    tab.dialogs.told()
    if "kind" in error.details:
        raised.heard(error.details["kind"], error.details.get("text", ""))
    elif dialog is not None:
        error.details |= _facts(call, dialog_asked(tab, dialog, "raise"), 1)
    else:
        found = raised.take()
        error.details |= _facts(call, *found) if found is not None else {}


def after(call: Call, result: Any) -> Any:
    """The result, as a failure where there is something to tell."""
    if call.tab_or_none is None:
        return result
    tab = call.tab
    result = result if isinstance(result, Result) else Result(data=plain(result))
    if tab.group and result.images and result.data is None:
        # A bare picture has no room for it; the next result has.
        return result
    found = tab.parts.of(Raised, Raised).take()
    waiting = tab.dialogs.untold
    answered = [] if tab.group else tab.recorder.take_dialogs()
    if waiting is not None:
        tab.dialogs.told()
        asked, count = dialog_asked(tab, waiting, "raise"), 1 + (found[1] if found else 0)
        said, code, hint = f"a {asked.what} is open and waits for an answer", "dialog_open", HINT
    elif found is not None:
        asked, count = found
        said, code, hint = f"the page {_said(asked, count)}", "page_asked", _remedy(asked)
    else:
        return _with_dialogs(result, answered)
    hint = call.worded(hint)
    facts = _facts(call, asked, count)
    data = result.data
    # Clients of the tab API see the failure alone.
    listed = data is not None and _LISTS[asked.event] in data and not tab.group
    if not result.ok or (data is not None and data.get("ok") is False):
        # It failed of itself, and says how.
        return result if listed else replace(result, data={**(data or {}), "raised": facts})
    failure = {"source": "app", **({} if listed else facts)}
    body = {"ok": False, "error": said, "code": code, "hint": hint, "failure": failure}
    if data is None and (result.rows is not None or result.text is not None or result.page):
        return replace(result, failure=body, ok=False, verdict=False)
    rest = {key: value for key, value in (data or {}).items() if key not in body}
    return replace(result, data={**body, **rest}, ok=False, verdict=False)


def _with_dialogs(result: Result, answered: list[tuple[DialogOpened, str]]) -> Result:
    """A result that says which dialogs were answered since the last; an action's does already."""
    if not answered:
        return result
    said = "; ".join(f"a {dialog.kind} was {how}" for dialog, how in answered[:_MOST_SAID])
    if result.rows is not None:
        return replace(result, aside=said)
    if result.text is not None or result.page is not None:
        return replace(result, text=f"[{said}]\n{result.text or ''}".rstrip())
    told = [plain(each) for each in evidence.dialogs(answered)]
    return replace(result, data={**(result.data or {"ok": True}), "dialogs": told})


def marked(reply: Reply) -> Reply:
    """Text or a bare list that is a failure begins with what makes it one."""
    body = reply.failure
    if body is None:
        return reply
    said = f"[failed: {body['error']}. {body['hint']}]"
    head = f"{said}\n{page_block(body['failure']['text'], body['failure']['origin'])}"
    if reply.data is None:
        return replace(reply, text=f"{head}\n{reply.text}")
    return replace(reply, aside=f"{head}\n{reply.aside}".rstrip())


def _facts(call: Call, asked: Asked, count: int) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "kind": asked.kind,
        # Masked before it is cut: half a secret would not be found any more.
        "text": call.masker.text(asked.text)[:_LONGEST],
        "origin": asked.origin,
        "handledAs": asked.handled_as,
    }
    return {**facts, "count": count} if count > 1 else facts


def _said(asked: Asked, count: int) -> str:
    words, _ = _WORDS[asked.event]
    said = words.format(what=asked.what, how=asked.handled_as)
    return f"{said}, and asked {count - 1} more times" if count > 1 else said


def _remedy(asked: Asked) -> str:
    return f"`{_WORDS[asked.event][1]}` chooses what happens instead."
