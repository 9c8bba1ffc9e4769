"""Jails: from nothing to a page that was given cookies, beside a bare recipe and no jail at all.

The bare recipe is bubblewrap around the browser and nothing else: no network namespace, no proxy, no
limits, no folders, nothing that sees to its end. Each round does all of them in turn.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.figures import Cell
from bench.machine import end_when_told
from stockade.config import Settings
from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Context
from stockade.engines.values import ContextOptions, Cookie, LaunchOptions
from stockade.jails.life import State
from stockade.policy.principal import Principal
from stockade.processes import Process, spawn, unprivileged
from stockade.sessions.manager import Sessions
from tests.support.browsers import BINARIES
from tests.support.leaks import descendants
from tests.support.site import Site
from tests.support.waiting import until

__all__ = ["Figures", "run", "show"]

BUDGET = 1.5
"""Times the bare recipe."""
IDLE, TWO_ORIGINS = 75.0, 130.0
"""MB of one more jail."""
_BARE, _NONE, _JAIL = "bare recipe", "no jail", "jail"
_COOKIES = 20
_JAILS = 4
_UID = 61001
_RECIPE = (
    *("/usr/bin/bwrap", "--unshare-all", "--share-net", "--uid", "1000", "--gid", "1000"),
    *("--die-with-parent", "--new-session", "--hostname", "jail", "--cap-drop", "ALL"),
    *("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"),
    *("--symlink", "usr/lib64", "/lib64", "--dir", "/etc", "--ro-bind", "/etc/fonts", "/etc/fonts"),
    *("--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache", "--proc", "/proc", "--dev", "/dev"),
    *("--tmpfs", "/dev/shm", "--tmpfs", "/tmp", "--dir", "/tmp/home", "--remount-ro", "/"),
    *("--clearenv", "--setenv", "HOME", "/tmp/home", "--setenv", "PATH", "/usr/bin", "--"),
)


class Recipe:
    """The bare recipe, as a room for a browser."""

    profile = Path("/tmp/home/p")

    async def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        del environment
        return spawn(
            unprivileged([*_RECIPE, *argv], _UID),
            environment={"PATH": "/usr/bin"},
            descriptors=descriptors,
        )

    async def destroy(self) -> None:
        """It goes with its process."""


@dataclass
class Figures:
    """Milliseconds of every run, by what it was and by whether a browser waited for it."""

    cold: dict[str, Cell] = field(
        default_factory=lambda: {each: Cell() for each in (_BARE, _NONE, _JAIL)}
    )
    warm: dict[str, Cell] = field(default_factory=lambda: {each: Cell() for each in (_BARE, _JAIL)})
    end: dict[str, Cell] = field(default_factory=lambda: {each: Cell() for each in (_NONE, _JAIL)})
    idle: float = 0.0
    two_origins: float = 0.0

    def summary(self) -> dict[str, Any]:
        return {
            "cold": {name: cell.summary() for name, cell in self.cold.items()},
            "warm": {name: cell.summary() for name, cell in self.warm.items()},
            "end": {name: cell.summary() for name, cell in self.end.items()},
            "idle_mb": self.idle,
            "two_origins_mb": self.two_origins,
        }


async def _smoke(context: Context, site: Site) -> None:
    """Give it its cookies, and see that the page has got them."""
    await context.set_cookies([Cookie(f"c{n}", f"v{n}", "127.0.0.1", "/") for n in range(_COOKIES)])
    page = await context.new_page()
    await page.navigate(site.url("/smoke"), until="load")
    asked = site.requests[-1].headers.get("cookie", "")
    assert f"c{_COOKIES - 1}=" in asked, asked


async def _bare(binary: Path, site: Site, cell: Cell, warm: Cell) -> None:
    began = time.perf_counter()
    browser = await ChromiumEngine().launch(LaunchOptions(binary=binary, room=Recipe()))
    try:
        ready = time.perf_counter()
        await _smoke(await browser.new_context(ContextOptions()), site)
        now = time.perf_counter()
        cell.runs.append((now - began) * 1000)
        warm.runs.append((now - ready) * 1000)
    finally:
        await browser.close(grace=0)


@asynccontextmanager
async def _sessions(binary: Path, level: str, pool: int = 0) -> AsyncIterator[Sessions]:
    with TemporaryDirectory() as folder:
        settings = Settings.model_validate(
            {
                "workspace": folder,
                "isolation": level,
                "chromium": binary,
                "jail_pool": pool,
                "egress_allow": ("127.0.0.1:*", "*.localhost:*"),
            }
        )
        async with Sessions(ChromiumEngine(), settings) as sessions:
            yield sessions


async def _session(sessions: Sessions, name: str, site: Site, cell: Cell, end: Cell | None) -> None:
    began = time.perf_counter()
    session = sessions.open(Principal("bench"), name)
    await _smoke(await session.started(), site)
    now = time.perf_counter()
    cell.runs.append((now - began) * 1000)
    await sessions.close(session)
    if end is not None:
        end.runs.append((time.perf_counter() - now) * 1000)


async def _measure(count: int, binary: Path) -> Figures:
    end_when_told()
    figures = Figures()
    async with Site.serve() as site:
        site.page("/smoke", "<title>Smoke</title>")
        inner = site.other.url("/inner", host="a.localhost")
        site.page("/two", f"<title>Two</title><p>{'x' * 5000}</p><iframe src={inner}></iframe>")
        site.other.page("/inner", "<p>Inner</p>")
        async with (
            _sessions(binary, "process") as plain,
            _sessions(binary, "bwrap") as jailed,
            _sessions(binary, "bwrap", pool=1) as pooled,
        ):
            await _session(pooled, "first", site, Cell(), None)
            for number in range(-1, count):
                spare = Figures()
                to = figures if number >= 0 else spare
                await _ready(pooled)
                await _bare(binary, site, to.cold[_BARE], to.warm[_BARE])
                await _session(plain, f"p{number}", site, to.cold[_NONE], to.end[_NONE])
                await _session(jailed, f"j{number}", site, to.cold[_JAIL], to.end[_JAIL])
                await _ready(pooled)
                await _session(pooled, f"w{number}", site, to.warm[_JAIL], None)
        figures.idle = await _more(binary, "")
        figures.two_origins = await _more(binary, site.url("/two"))
    return figures


async def _ready(sessions: Sessions) -> None:
    """Wait until a jail is ready for whoever comes next."""
    await until(lambda: any(each.life.state is State.READY for each in sessions.jailer.jails))


async def _more(binary: Path, url: str) -> float:
    """What one more jail takes, in MB, with nothing in it or with a page."""
    sizes = []
    async with _sessions(binary, "bwrap") as sessions:
        for number in range(_JAILS):
            session = sessions.open(Principal("bench"), f"m{number}")
            context = await session.started()
            if url:
                await (await context.new_page()).navigate(url, until="load")
            # What was only needed for the start is given back a little later.
            await asyncio.sleep(1)
            sizes.append(sum(_share(each.pid) for each in sessions.browsers.alive))
    return (sizes[-1] - sizes[0]) / (_JAILS - 1)


def _share(pid: int) -> float:
    total = 0
    for each in (pid, *(below.pid for below in descendants(pid))):
        try:
            rows = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        total += next((int(row.split()[1]) for row in rows if row.startswith("Pss:")), 0)
    return total * 1024 / 1_000_000


def run(count: int, binary: str) -> Figures:
    """Measure."""
    print("jails", file=sys.stderr, flush=True)
    return asyncio.run(_measure(count, BINARIES[binary]))


def show(figures: Figures) -> list[str]:
    """Print the figures; what is over its budget."""
    out, over = sys.stdout.write, []
    out(f"\nFrom nothing to a page with {_COOKIES} cookies, median (least to 95th percentile)\n")
    for name, cells in (("cold", figures.cold), ("warm", figures.warm), ("its end", figures.end)):
        for who, cell in cells.items():
            spread = f"({cell.least:.0f} to {cell.p95:.0f})"
            out(f"  {name:8} {who:14}{cell.median:8.0f} ms {spread}\n")
    for name, cells in (("cold", figures.cold), ("warm", figures.warm)):
        times = cells[_JAIL].median / cells[_BARE].median
        kept = times <= BUDGET
        out(f"  {name:8} {'times bare':14}{times:8.2f}    ≤ {BUDGET:g}  {_word(kept)}\n")
        over += [] if kept else [f"jails: {name}"]
    rows = (
        ("one more, idle", figures.idle, IDLE),
        ("with a page", figures.two_origins, TWO_ORIGINS),
    )
    for name, size, most in rows:
        out(f"  {name:23}{size:8.0f} MB ≤ {most:g}  {_word(size <= most)}\n")
        over += [] if size <= most else [f"jails: {name}"]
    return over


def _word(kept: bool) -> str:  # noqa: FBT001
    return "ok" if kept else "OVER"
