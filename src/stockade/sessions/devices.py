"""Devices that a session's pages find although they are not there, and who asked for them."""

from __future__ import annotations

import json
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from stockade.engines.port import Context, Frame
from stockade.engines.values import InitScript, World
from stockade.errors import Unsupported
from stockade.page.scripts import script
from stockade.policy.capabilities import Capability
from stockade.sessions.asked import Asked
from stockade.sessions.changes import SessionOpened
from stockade.sessions.session import Session

__all__ = ["Api", "DeviceRequest", "Devices"]

Api = Literal["bluetooth", "usb", "hid"]
_APIS: Final[tuple[Api, ...]] = ("bluetooth", "usb", "hid")
_MOST_REQUESTS = 200
_LONGEST_REPORT = 8000
_LONGEST_URL = 2000
_PATIENCE = 10.0
_ATTACHED = "attached"


class _Report(msgspec.Struct):
    """What a page says of a request; it may say anything."""

    api: Api
    outcome: Literal["granted", "no-match", "refused", "no-gesture", "not-admitted", "invalid"]
    asked: dict[str, Any] | None = None
    device: str | None = None


@dataclass(frozen=True)
class DeviceRequest:
    """A page asked for a device."""

    at: float
    api: Api
    outcome: str
    origin: str
    url: str
    asked: dict[str, Any] | None
    device: str | None


class Devices:
    """The catalogs of a session. They are in every document from its start.

    So are the wrappers when the capability is off: then every request is refused at once and
    noted, instead of waiting for a chooser that nobody can see.
    """

    def __init__(self, session: Session) -> None:
        self._tab_of = session.tab_of
        self._token = secrets.token_hex(16)
        self._on = Capability.DEVICE_EMULATION in session.policy.capabilities
        self._catalog: dict[Api, Sequence[dict[str, Any]]] = dict.fromkeys(_APIS, ())
        self._remove: Callable[[], Awaitable[None]] | None = None
        self.requests: deque[DeviceRequest] = deque(maxlen=_MOST_REQUESTS)
        if session.isolation != _ATTACHED:
            session.after_start.append(self._install)

    @classmethod
    def of(cls, session: Session) -> Devices:
        """Those of a session."""
        return session.parts.of(cls, lambda: cls(session))

    @classmethod
    def follow(cls, opened: SessionOpened) -> None:
        """Be in every session from its start: a page may ask while it is still being read."""
        cls.of(opened.session)

    async def stage(
        self, session: Session, api: Api, devices: Sequence[dict[str, Any]], *, timeout: float
    ) -> None:
        """Let pages find these, and no others, from now on."""
        if session.isolation == _ATTACHED:
            raise Unsupported(
                "a person's own browser has devices and choosers of its own",
                hint="Open a session of another mode.",
            )
        self._catalog = {**self._catalog, api: tuple(devices)}
        context = session.context
        if context is not None:
            await self._give(context, timeout)

    async def _install(self, context: Context) -> None:
        """Put the wrappers into a new browser state, with what is staged already."""
        empty = json.dumps(dict.fromkeys(_APIS, ()) if self._on else None)
        parts = script("devices"), self._token, empty, script("devices_bluetooth")
        source = "(tell) => ({})(tell, '{}', {}, {})".format(*parts)
        await context.add_script(InitScript(source, World.MAIN, self._heard), timeout=_PATIENCE)
        self._remove = None
        if any(self._catalog.values()):
            await self._give(context, _PATIENCE)

    async def _give(self, context: Context, timeout: float) -> None:
        """Have the catalog in the documents there are, and in those to come."""
        former = self._remove
        source = f"({script('devices_staged')})('{self._token}', {json.dumps(self._catalog)})"
        self._remove = await context.add_script(InitScript(source, World.MAIN), timeout=timeout)
        if former is not None:
            await former()

    def _heard(self, frame: Frame, text: str) -> None:
        """A page says that it asked; that is noted as its word, under the frame's own origin."""
        if len(text) > _LONGEST_REPORT:
            return
        try:
            said = msgspec.json.decode(text, type=_Report)
        except msgspec.DecodeError:
            return
        tab = self._tab_of(frame.page)
        if tab is not None:
            tab.recorder.asked_for(Asked("permission", said.api, "", frame.origin, said.outcome))
        known = {str(each["id"]) for each in self._catalog[said.api]}
        self.requests.append(
            DeviceRequest(
                at=time.time(),
                api=said.api,
                outcome=said.outcome,
                origin=frame.origin,
                url=frame.url[:_LONGEST_URL],
                asked=said.asked,
                device=said.device if said.device in known else None,
            )
        )
