"""The control group of one jail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from stockade.errors import LaunchFailed
from stockade.jails.cgroups import directories
from stockade.jails.cgroups.alarms import Alarm
from stockade.jails.cgroups.dialects import Dialect, Events, Limits
from stockade.telemetry.logs import get_logger

__all__ = ["Group"]

_log = get_logger("stockade.jails")

_TRIES = 60
_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.1

_LOOKS = 50
_LOOK_AGAIN = 0.02
"""The first version tells of a want of memory before it kills for it."""


class Group:
    """Everything that runs in a jail, in one hierarchy or in several at once."""

    def __init__(
        self,
        jail: str,
        places: list[Path],
        keepers: Mapping[str, tuple[Dialect, Path]],
        removed: Callable[[], None],
    ) -> None:
        self.jail = jail
        self._places = places
        self._keepers = keepers
        """Which directory, in which dialect, holds each of the limits."""
        self._removed = removed
        self._last = Events()
        self._alarm: Alarm | None = None

    def limit(self, limits: Limits) -> None:
        """Set limits, beside those that it has; what cannot be limited here is not."""
        for what, (dialect, place) in self._keepers.items():
            for setting in dialect.settings(what, limits):
                try:
                    directories.write(place / setting.file, setting.text)
                except FileNotFoundError:
                    if not setting.optional:
                        raise

    # --- what is in it --------------------------------------------------------------------------

    def add(self, pid: int) -> None:
        """Put a process in, and with it whatever it starts from now on."""
        for place in self._places:
            try:
                directories.add(place, pid)
            except OSError as error:
                raise LaunchFailed(
                    f"the jail's limits cannot be set: {error.strerror}",
                    hint="`stockade doctor` says which limits can be kept here.",
                    step="limits",
                    errno=error.errno,
                ) from error

    def processes(self) -> list[int]:
        """What runs in it."""
        return sorted(directories.processes(self._places))

    # --- what it counts -------------------------------------------------------------------------

    def events(self) -> Events:
        """How often its limits were met; when it is gone, how often they had been."""
        found = {}
        for what, (dialect, place) in self._keepers.items():
            try:
                found[what] = dialect.counted(what, place)
            except OSError:
                return self._last
        none = Events()
        self._last = Events(
            memory_kills=found.get("memory", none).memory_kills,
            task_refusals=found.get("tasks", none).task_refusals,
            throttled=found.get("cpu", none).throttled,
        )
        return self._last

    def changed(self, callback: Callable[[Events], None]) -> None:
        """Call back whenever processes in it were killed for want of memory.

        Where that limit is not kept, or the kernel does not tell, nothing ever calls.
        """
        if "memory" not in self._keepers or self._alarm is not None:
            return
        loop = asyncio.get_running_loop()
        told = self.events().memory_kills

        def look(times: int = _LOOKS) -> None:
            nonlocal told
            now = self.events()
            if now.memory_kills > told:
                told = now.memory_kills
                callback(now)
            elif times and self._alarm is not None:
                loop.call_later(_LOOK_AGAIN, look, times - 1)

        dialect, place = self._keepers["memory"]
        try:
            self._alarm = Alarm(dialect, place, look)
        except OSError as error:
            _log.warning("no word of memory that runs out", jail=self.jail, why=error.strerror)

    # --- its end --------------------------------------------------------------------------------

    def kill(self) -> None:
        """Kill everything in it; it may take a moment to be gone."""
        self.events()
        directories.kill(self._places)

    async def remove(self) -> None:
        """Remove it, with whatever is still in it; a second time does nothing."""
        self.events()
        if self._alarm is not None:
            self._alarm.close()
            self._alarm = None
        pause = _FIRST_PAUSE
        for _ in range(_TRIES):
            if await asyncio.to_thread(self._try_to_remove):
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        _log.error("a jail's control group stays", jail=self.jail, processes=self.processes())

    def _try_to_remove(self) -> bool:
        if not directories.remove(self._places):
            directories.kill(self._places)
            return False
        self._removed()
        return True
