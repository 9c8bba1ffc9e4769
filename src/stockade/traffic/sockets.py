"""WebSockets of a session's pages and workers: sent on, and kept back by rules."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from stockade.engines.events import Request
from stockade.engines.port import Context, Frame, Handle, Page, Worker
from stockade.engines.values import InitScript, World
from stockade.errors import (
    Conflict,
    DeadlineExceeded,
    EngineError,
    Missing,
    QuotaExceeded,
    TargetAmbiguous,
)
from stockade.page.patterns import address_pattern
from stockade.page.scripts import script
from stockade.sessions.parts import Parts
from stockade.sessions.session import Session

__all__ = ["SocketNames", "SocketRule", "Sockets"]

_MOST_RULES = 100
_OBJECTS = "stockade-sockets"


@dataclass(frozen=True)
class SocketRule:
    """What becomes of messages on the sockets of a pattern."""

    pattern: str
    response: Literal["drop", "echo"] | dict[str, str]
    direction: Literal["sent", "received", "both"] = "both"

    def as_json(self) -> dict[str, Any]:
        """As the script takes it."""
        parts = address_pattern(self.pattern).parts
        return {"parts": parts, "response": self.response, "direction": self.direction}


class SocketNames:
    """The names of a tab's sockets, `ws-1` the first that was seen."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    @classmethod
    def of(cls, parts: Parts, requests: Sequence[Request]) -> SocketNames:
        """Those of a tab, with every socket of its log."""
        names = parts.of(cls, cls)
        for request in requests:
            if request.type == "WebSocket":
                names.name(request.id)
        return names

    def name(self, request: str) -> str:
        """The name of a socket, by the id of its request."""
        return self._names.setdefault(request, f"ws-{len(self._names) + 1}")

    def find(self, name: str, requests: Sequence[Request]) -> Request:
        """The request of the socket of that name."""
        for request in requests:
            if self._names.get(request.id) == name:
                return request
        raise Missing("this tab has no such WebSocket", hint="`ws_read` shows them as `sockets`.")


class _Objects(Protocol):
    """Live objects of one script world."""

    async def call(self, function: str, *arguments: Any, timeout: float) -> Any:
        """Call a function with the array of them as `this`."""


class _InWorker:
    """The same of a worker."""

    def __init__(self, worker: Worker, object_id: str) -> None:
        self._worker = worker
        self._object_id = object_id

    async def call(self, function: str, *arguments: Any, timeout: float) -> Any:
        """Call a function with the array of them as `this`."""
        params = {
            "objectId": self._object_id,
            "functionDeclaration": function,
            "arguments": [{"value": each} for each in arguments],
            "returnByValue": True,
        }
        answer = await self._worker.devtools.send("Runtime.callFunctionOn", params, timeout=timeout)
        return answer["result"].get("value")


class Sockets:
    """All sockets of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._token = f"t{secrets.token_hex(16)}"
        self._context: Context | None = None
        self._removals: list[Callable[[], Awaitable[None]]] = []
        self._changing = asyncio.Lock()
        self.rules: list[SocketRule] = []
        """Newest first."""
        session.after_start.append(self._begin)

    @classmethod
    def of(cls, session: Session) -> Sockets:
        """Those of a session."""
        return session.parts.of(cls, lambda: cls(session))

    # --- rules ----------------------------------------------------------------------------------

    async def intercept(self, rule: SocketRule, *, timeout: float) -> None:
        """Keep messages back from now on, in place of the rule of the same pattern."""
        if len(self.rules) >= _MOST_RULES:
            raise QuotaExceeded(f"this session has {_MOST_RULES} rules", hint="Remove some.")
        self.rules = [rule, *(each for each in self.rules if each.pattern != rule.pattern)]
        await self._install(timeout)

    async def let_go(self, pattern: str | None, *, timeout: float) -> int:
        """Remove a rule, or all; how many there were."""
        kept = [each for each in self.rules if pattern not in {None, each.pattern}]
        removed = len(self.rules) - len(kept)
        self.rules = kept
        if removed:
            await self._install(timeout)
        return removed

    async def _begin(self, context: Context) -> None:
        if self._removals:
            self._removals = []
            await self._run(context, 5.0)

    async def _install(self, timeout: float) -> None:
        """Run the script with the present rules everywhere, now and in what is to come."""
        context = await self._session.started()
        async with self._changing:
            before, self._removals = self._removals, []
            await self._run(context, timeout)
            for remove in before:
                await remove()
        if self.rules:
            async with asyncio.TaskGroup() as group:
                for page in context.pages:
                    places: list[Frame | Worker] = [*page.frames, *page.workers]
                    for place in places:
                        group.create_task(self._follow(place, timeout))

    async def _run(self, context: Context, timeout: float) -> None:
        self._context = context
        rules = json.dumps([each.as_json() for each in self.rules])
        fits = script("address_pattern")
        code = f"({script('sockets')})({json.dumps(self._token)}, {rules}, {fits})"
        self._removals = [
            await context.add_script(InitScript(code, World.MAIN), timeout=timeout),
            await context.add_worker_script(f"() => {code}", lambda *_: None, timeout=timeout),
        ]

    async def _follow(self, place: Frame | Worker, timeout: float) -> None:
        """Hear the sockets that were there before."""
        try:
            live = await _live(place, timeout)
            await live.call(script("sockets_live"), self._token, "follow", timeout=timeout)
        except (EngineError, DeadlineExceeded):
            return  # Its document or worker is gone, or held by a dialog.

    # --- sending --------------------------------------------------------------------------------

    async def send(
        self, page: Page, request: Request, message: str, *, encoded: bool, timeout: float
    ) -> None:
        """Send a message on the socket that a request opened, past all rules."""
        if request.ended is not None:
            raise _not_open()
        if self._context is not page.context:
            await self._install(timeout)
        shared = request.id.startswith("w")
        places: list[Frame | Worker] = (
            [each for each in page.context.workers if each.kind != "worker"]
            if shared
            else [*page.frames, *page.workers]
        )
        found: list[tuple[_Objects, int, float | None]] = []
        for place in places:
            try:
                live = await _live(place, timeout)
                rows = await live.call(
                    script("sockets_live"), self._token, "open", request.url, timeout=timeout
                )
            except (EngineError, DeadlineExceeded):
                if len(places) == 1:
                    raise
                continue
            found += [(live, index, age) for index, age in rows or ()]
        alike = [
            each
            for each in (page.context.requests if shared else page.requests)
            if each.type == "WebSocket" and each.url == request.url and each.ended is None
        ]
        if not found and request.status is None:
            # Only now: a page may know that its socket is open before we are told.
            raise _not_open()
        live, index = _chosen(found, alike, request)
        await live.call(
            script("sockets_live"), self._token, "send", index, message, encoded, timeout=timeout
        )


def _not_open() -> Conflict:
    return Conflict("that WebSocket is not open", hint="`ws_read` shows which are.")


def _chosen(
    found: Sequence[tuple[_Objects, int, float | None]], alike: list[Request], request: Request
) -> tuple[_Objects, int]:
    """The one of several sockets with the same address that a request opened."""
    if not found:
        raise Missing(
            "the page has let go of that WebSocket", hint="`ws_read` shows which are open."
        )
    if len(found) == 1 and len(alike) == 1:
        return found[0][:2]
    ages = [(age, live, index) for live, index, age in found if age is not None]
    ages.sort(key=lambda each: each[0])
    if len(ages) != len(alike):
        raise TargetAmbiguous(
            "several WebSockets with the same address are open",
            hint="Reload the page: those opened from now on are told apart.",
        )
    _, live, index = ages[alike.index(request)]
    return live, index


async def _live(place: Frame | Worker, timeout: float) -> _Objects:
    """The live sockets of a frame or worker."""
    if hasattr(place, "call_handle"):
        root: Handle = await place.call_handle(
            script("sockets_root"), world=World.MAIN, timeout=timeout
        )
        return await root.instances(timeout=timeout)
    devtools = place.devtools
    found = await devtools.send(
        "Runtime.evaluate",
        {"expression": f"({script('sockets_root')})()", "objectGroup": _OBJECTS},
        timeout=timeout,
    )
    objects = await devtools.send(
        "Runtime.queryObjects",
        {"prototypeObjectId": found["result"]["objectId"], "objectGroup": _OBJECTS},
        timeout=timeout,
    )
    return _InWorker(place, objects["objects"]["objectId"])
