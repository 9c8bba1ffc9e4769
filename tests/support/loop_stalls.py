"""What the watchdog of a server process has reported: times that its event loop was kept by work."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx

from stockade.telemetry.watchdog import LONGEST

_COUNTED = 'stockade_loop_blocked_seconds_count{kind="busy"} '


class LoopStalls:
    """Reads the metric, and from the log what kept the loop."""

    def __init__(self, admin: httpx.AsyncClient, log: Path) -> None:
        self._admin = admin
        self._log = log
        self._read = 0
        self._counted = 0.0

    async def new(self) -> list[str]:
        """Those since this was last asked; a line for each that the log tells of, at least one."""
        # What kept the loop until just now is told of with the next beat.
        await asyncio.sleep(LONGEST)
        said = (await self._admin.get("/metrics")).text
        counts = [
            float(each.removeprefix(_COUNTED))
            for each in said.splitlines()
            if each.startswith(_COUNTED)
        ]
        count = sum(counts)
        more, self._counted = count - self._counted, count
        if not more:
            return []
        return self._lines() or [f"{more:g} times"]

    def _lines(self) -> list[str]:
        with self._log.open("rb") as log:
            log.seek(self._read)
            lines = log.read().decode(errors="replace").splitlines()
            self._read = log.tell()
        told = [json.loads(each) for each in lines if "the event loop was blocked" in each]
        return [f"{each['cpu_ms']} ms of work: {each['by'][:8]}" for each in told]
