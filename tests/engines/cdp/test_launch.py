"""Starting Chromium."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from stockade.engines.cdp.launch import (
    ChromiumEngine,
    find_binary,
    find_full_binary,
    flags,
    is_headless_shell,
)
from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions, LaunchOptions, World
from stockade.errors import LaunchFailed
from tests.support.browsers import FULL_CHROMIUM, HEADLESS_SHELL, writable_by_browser
from tests.support.levels import only_beside
from tests.support.site import Site

PROFILE = Path("profile")


def test_the_headless_shell_is_preferred() -> None:
    assert find_binary() == HEADLESS_SHELL
    assert is_headless_shell(HEADLESS_SHELL)
    assert not is_headless_shell(FULL_CHROMIUM)
    assert find_full_binary() == FULL_CHROMIUM


def test_the_flags_keep_the_sandbox_and_open_no_port() -> None:
    for binary in (HEADLESS_SHELL, FULL_CHROMIUM):
        chosen = flags(binary, PROFILE, LaunchOptions())
        assert "--remote-debugging-pipe" in chosen
        assert "--site-per-process" in chosen
        assert "--disable-background-networking" in chosen
        assert not any(
            flag.startswith(("--no-sandbox", "--remote-debugging-port", "--disable-setuid"))
            for flag in chosen
        )
    assert "--headless=new" in flags(FULL_CHROMIUM, PROFILE, LaunchOptions())
    assert "--headless=new" not in flags(HEADLESS_SHELL, PROFILE, LaunchOptions())
    shown = flags(FULL_CHROMIUM, PROFILE, LaunchOptions(headless=False))
    assert "--headless=new" not in shown


async def test_without_web_security_a_page_reads_another_origin(
    browser: Browser, site: Site
) -> None:
    """The setting has an effect, and only where it is set."""
    site.page("/", "<p>hello</p>")
    site.other.page("/private", "the other's")
    look = "url => fetch(url).then((answer) => answer.text(), () => 'refused')"
    insecure = await ChromiumEngine().launch(LaunchOptions(binary=HEADLESS_SHELL, insecure=True))
    said = []
    for each in (browser, insecure):
        context = await each.new_context(ContextOptions())
        page = await context.new_page()
        await page.navigate(site.url("/"))
        said.append(await page.main_frame.call(look, site.other.url("/private"), world=World.MAIN))
        await context.close()
    await insecure.close()
    assert said == ["refused", "the other's"]
    chosen = flags(HEADLESS_SHELL, PROFILE, LaunchOptions(insecure=True))
    assert "--site-per-process" not in chosen
    assert not any("no-sandbox" in flag for flag in chosen)


async def test_a_browser_that_does_not_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(writable_by_browser(tmp_path)))
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho no display today >&2\nexit 7\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(LaunchFailed) as caught:
        await ChromiumEngine().launch(LaunchOptions(binary=broken))
    assert "no display today" in caught.value.details["output"]
    assert caught.value.details["code"] == 7
    assert list(tmp_path.iterdir()) == [broken]


@only_beside
async def test_the_sandbox_is_on(either_browser: Browser) -> None:
    """Every renderer is behind seccomp, and as root the browser is not."""
    context = await either_browser.new_context(ContextOptions())
    await context.new_page()
    status = Path(f"/proc/{either_browser.pid}/status").read_text(encoding="utf-8")
    uids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert "0" not in uids
    assert _renderers_of(either_browser.pid)
    async with asyncio.timeout(10):
        # A spare renderer may have been born a moment ago, and locks itself in before it works.
        while not all(map(_locked_in, _renderers_of(either_browser.pid))):
            await either_browser.ping()
    await context.close()


def _renderers_of(browser: int) -> list[Path]:
    return [
        entry
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and _is_renderer_of(entry, browser)
    ]


def _locked_in(renderer: Path) -> bool:
    try:
        return "\nSeccomp:\t2\n" in (renderer / "status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return True


def _is_renderer_of(entry: Path, browser: int) -> bool:
    try:
        command = (entry / "cmdline").read_bytes()
        session = int((entry / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[3])
    except (FileNotFoundError, ProcessLookupError):
        return False
    return b"--type=renderer" in command and session == browser


async def test_not_even_a_service_worker_says_headless(either_page: Page, site: Site) -> None:
    site.page("/sw.js", "", content_type="text/javascript")
    site.page("/", "<script>navigator.serviceWorker.register('/sw.js')</script>")
    await either_page.navigate(site.url("/"))
    asked = await site.wait_asked("/sw.js")
    assert "Headless" not in asked.headers["user-agent"]
    assert "Chrome/" in asked.headers["user-agent"]
