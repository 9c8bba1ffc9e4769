"""Killing what an engine stands on, at any point of any operation: a typed error, soon, no rest."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.engines.events import LifecycleReached
from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions, LaunchOptions, Point
from stockade.errors import BrowserGone, StockadeError, TabClosed, TabCrashed
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent, init_script
from stockade.scratch import sweep
from tests.support.browsers import BINARIES
from tests.support.leaks import alive
from tests.support.site import Site

SOON = 1.0

HANGING = """<title>Hanging</title><button id=b>Go</button><input id=i aria-label=Text>
<script>b.onclick = () => { b.textContent = 'busy'; const x = new XMLHttpRequest();
x.open('GET', '/never', false); x.send(); }</script>"""


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8")
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
    found, pending = [], [pid]
    while pending:
        one = pending.pop()
        found.append(one)
        pending += parents.get(one, [])
    return found


def processes(browser: Browser, kind: str) -> list[int]:
    """The child processes of one kind."""
    found = []
    for pid in family(browser.pid):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if f"--type={kind}".encode() in command:
            found.append(pid)
    return found


@pytest.fixture(params=["shell", "full"])
async def doomed(request: pytest.FixtureRequest) -> AsyncIterator[Browser]:
    """A browser that the test may kill."""
    browser = await ChromiumEngine().launch(LaunchOptions(binary=BINARIES[request.param]))
    whole = set(family(browser.pid))
    yield browser
    whole |= set(family(browser.pid))
    await browser.close()
    await buried(whole)


async def buried(pids: Iterable[int]) -> None:
    """Wait until none of them is left."""
    async with asyncio.timeout(5):
        while any(alive(pid) for pid in pids):
            await asyncio.to_thread(os.sched_yield)


@pytest.fixture(scope="module")
async def _patients() -> AsyncIterator[dict[str, Browser]]:
    browsers: dict[str, Browser] = {}
    yield browsers
    for browser in browsers.values():
        whole = family(browser.pid)
        await browser.close()
        await buried(whole)


@pytest.fixture(params=["shell", "full"])
async def wounded(request: pytest.FixtureRequest, _patients: dict[str, Browser]) -> Browser:
    """A browser whose renderers the test may kill; the next test has it too, if it lives on."""
    browser = _patients.get(request.param)
    if browser is not None and not browser.alive:
        await browser.close()
    if browser is None or not browser.alive:
        options = LaunchOptions(binary=BINARIES[request.param])
        browser = _patients[request.param] = await ChromiumEngine().launch(options)
    return browser


async def open_page(browser: Browser, site: Site) -> Page:
    site.page("/hanging", HANGING)
    context = await browser.new_context(ContextOptions(init_scripts=(init_script(),)))
    page = await context.new_page()
    await page.navigate(site.url("/hanging"), until="load")
    return page


async def ref_of(agent: PageAgent, selector: str) -> str:
    found = await agent.call(agent.page.main_frame, "select", selector=selector, caller="t")
    return str(found["candidates"][0]["ref"])


async def click(page: Page) -> object:
    agent = PageAgent(page)
    return await Actions(agent).click(await ref_of(agent, "#b"), caller="t", timeout=20)


async def fill(page: Page) -> object:
    agent = PageAgent(page)
    return await Actions(agent).fill(await ref_of(agent, "#i"), "text", caller="t", timeout=20)


OPERATIONS: dict[str, Callable[[Page, Site], Awaitable[object]]] = {
    "navigate": lambda page, site: page.navigate(site.url("/never"), timeout=20),
    "reload": lambda page, _: page.reload(until="load", timeout=20),
    "evaluate": lambda page, _: page.main_frame.call("() => new Promise(() => {})", timeout=20),
    "click": lambda page, _: click(page),
    "fill": lambda page, _: fill(page),
    "screenshot": lambda page, _: page.screenshot(timeout=20),
    "pdf": lambda page, _: page.pdf(timeout=20),
    "mouse": lambda page, _: page.mouse.click(Point(20, 20), timeout=20),
    "cookies": lambda page, _: page.context.cookies(timeout=20),
    "wait": lambda page, _: page.events.wait(
        LifecycleReached, where=lambda event: event.name == "never", timeout=0.5
    ),
    "new_page": lambda page, _: page.context.new_page(timeout=20),
    "close": lambda page, _: page.close(timeout=20),
}


ON_BOTH = ("navigate", "click", "screenshot", "pdf", "new_page", "close")
"""What the two binaries do in ways of their own; the rest is the same conversation with either."""


def deaths(*operations: str, of: str = "doomed") -> pytest.MarkDecorator:
    """Each operation in a browser that can be harmed, those that differ in both kinds of it."""
    cases = [("shell", each) for each in operations]
    cases += [("full", each) for each in operations if each in ON_BOTH]
    return pytest.mark.parametrize((of, "operation"), cases, indirect=[of])


async def outcome(operation: Awaitable[object], kill: Callable[[], None]) -> object:
    """Begin the operation, kill in its midst, and give what came of it."""

    async def run() -> object:
        try:
            return await operation
        except StockadeError as error:
            return error

    async with asyncio.TaskGroup() as group:
        running = group.create_task(run())
        # Enough turns of the loop for its first commands to be on their way.
        for _ in range(3):
            await asyncio.to_thread(os.sched_yield)
        kill()
        async with asyncio.timeout(SOON):
            return await running


OWNER = """import asyncio, sys
from pathlib import Path
from stockade.engines.cdp import ChromiumEngine
from stockade.scratch import sweep
from stockade.engines.values import ContextOptions, LaunchOptions

async def main():
    browser = await ChromiumEngine().launch(LaunchOptions(binary=Path(sys.argv[1])))
    await (await browser.new_context(ContextOptions())).new_page()
    print(browser.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("binary", BINARIES)
async def test_killing_us_ends_the_browser_too(binary: str) -> None:
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OWNER, str(BINARIES[binary]), stdout=asyncio.subprocess.PIPE
    )
    assert owner.stdout is not None
    browser = int(await owner.stdout.readline())
    whole = family(browser)
    assert len(whole) > 2
    command = Path(f"/proc/{browser}/cmdline").read_text(encoding="utf-8")
    profile = Path(command.split("--user-data-dir=")[1].split("\0")[0])
    assert profile.is_dir()
    owner.kill()
    await owner.wait()
    async with asyncio.timeout(30):
        while any(alive(pid) for pid in whole):
            await asyncio.to_thread(os.sched_yield)
    # Another worker's launch may be sweeping it at the same moment.
    async with asyncio.timeout(30):
        while profile.exists():
            await asyncio.to_thread(sweep)


@deaths(*OPERATIONS)
async def test_killing_the_browser(doomed: Browser, site: Site, operation: str) -> None:
    page = await open_page(doomed, site)
    result = await outcome(
        OPERATIONS[operation](page, site), lambda: os.kill(doomed.pid, signal.SIGKILL)
    )
    assert not isinstance(result, StockadeError) or result.code in {
        "browser_gone",
        "tab_closed",
        "page_crashed",
        "timeout",
    }
    await doomed.wait_gone()
    assert not doomed.alive
    with pytest.raises((BrowserGone, TabClosed)):
        await page.main_frame.call("() => 1")
    with pytest.raises(BrowserGone):
        await doomed.new_context(ContextOptions())


async def survived(browser: Browser) -> bool:
    """Whether the browser outlived its renderers.

    Chromium sometimes falls over itself (SIGSEGV) when one dies in the middle of a screenshot;
    then everything says that it is gone.
    """
    try:
        await browser.ping(timeout=5)
    except BrowserGone:
        with pytest.raises(BrowserGone):
            await browser.new_context(ContextOptions())
        return False
    return True


@deaths(*OPERATIONS, of="wounded")
async def test_killing_the_renderer(wounded: Browser, site: Site, operation: str) -> None:
    page = await open_page(wounded, site)

    def kill() -> None:
        for pid in processes(wounded, "renderer"):
            os.kill(pid, signal.SIGKILL)

    result = await outcome(OPERATIONS[operation](page, site), kill)
    assert not isinstance(result, StockadeError) or result.code in {
        "page_crashed",
        "tab_closed",
        "navigation_failed",
        "navigation_race",
        "timeout",
        "engine_error",
        "not_actionable",
        "browser_gone",
    }
    if not await survived(wounded):
        return
    # The session goes on: another tab works, and so does this one after a navigation.
    site.page("/after", "<title>After</title>")
    other = await page.context.new_page()
    await other.navigate(site.url("/after"))
    assert await other.title() == "After"
    await page.context.close()


async def test_a_crashed_tab_says_so_and_comes_back(wounded: Browser, site: Site) -> None:
    page = await open_page(wounded, site)
    waiting = page.main_frame.call("() => new Promise(() => {})")

    def kill() -> None:
        for pid in processes(wounded, "renderer"):
            os.kill(pid, signal.SIGKILL)

    assert isinstance(await outcome(waiting, kill), TabCrashed)
    assert page.crashed
    with pytest.raises(TabCrashed):
        await page.main_frame.call("() => 1")
    site.page("/after", "<title>After</title>")
    await page.navigate(site.url("/after"))
    assert await page.title() == "After"
    assert not page.crashed
    await page.context.close()


ENDLESS = {"navigate", "evaluate", "click"}
"""These wait for something else than the GPU process, for ever."""


@deaths(*sorted(OPERATIONS.keys() - ENDLESS))
async def test_killing_the_gpu_process(doomed: Browser, site: Site, operation: str) -> None:
    page = await open_page(doomed, site)

    def kill() -> None:
        for pid in processes(doomed, "gpu-process"):
            os.kill(pid, signal.SIGKILL)

    result = await outcome(OPERATIONS[operation](page, site), kill)
    assert not isinstance(result, StockadeError) or result.code == "timeout"
    if operation != "close":
        assert await page.main_frame.call("() => 1") == 1
        assert await page.screenshot()
