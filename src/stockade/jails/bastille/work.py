"""Work on one clone: commands in steps, and what is said when a step fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from stockade.errors import LaunchFailed
from stockade.jails.bastille.commands import Argv, Commands
from stockade.jails.bastille.look import Look, look
from stockade.jails.bastille.names import Clone, Ground
from stockade.jails.bastille.runner import Ran, Runner

__all__ = ["Note", "Work"]

Note = Callable[[str, str, str], None]
"""Is told operation, clone and step when a step begins or goes on."""

_SHOWN = 2000
_REMEDIES = {
    "claim": "Set the host up as docs/bastille.md says; `browser-clone-reap` clears what is left.",
    "template": "Stop it: `bastille stop browser`; clones are made of a template at rest.",
    "snapshot": "Take it with `zfs snapshot -r`, or name none.",
    "datasets": "Look at the room in the pool with `zfs list -o space`.",
    "configuration": "Look at the room and the rights in the directory of jails.",
    "epairs": "`ifconfig -g epair` lists them.",
    "limits": "Limits need kern.racct.enable=1 in /boot/loader.conf, and a restart.",
    "network": "The table has to be in pf.conf as docs/bastille.md says, and pf has to run.",
    "start": "`bastille start` by hand says more; so does console.log beside the jail's root.",
    "force-unmount": "`fstat -f` on the dataset says who uses it.",
    "browser": "Try the browser by hand in the template: `bastille console browser`.",
}
_REMEDY = "Run `browser-clone-reap` for it again when the cause is gone; it goes on from any state."


class Work:
    """One operation on one clone."""

    def __init__(
        self, operation: str, clone: Clone, ground: Ground, runner: Runner, note: Note
    ) -> None:
        self.operation = operation
        self.clone = clone
        self.ground = ground
        self.commands = Commands(ground)
        self._runner = runner
        self._note = note
        self._step = ""

    @asynccontextmanager
    async def step(self, name: str) -> AsyncIterator[None]:
        """What is done in here is this step."""
        before = self._step
        self._enter(name)
        try:
            yield
        finally:
            self._enter(before)

    def _enter(self, step: str) -> None:
        self._step = step
        if step:
            self._note(self.operation, self.clone.name, step)

    async def run(self, argv: Argv, stdin: bytes | None = None) -> str:
        """Run a command that has to succeed; what it says."""
        ran = await self.attempt(argv, stdin)
        if ran.code != 0:
            raise self.failure(f"{argv[0]} ended with {ran.code}", argv, ran)
        return ran.out

    async def attempt(self, argv: Argv, stdin: bytes | None = None) -> Ran:
        """Run a command that may fail: what has become of it is seen by looking."""
        try:
            return await self._runner.run(argv, stdin)
        except LaunchFailed as error:
            raise self.failure(error.message, argv) from None

    async def look(self) -> Look:
        """What is there on the host."""
        return await look(self.run, self.commands, self.ground)

    async def running(self) -> bool:
        """Whether the clone's jail runs."""
        return self.clone.name in (await self.run(self.commands.jails())).split()

    def failure(
        self, reason: str, argv: Argv | None = None, ran: Ran | None = None, **details: object
    ) -> LaunchFailed:
        """The error of the present step."""
        said = "" if ran is None else (ran.err or ran.out).strip()[-_SHOWN:]
        if argv is not None:
            details["command"] = " ".join(argv)
        if ran is not None:
            details["output"] = said
        return LaunchFailed(
            f"{self.operation} {self.clone.name}: {self._step}: {reason}"
            + (f": {said.splitlines()[-1]}" if said else ""),
            hint=_REMEDIES.get(self._step, _REMEDY),
            operation=self.operation,
            clone=self.clone.name,
            step=self._step,
            **details,
        )
