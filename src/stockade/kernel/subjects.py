"""Subjects: what a call is about, to the letter."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, EngineError, StockadeError
from stockade.kernel.call import Call
from stockade.kernel.downloads import file_of
from stockade.kernel.readable import SECRET, readable
from stockade.kernel.submitting import How, hows, sender_of
from stockade.page.probe import point_probe
from stockade.sessions.tab import Tab
from stockade.urls import origin_of, parse

__all__ = ["Subject", "bound", "files_of", "shown_form", "subject_of"]


@dataclass
class Subject:
    """What a call is about: where it works, and on what."""

    origin: str = ""
    within: str = ""
    """The origin of the tab, where the element is in a frame of another."""
    ref: str = ""
    how: How = ""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the page says of the element and its form; every word of it counts."""
    described: str = ""
    box: dict[str, float] | None = None
    frame: Frame | None = None
    number: int = 0
    others: list[str] = field(default_factory=list)
    """Origins of frames with forms that the call could send as well."""
    files: list[dict[str, Any]] = field(default_factory=list)

    @property
    def origins(self) -> list[str]:
        """Whose page it is."""
        return [each for each in (self.origin, self.within, *self.others) if each]


async def subject_of(call: Call, *, forms: bool) -> Subject:
    """What the call would work on now; `forms`: whether one that it could send matters."""
    session = call.session_or_none
    if call.off_list:
        return Subject(origin=parse(call.off_list).origin)
    tab = call.tab_or_none or (session.current if session is not None else None)
    if tab is None:
        return Subject()
    if tab.page.dialog is not None or tab.page.crashed:
        # The page cannot be asked.
        return Subject(origin_of(tab.url))
    return await _looked_at(call, tab, forms=forms)


async def _looked_at(call: Call, tab: Tab, *, forms: bool) -> Subject:
    """What the page says of it."""
    subject = Subject(origin_of(tab.url))
    ways = hows(call) if forms else hows(call)[:1]
    frame, number = await _element(call, tab)
    if frame is not None and frame is not tab.page.main_frame:
        subject.within, subject.origin = subject.origin, origin_of(frame.url)
    agent = tab.agent
    for how in ways or [""]:
        if number == 0 and how != "script":
            continue
        said = await agent.call(
            frame or tab.page.main_frame,
            "agreed_facts",
            caller=call.caller,
            ref=number,
            how=how,
            timeout=call.left,
        )
        subject.how = how
        subject.frame, subject.number = frame, number
        subject.box, subject.described = said.pop("box", None), said.pop("described", "")
        subject.facts = said
        if how == "script":
            await _look_elsewhere(call, tab, subject)
        if subject.facts["form"]:
            break
    if number and frame is not None:
        subject.ref = f"{agent.prefix(frame)}e{number}"
    return subject


async def _look_elsewhere(call: Call, tab: Tab, subject: Subject) -> None:
    """Forms of the other frames: who can do anything at all can send those too."""
    seen = subject.frame or tab.page.main_frame
    for frame in tab.page.frames:
        if frame is seen or frame.detached:
            continue
        with suppress(EngineError, DeadlineExceeded):
            said = await tab.agent.call(
                frame, "agreed_facts", caller=call.caller, ref=0, how="script", timeout=call.left
            )
            if said["form"]:
                subject.others.append(origin_of(frame.url))
                subject.facts["form"] = subject.facts["form"] or said["form"]


async def _element(call: Call, tab: Tab) -> tuple[Frame | None, int]:
    """The element that the call would act on: its target, what is at its point, the focus."""
    agent = tab.agent
    if call.target is not None:
        return agent.locate(call.target)
    sender = await sender_of(call)
    if sender is not None:
        return agent.locate(sender)
    coords = call.arguments.starts_at
    if coords is not None and call.tab_or_none is not None:
        seen = await point_probe(agent, coords.x, coords.y, caller=call.caller, timeout=call.left)
        return agent.locate(seen.stack[0].ref) if seen.stack else (None, 0)
    if call.arguments.pressed_keys is None:
        return None, 0
    frame: Frame = tab.page.main_frame
    while True:
        said = await agent.call(frame, "agreed_focus", timeout=call.left)
        child = (
            await agent.child_frame(frame, said["ref"], timeout=call.left)
            if said["frame"]
            else None
        )
        if child is None:
            return frame, int(said["ref"])
        frame = child


async def files_of(call: Call) -> list[dict[str, Any]]:
    """The files that would be given away, by what is in them."""
    args = call.arguments
    given = [*getattr(args, "files", ()), args]
    names = [
        name
        for each in given
        for name in (getattr(each, "path", None), getattr(each, "artifact", None))
        if name
    ]
    found = []
    for name in names:
        with suppress(StockadeError):
            artifact = await file_of(call, name)
            content = await asyncio.to_thread(artifact.path.read_bytes)
            digest = hashlib.sha256(content).hexdigest()
            found.append({"name": artifact.name, "sizeBytes": len(content), "sha256": digest})
    return found


def bound(call: Call, subject: Subject) -> dict[str, Any]:
    """Everything that a yes holds for; where any of it differs, another question is asked."""
    given = call.given.model_dump(mode="json", by_alias=True)
    given.pop("session", None)
    return {
        "tool": call.tool.name,
        "arguments": given,
        "tab": call.tab_or_none.id if call.tab_or_none is not None else "",
        "origin": subject.origin,
        "within": subject.within,
        "ref": subject.ref,
        "target": subject.facts,
        "files": subject.files,
    }


def shown_form(form: Mapping[str, Any]) -> dict[str, Any]:
    """What a form would send as a person reads it: everything but the values of secrets."""
    told = {name: value for name, value in form.items() if name not in {"fields", "inexact"}}
    return {**told, "fields": [_shown_field(each) for each in form["fields"]]}


def _shown_field(field: Mapping[str, Any]) -> dict[str, Any]:
    told = dict(field)
    kind = told.pop("kind", "")
    value = told.pop("value")
    told["value"] = SECRET if kind == "secret" else readable(value)
    if kind == "file":
        told["file"] = told.pop("value")
    elif kind in {"hidden", "button"}:
        told[kind] = True
    return told
