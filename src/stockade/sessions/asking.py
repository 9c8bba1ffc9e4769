"""What the pages of a session ask a person for: permissions, notifications and files.

A script in every document tells of it. What it tells is the page's word: at worst a page reports
what it never asked for. What is allowed is the browser's own state, set from here.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from stockade.engines.events import DialogClosed, FileChooserOpened, PageOpened
from stockade.engines.port import Context, Frame, Page
from stockade.engines.values import InitScript, World
from stockade.errors import DeadlineExceeded, DialogOpen, EngineError, StockadeError
from stockade.page.scripts import script
from stockade.sessions.asked import Asked, Person, raise_in
from stockade.sessions.options import PICKERS, AskingMode
from stockade.sessions.permissions import POLICED, Permissions
from stockade.sessions.pickers import Pickers, Saved
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.sessions.work import Job
from stockade.urls import origin_of

__all__ = ["Asking"]

_PATIENCE = 5.0
_DIALOG_PATIENCE = 60.0
_LONGEST = 300_000
"""Characters of one message; a part of a file that is saved fits in."""
_MOST_AT_WORK = 50
_LARGEST_SAVED: Final = 20 * 1024 * 1024


class _Said(msgspec.Struct, rename="camel"):
    id: int
    kind: str
    names: list[str] = []
    title: str = ""
    body: str | None = None
    icon: str | None = None
    tag: str | None = None
    api: str = ""
    suggested_name: str | None = None
    multiple: bool = False
    picker: int = 0
    name: str = ""
    size: int = 0
    at: int = 0
    part: str | None = None


_decode = msgspec.json.Decoder(_Said).decode


class Asking:
    """Hears the pages of one session, and answers them by its policies."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._prefix = secrets.token_hex(16)
        self._at_work = 0
        self._jobs: list[Job[None]] = []
        self.permissions = Permissions(session)
        self.pickers = Pickers()
        self._person = session.parts.of(Person, Person)
        self.notifications: AskingMode = "raise"
        if session.isolation != "attached":
            # There the browser asks the person itself.
            session.after_start.append(self._begin)

    @classmethod
    def of(cls, session: Session) -> Asking:
        """That of a session."""
        return session.parts.of(cls, lambda: cls(session))

    async def _begin(self, context: Context) -> None:
        code = f"(tell) => ({script('asking')})(tell, {json.dumps(self._prefix)})"
        await context.add_script(InitScript(code, World.MAIN, self._heard), timeout=_PATIENCE)
        context.events.on(PageOpened, lambda event: self._watch(event.page))
        await self.permissions.begin(context, timeout=_PATIENCE)

    def _watch(self, page: Page) -> None:
        page.events.on(FileChooserOpened, self._chooser_opened)

    def _heard(self, frame: Frame, payload: str) -> None:
        if len(payload) > _LONGEST:
            return
        try:
            said = _decode(payload)
        except (msgspec.MsgspecError, UnicodeError):
            return
        if said.kind == "saved":
            self._saved(frame, said)
            return
        self._start(lambda: self._handle(frame, said))

    def _start(self, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Deal with something, unless too much is under way; a page that floods gets no answer."""
        if self._at_work >= _MOST_AT_WORK:
            return
        self._at_work += 1

        async def work() -> None:
            try:
                await make()
            except (EngineError, DeadlineExceeded):
                # The page went away meanwhile.
                return
            finally:
                self._at_work -= 1

        self._jobs = [each for each in self._jobs if each.running]
        self._jobs.append(self._session.work.start(work))

    def close(self) -> None:
        """The session has ended: nobody waits for an answer any more."""
        for job in self._jobs:
            job.give_up()

    async def _handle(self, frame: Frame, said: _Said) -> None:
        tab = await self._tab_of(frame.page)
        if tab is None:
            return
        if said.kind == "permission":
            await self._permission(tab, frame, said)
        elif said.kind == "notification":
            await self._notification(tab, frame, said)
        elif said.kind == "picker" and said.api in PICKERS:
            await self._picker(tab, frame, said)

    async def _tab_of(self, page: Page) -> Tab | None:
        tab = self._session.tab_of(page)
        if tab is None:
            # A popup may ask before it is there.
            events = page.context.events
            await events.wait(PageOpened, where=lambda event: event.page is page, timeout=_PATIENCE)
        return tab or self._session.tab_of(page)

    async def _answer(
        self, frame: Frame, said: _Said, paths: Sequence[str] = (), **what: Any
    ) -> None:
        name, text = f"{self._prefix}{said.id}", json.dumps(what)
        deliver = script("asking_answer")
        while True:
            try:
                carrier = None
                if paths:
                    carrier = await frame.call_handle(_CARRIER, timeout=_PATIENCE)
                    await carrier.set_files(paths, timeout=_PATIENCE)
                await frame.call(deliver, name, text, carrier, timeout=_PATIENCE)
            except DialogOpen:
                await frame.page.events.wait(DialogClosed, timeout=_DIALOG_PATIENCE)
                continue
            return

    def _note(self, tab: Tab, asked: Asked) -> None:
        tab.recorder.asked_for(asked)
        if asked.handled_as == "raise":
            raise_in(tab, asked)

    # --- permissions and notifications ----------------------------------------------------------

    async def _permission(self, tab: Tab, frame: Frame, said: _Said) -> None:
        names = [each for each in said.names if each in POLICED]
        origin = _origin(frame)
        mode = self.permissions.mode_of(names, origin, origin_of(tab.url))
        for name in names:
            self._note(tab, Asked("permission", name, name, origin, mode, tab.id))
        allowed = mode == "allow"
        if mode == "ask-human":
            allowed = await self._person.ask("permission", ", ".join(names), origin)
        if mode != "allow":
            places = origin, origin_of(tab.url)
            await self.permissions.decide(names, "granted" if allowed else "denied", places)
        await self._answer(frame, said, allowed=allowed)

    async def _notification(self, tab: Tab, frame: Frame, said: _Said) -> None:
        origin = _origin(frame)
        text = f"{said.title}: {said.body}" if said.body else said.title
        facts = {"body": said.body, "icon": said.icon, "tag": said.tag}
        details = {key: value for key, value in facts.items() if value is not None}
        mode = self.notifications
        self._note(
            tab, Asked("notification", said.title, text, origin, mode, tab.id, details=details)
        )
        if mode == "ask-human" and await self._person.ask("notification", text, origin):
            await self.permissions.decide(["notifications"], "granted", (origin,))

    # --- files ----------------------------------------------------------------------------------

    async def _picker(self, tab: Tab, frame: Frame, said: _Said) -> None:
        origin = _origin(frame)
        asked = Asked("fs-picker", said.api, said.api, origin, "", tab.id)
        if said.suggested_name:
            asked = replace(asked, details={"suggested_name": said.suggested_name})
        paths = await self._decided(tab, asked)
        if paths is None:
            await self._answer(frame, said, allowed=False)
            return
        name = self.pickers.offered(said.api, said.suggested_name)
        if said.api == "showOpenFilePicker" and not said.multiple:
            paths = paths[:1]
        await self._answer(frame, said, paths, allowed=True, name=name, most=_LARGEST_SAVED)

    async def _decided(self, tab: Tab, asked: Asked) -> list[str] | None:
        """The files that a picker gets, or that it gets none."""
        mode = self.pickers.mode_of(asked.what)
        self._note(tab, replace(asked, handled_as=mode))
        if mode == "ask-human" and await self._person.ask("fs-picker", asked.what, asked.origin):
            mode = "allow"
        return await self.pickers.files(asked.what) if mode == "allow" else None

    def _chooser_opened(self, event: FileChooserOpened) -> None:
        tab = self._session.tab_of(event.page)
        if tab is not None and not tab.actions.giving_files:
            self._start(lambda: self._chooser(tab, event))

    async def _chooser(self, tab: Tab, event: FileChooserOpened) -> None:
        frame = event.chooser.frame
        origin = _origin(frame)
        paths = await self._decided(tab, Asked("fs-picker", "input", "input", origin, "", tab.id))
        try:
            if paths:
                given = paths if event.chooser.multiple else paths[:1]
                await event.chooser.set_files(given, timeout=_PATIENCE)
            else:
                await event.chooser.cancel(timeout=_PATIENCE)
        except StockadeError:
            # The page asked otherwise than by an input, and has its answer.
            return

    def _saved(self, frame: Frame, said: _Said) -> None:
        tab = self._session.tab_of(frame.page)
        if tab is None or said.size > _LARGEST_SAVED:
            return
        place = f"{frame.id}.{said.picker}"
        whole = self.pickers.take_in(Saved(place, said.name, said.size, said.at, said.part or ""))
        if whole is not None:
            self._start(lambda: self._keep(tab, place, _origin(frame), said.name, whole))

    async def _keep(self, tab: Tab, place: str, origin: str, name: str, content: bytes) -> None:
        try:
            kept = await self.pickers.save(place, name, content)
        except StockadeError as error:
            self._note(tab, Asked("fs-picker", "save", error.message, origin, error.code, tab.id))
            return
        details = {"saved": [kept]}
        self._note(tab, Asked("fs-picker", "save", name, origin, "saved", tab.id, details=details))


def _origin(frame: Frame) -> str:
    """Who asks; an empty frame is its parent's doing."""
    while frame.url.startswith("about:") and frame.parent is not None:
        frame = frame.parent
    return origin_of(frame.url)


_CARRIER = """() => {
  const element = document.createElement('input');
  element.type = 'file';
  element.multiple = true;
  return element;
}"""
