"""Scripts that run at the start of every worker of a context."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.errors import EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.workers import ChromiumWorker
    from stockade.engines.port import Worker

__all__ = ["WorkerScripts"]

_NAME_BYTES = 8


class _Called(msgspec.Struct):
    name: str
    payload: str = ""


@dataclass(frozen=True)
class _Script:
    name: str
    """Of the function that it is given; no worker can have guessed it, and none finds it."""
    source: str
    heard: Callable[[Worker, str], None]

    @property
    def commands(self) -> Sequence[Command]:
        name = json.dumps(self.name)
        code = (
            f"(() => {{ const tell = globalThis[{name}]; delete globalThis[{name}];"
            f" ({self.source})(tell); }})()"
        )
        return (
            ("Runtime.addBinding", {"name": self.name}),
            ("Runtime.evaluate", {"expression": code, "includeCommandLineAPI": True}),
        )


class WorkerScripts:
    """What every worker is given before its first line runs."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._scripts: dict[str, _Script] = {}

    def watch(self, worker: ChromiumWorker, session: Session) -> None:
        """Hear what scripts in one worker tell."""

        def called(event: _Called) -> None:
            script = self._scripts.get(event.name)
            if script is not None:
                script.heard(worker, event.payload)

        session.on("Runtime.bindingCalled", called, _Called)

    def setup(self) -> Sequence[Command]:
        """What a new worker is told first."""
        return [command for each in self._scripts.values() for command in each.commands]

    async def add(
        self, source: str, heard: Callable[[Worker, str], None], timeout: float
    ) -> Callable[[], Awaitable[None]]:
        """Run a function in every worker from now on, and in those there are."""
        script = _Script(f"s{secrets.token_hex(_NAME_BYTES)}", source, heard)
        self._scripts[script.name] = script
        answers = [
            answer
            for worker in self._context.workers
            for answer in worker.submit(script.commands, timeout)
        ]
        for answer in answers:
            try:
                await answer
            except EngineError:
                continue  # A worker that went meanwhile runs nothing any more.

        async def remove() -> None:
            self._scripts.pop(script.name, None)

        return remove
