"""Browsers for tests: one process per binary and worker, a fresh context per test."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stockade.config import Settings
from stockade.egress.gateway import Gateway
from stockade.egress.protocol import Rules
from stockade.engines.cdp import ChromiumEngine, launch
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import ContextOptions, LaunchOptions, Proxy
from stockade.jails.bwrap import BwrapJail, Measures
from stockade.jails.cgroups import Groups
from stockade.jails.port import WAY
from tests.support.levels import LEVEL
from tests.support.site import LOOPBACK

HEADLESS_SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
FULL_CHROMIUM = Path("/usr/lib/chromium/chromium")
BINARIES = {"shell": HEADLESS_SHELL, "full": FULL_CHROMIUM}


@pytest.fixture(scope="session", autouse=True)
def _no_renderer_in_waiting() -> Iterator[None]:
    """Start no process that waits for the next site: a test ends before it is of any use."""
    with pytest.MonkeyPatch.context() as patch:
        spared = (*launch._DISABLED_FEATURES, "SpareRendererForSitePerProcess")
        patch.setattr(launch, "_DISABLED_FEATURES", spared)
        yield


@asynccontextmanager
async def beside(binary: Path) -> AsyncIterator[Browser]:
    """A browser beside us."""
    browser = await ChromiumEngine().launch(LaunchOptions(binary=binary))
    yield browser
    await browser.close()


@asynccontextmanager
async def jailed(binary: Path) -> AsyncIterator[Browser]:
    """A browser in a jail as large as all tests together want it, with a way to their sites."""
    measures = Measures(memory=0, tasks=0, cpu=0)
    jail = BwrapJail(secrets.token_hex(6), LaunchOptions.uid, measures, Groups.found())
    options = LaunchOptions(binary=binary, room=jail, proxy=Proxy(f"http://127.0.0.1:{WAY}"))
    browser = await ChromiumEngine().launch(options)
    async with Gateway(uid=Settings().egress_uid) as gateway:
        rules = Rules(exceptions=tuple(LOOPBACK.split(",")))
        await gateway.open("tests", rules, lambda _: None, jail.listeners[0])
        yield browser
        await browser.close()


_started = jailed if LEVEL == "bwrap" else beside


@pytest.fixture(scope="session")
async def _shell() -> AsyncIterator[Browser]:
    async with _started(HEADLESS_SHELL) as browser:
        yield browser


@pytest.fixture(scope="session")
async def _full() -> AsyncIterator[Browser]:
    async with _started(FULL_CHROMIUM) as browser:
        yield browser


@pytest.fixture
def browser(_shell: Browser) -> Browser:
    """The default browser: the headless shell."""
    return _shell


@pytest.fixture(scope="session")
async def _shell_beside() -> AsyncIterator[Browser]:
    async with beside(HEADLESS_SHELL) as browser:
        yield browser


@pytest.fixture
def unjailed(request: pytest.FixtureRequest) -> Browser:
    """The default browser, in no jail whatever the level is."""
    name = "_shell_beside" if LEVEL == "bwrap" else "_shell"
    chosen: Browser = request.getfixturevalue(name)
    return chosen


@pytest.fixture
def full_browser(_full: Browser) -> Browser:
    """Full Chromium, without a window."""
    return _full


@pytest.fixture(params=["shell", "full"])
def either_browser(request: pytest.FixtureRequest) -> Browser:
    """Each of the two binaries in turn: what a contract test takes as its engine."""
    chosen: Browser = request.getfixturevalue(f"_{request.param}")
    return chosen


@pytest.fixture
def context_options() -> ContextOptions:
    """What the `context` of a test is made with; override it in a module or parametrize."""
    return ContextOptions()


@pytest.fixture
async def context(browser: Browser, context_options: ContextOptions) -> AsyncIterator[Context]:
    """A fresh context of the headless shell."""
    context = await browser.new_context(context_options)
    yield context
    if browser.alive:
        await context.close()


@pytest.fixture
async def page(context: Context) -> Page:
    """An empty tab of the headless shell."""
    return await context.new_page()


@pytest.fixture
async def either_context(
    either_browser: Browser, context_options: ContextOptions
) -> AsyncIterator[Context]:
    """A fresh context of each binary in turn."""
    context = await either_browser.new_context(context_options)
    yield context
    if either_browser.alive:
        await context.close()


@pytest.fixture
async def either_page(either_context: Context) -> Page:
    """An empty tab of each binary in turn."""
    return await either_context.new_page()


def writable_by_browser(path: Path) -> Path:
    """Make a directory that the browser's uid may use, with its parents passable."""
    path.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        os.chown(path, LaunchOptions.uid, LaunchOptions.uid)
    for parent in path.parents:
        if parent == Path("/tmp") or parent == parent.parent:
            break
        parent.chmod(parent.stat().st_mode | 0o011)
    return path
