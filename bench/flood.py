"""A flood through one session's way out: what the others notice of it.

One session sends whatever the fuzz of the tests would, as fast as it is answered, over many
connections at once. Another asks for one resource after the other, with and without that, in turn.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from bench.figures import Cell
from bench.machine import end_when_told
from bench.proxy import answer
from stockade.config import Settings
from stockade.egress.gateway import Gateway
from stockade.egress.protocol import Failed, Rules, Verdict
from stockade.telemetry.logs import configure
from tests.egress.test_fuzz import PIECES, SEEDS

__all__ = ["BUDGET", "Figures", "run", "show"]

BUDGET = 2.0
"""How many times as long a request may take the others, at the 95th percentile."""
_REQUESTS = 200
_CONNECTIONS = 20
_FORK = multiprocessing.get_context("fork")


@dataclass
class Figures:
    """Milliseconds of every request of the session that is not flooding."""

    quiet: Cell = field(default_factory=Cell)
    flooded: Cell = field(default_factory=Cell)
    denied: int = 0
    """What the flood was denied."""

    def note(self, said: Verdict | Failed) -> None:
        self.denied += said.times if isinstance(said, Verdict) else 0

    @property
    def times(self) -> float:
        return self.flooded.p95 / self.quiet.p95

    def summary(self) -> dict[str, Any]:
        return {
            "times": self.times,
            "denied": self.denied,
            "quiet": self.quiet.summary(),
            "flooded": self.flooded.summary(),
        }


def _site(listener: socket.socket) -> None:
    async def served() -> None:
        async with await asyncio.start_server(answer, sock=listener) as server:
            await server.serve_forever()

    with suppress(KeyboardInterrupt):
        asyncio.run(served())


def _mutated(chosen: random.Random) -> bytes:
    data = bytearray(chosen.choice(SEEDS))
    for _ in range(chosen.randint(0, 4)):
        at = chosen.randint(0, len(data))
        data[at : at + chosen.choice((0, 0, 1, 40))] = chosen.choice(PIECES)
    return bytes(data)


def _flood(port: int, wanted: Event) -> None:
    chosen = random.Random(7)

    async def one() -> None:
        while True:
            if not wanted.is_set():
                await asyncio.sleep(0.01)
                continue
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    writer.write(_mutated(chosen))
                    writer.write_eof()
                    await asyncio.wait_for(reader.read(), 0.5)
                except TimeoutError:
                    pass
                finally:
                    writer.close()

    async def all_of_them() -> None:
        await asyncio.gather(*(one() for _ in range(_CONNECTIONS)))

    with suppress(KeyboardInterrupt):
        asyncio.run(all_of_them())


async def _asked(way: int, site: int, cell: Cell) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", way)
    host = f"localhost:{site}"
    for _ in range(_REQUESTS):
        began = time.perf_counter()
        writer.write(f"GET http://{host}/r HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].split()[0]
        await reader.readexactly(int(length))
        cell.runs.append((time.perf_counter() - began) * 1000)
    writer.close()


async def _measure(count: int, site: int, started: Callable[[int], Event]) -> Figures:
    end_when_told()
    figures = Figures()
    async with Gateway(uid=Settings().egress_uid) as gateway:
        rules = Rules(exceptions=("localhost:*",))
        neighbour = await gateway.open("neighbour", rules, lambda _: None)
        flooding = await gateway.open("flood", Rules(), figures.note)
        wanted = started(_port(flooding.address))
        for number in range(-1, count):
            works: list[tuple[bool, Cell]] = [(False, figures.quiet), (True, figures.flooded)]
            for flood, cell in works if number % 2 else reversed(works):
                (wanted.set if flood else wanted.clear)()
                # What was under way is over, or has begun.
                await asyncio.sleep(0.6)
                await _asked(_port(neighbour.address), site, cell if number >= 0 else Cell())
        wanted.clear()
    return figures


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


def run(count: int) -> Figures:
    """Measure, with the site and the flood in processes of their own."""
    if Path("/proc/self/net/route").read_text(encoding="ascii").splitlines()[1:]:
        sys.exit("a flood is for a network namespace alone, and this machine made none")
    print("flood", file=sys.stderr, flush=True)
    configure(level="error")
    listener = socket.create_server(("127.0.0.1", 0))
    wanted = _FORK.Event()
    children = [_FORK.Process(target=_site, args=(listener,))]
    children[0].start()

    def started(port: int) -> Event:
        children.append(_FORK.Process(target=_flood, args=(port, wanted)))
        children[-1].start()
        return wanted

    try:
        return asyncio.run(_measure(count, listener.getsockname()[1], started))
    finally:
        for child in children:
            # Forked from one that minds signals, it would not mind that it is told to end.
            child.kill()
            child.join()
        listener.close()


def show(figures: Figures) -> list[str]:
    """Print the figures; what is over its budget."""
    kept = figures.times <= BUDGET
    out = sys.stdout.write
    out(
        f"\nA flood through one way, and a request through another\n{'':28}{'quiet':>9}{'flood':>9}\n"
    )
    out(f"{'median':28}{figures.quiet.median:8.2f} {figures.flooded.median:8.2f} ms\n")
    out(f"{'95th percentile':28}{figures.quiet.p95:8.2f} {figures.flooded.p95:8.2f} ms\n")
    verdict = "ok" if kept else "OVER"
    out(f"{'times as long':28}{figures.times:8.2f}  ≤ {BUDGET:g}  {verdict}\n")
    out(f"{'denied of the flood':28}{figures.denied:8}\n")
    return [] if kept else ["flood"]
