"""Workers of a session: their names, and what they post."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from stockade.engines.port import Context, Worker
from stockade.errors import DeadlineExceeded, EngineError, Missing
from stockade.page.scripts import script
from stockade.sessions.session import Session

__all__ = ["Posted", "Workers", "service_state"]

_MOST_MESSAGES = 500
_PATIENCE = 1.0
_START_PATIENCE = 5.0


@dataclass(frozen=True)
class Posted:
    """A message that a worker posted."""

    worker: str
    data: Any
    at: float
    truncated: bool = False


class Workers:
    """The workers of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._names: dict[str, str] = {}
        self._counts = {"ww": 0, "sw": 0}
        self._posted: deque[Posted] = deque(maxlen=_MOST_MESSAGES)
        self._context: Context | None = None
        self._installing = asyncio.Lock()
        session.after_start.append(self._listen)

    @classmethod
    async def of(cls, session: Session, *, timeout: float) -> Workers:
        """Those of a session; from the first time on it is heard what they post."""
        workers = session.parts.of(cls, lambda: cls(session))
        await workers.begin(timeout)
        return workers

    async def begin(self, timeout: float) -> None:
        """Listen, unless that is done already."""
        context = await self._session.started()
        async with self._installing:
            if self._context is not context:
                await self._listen(context, timeout)

    async def _listen(self, context: Context, timeout: float = _START_PATIENCE) -> None:
        self._context = context
        await context.add_worker_script(script("workers_messages"), self._heard, timeout=timeout)

    def _heard(self, worker: Worker, text: str) -> None:
        told = json.loads(text)
        data = json.loads(told["data"]) if "data" in told else told["text"]
        self._posted.append(Posted(self.name(worker), data, time.time(), "text" in told))

    def name(self, worker: Worker) -> str:
        """What a worker is called for as long as it lives."""
        if worker.id not in self._names:
            kind = "sw" if worker.kind == "service_worker" else "ww"
            self._counts[kind] += 1
            self._names[worker.id] = f"{kind}-{self._counts[kind]}"
        return self._names[worker.id]

    @property
    def running(self) -> list[tuple[str, Worker]]:
        """Those that run now, by name."""
        workers = self._context.workers if self._context is not None else ()
        return [(self.name(each), each) for each in workers]

    def find(self, name: str) -> Worker:
        """The worker of that name."""
        for known, worker in self.running:
            if known == name:
                return worker
        raise Missing("no worker of that id is running", hint="`workers_list` shows them.")

    def drain(self, name: str | None) -> list[Posted]:
        """What was posted since the last time, by one worker or by all."""
        if name is not None and name not in self._names.values():
            raise Missing("there is no worker of that id", hint="`workers_list` shows them.")
        taken = [each for each in self._posted if name in {None, each.worker}]
        for each in taken:
            self._posted.remove(each)
        return taken

    async def send(self, name: str, message: Any, *, timeout: float) -> Worker:
        """Let a message come to a worker, as if a page had posted it."""
        worker = self.find(name)
        await worker.call(script("workers_send"), message, timeout=timeout)
        return worker


async def service_state(worker: Worker) -> str | None:
    """How far a service worker is: installing, activated, …; nothing while it cannot be asked."""
    try:
        state = await worker.call("() => self.serviceWorker?.state ?? null", timeout=_PATIENCE)
    except (EngineError, DeadlineExceeded):
        return None
    return None if state is None else str(state)
