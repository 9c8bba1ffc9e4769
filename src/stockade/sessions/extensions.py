"""The extensions of a session: given to each browser it gets, and to no other session's."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from stockade.engines.port import Browser, Context, Worker
from stockade.errors import InvalidArgument, Missing, Unsupported
from stockade.jails.folders import Folder
from stockade.page.scripts import script
from stockade.scratch import Scratch

if TYPE_CHECKING:
    from stockade.sessions.session import Session
    from stockade.sessions.tab import Tab

__all__ = ["Extensions", "Unpacked"]

_PATIENCE = 10.0
_BUTTON = "_execute_action"
"""The command that every extension with a button has."""


@dataclass(frozen=True)
class Unpacked:
    """An extension as its directory held it when it was read."""

    id: str
    name: str
    version: str
    path: str
    """As the caller named it."""
    commands: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def write(self, folder: Path, uid: int) -> None:
        """Put it where the browser finds it."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, uid, uid)

    def hand_in(self, folder: Folder) -> Path:
        """Put it where a browser in a jail finds it; a newer one beside the one before."""
        place = f"{secrets.token_hex(6)}/{self.id}"
        for name, content in self.files.items():
            folder.put(f"{place}/{name}", BytesIO(content))
        return folder.path / place


class Extensions:
    """What a session has installed, whether its browser runs or not."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._installed: dict[str, Unpacked] = {}
        self._place: Scratch | None = None
        """Where the present browser has them from."""
        self._changing = asyncio.Lock()
        session.after_start.append(self._load_all)

    @property
    def all(self) -> list[Unpacked]:
        """Oldest first."""
        return list(self._installed.values())

    def find(self, id: str) -> Unpacked:
        """The one of that id."""
        found = self._installed.get(id)
        if found is None:
            raise Missing("no such extension is installed here", hint="See `extensions_list`.")
        return found

    async def install(self, unpacked: Unpacked) -> bool:
        """Add one, or put a newer in its place; whether the browser had to be started anew."""
        async with self._changing:
            session, before = self._session, self._installed.get(unpacked.id)
            self._ensure_possible()
            self._installed[unpacked.id] = unpacked
            anew = not session.extended
            try:
                if anew:
                    session.extended = True
                    await session.renew()
                if session.context is not None:
                    await self._load(session.context, unpacked)
                else:
                    await session.started()
            except BaseException:
                self._undo(unpacked.id, before)
                raise
            return anew

    def _undo(self, id: str, before: Unpacked | None) -> None:
        if before is not None:
            self._installed[id] = before
            return
        del self._installed[id]
        self._session.extended = bool(self._installed)

    def _ensure_possible(self) -> None:
        session = self._session
        if session.isolation == "attached":
            raise Unsupported("extensions are not installed in a browser that is a person's own")
        if session.keeping is None:
            raise Unsupported(
                "extensions need a session that keeps its state",
                hint="Open one with `open_session` and mode persistent.",
            )

    async def uninstall(self, id: str) -> None:
        """Take one away."""
        async with self._changing:
            self.find(id)
            context = self._session.context
            if context is not None and self._session.extended:
                await context.browser.extensions.remove(id, timeout=_PATIENCE)
            # The browser stays as it is; without any, the next is an ordinary one.
            del self._installed[id]
            self._session.extended = bool(self._installed)

    async def trigger(self, id: str, tab: Tab, command: str | None, *, timeout: float) -> None:
        """Press its button, or the key of one of its commands, while `tab` is shown."""
        known = self.find(id).commands
        page = tab.page
        if command is None or command == _BUTTON:
            await page.context.browser.extensions.press(id, page, timeout=timeout)
            return
        if command not in known:
            raise InvalidArgument(
                "the extension has no such command",
                hint=f"It has {', '.join(known)}." if known else "It has none.",
            )
        await page.activate(timeout=timeout)
        worker = self._worker(page.context, id)
        if not await worker.call(script("extension_command"), command, timeout=timeout):
            raise Unsupported("the extension does not listen for commands")

    def _worker(self, context: Context, id: str) -> Worker:
        for worker in context.workers:
            if worker.url.startswith(f"chrome-extension://{id}/"):
                return worker
        raise Unsupported("the extension has no service worker that runs")

    # --- in a browser -----------------------------------------------------------------------------

    async def _load_all(self, context: Context) -> None:
        """Give a new browser what is installed."""
        self._place = None
        if self._session.extended:
            for unpacked in self.all:
                await self._load(context, unpacked)

    async def _load(self, context: Context, unpacked: Unpacked) -> None:
        jail = self._session.jail
        if jail is not None:
            folder = await asyncio.to_thread(unpacked.hand_in, jail.uploads)
            await context.browser.extensions.load(str(folder), timeout=_PATIENCE)
            return
        uid, under = self._session.limits.uid, self._session.limits.scratch
        if self._place is None:
            place = self._place = await Scratch.made(uid, under)
            self._session.work.start(lambda: _remove_after(context.browser, place))
        folder = self._place.path / unpacked.id
        await asyncio.to_thread(unpacked.write, folder, uid)
        await context.browser.extensions.load(str(folder), timeout=_PATIENCE)


async def _remove_after(browser: Browser, place: Scratch) -> None:
    try:
        await browser.wait_gone()
    finally:
        await asyncio.to_thread(place.remove)
