"""Examination: a browser is used, and leaves no trace of it."""

from __future__ import annotations

import os
import signal

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Browser
from stockade.engines.values import LaunchOptions
from stockade.sessions import examination
from stockade.sessions.examination import Finding, examine
from tests.support.browsers import HEADLESS_SHELL


async def test_one_that_works(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    before = await browser.devtools.send("Target.getBrowserContexts", {})
    assert await examine(browser) == Finding()
    assert await browser.devtools.send("Target.getBrowserContexts", {}) == before
    monkeypatch.setattr(examination, "_WORK_PATIENCE", 0.0)
    slow = await examine(browser)
    assert (slow.well, slow.answers) == (False, True)


async def test_one_that_hangs_and_one_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "_ANSWER_PATIENCE", 0.3)
    browser = await ChromiumEngine().launch(LaunchOptions(binary=HEADLESS_SHELL))
    try:
        os.kill(browser.pid, signal.SIGSTOP)
        silent = await examine(browser)
    finally:
        await browser.close(grace=0)
    gone = await examine(browser)
    assert [(each.well, each.answers) for each in (silent, gone)] == [(False, False)] * 2
