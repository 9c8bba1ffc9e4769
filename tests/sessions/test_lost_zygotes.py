"""A session whose browser has no zygote any more ends with a word about it, and goes on anew."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from stockade.config import load
from stockade.engines.zygotes import zygotes_of
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.site import Site


@pytest.mark.parametrize("level", ["shared", "process", "bwrap"])
async def test_it_says_so_and_the_next_call_has_another_browser(
    site: Site, tmp_path: Path, level: str
) -> None:
    site.page("/a", "<p>Here it is")
    someone = Principal("someone")
    async with running_kernel(load(workspace=tmp_path / "workspace", isolation=level)) as kernel:

        async def go() -> str:
            return (await kernel.call(someone, "navigate", {"url": site.url("/a")})).text

        assert "Here it is" in await go()
        (browser,) = kernel.sessions.browsers.alive
        os.kill(zygotes_of(browser.pid)[-1], signal.SIGKILL)
        await asyncio.wait_for(browser.wait_gone(), 20)
        told = await go()
        assert '"code":"browser_gone"' in told
        assert "zygote" in told
        assert "Here it is" in await go()
        assert kernel.sessions.browsers.restarted == 1


async def test_a_call_that_is_under_way_is_told(site: Site, tmp_path: Path) -> None:
    release = asyncio.Event()
    site.page("/slow", "<p>Late", delay=release)
    site.page("/a", "<p>Here it is")
    someone = Principal("someone")
    async with running_kernel(load(workspace=tmp_path / "workspace", isolation="shared")) as kernel:
        await kernel.call(someone, "navigate", {"url": site.url("/a")})
        (browser,) = kernel.sessions.browsers.alive
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            going = group.create_task(
                kernel.call(someone, "wait_for", {"text": "never", "timeoutMs": 60_000})
            )
            await asyncio.sleep(0)
            os.kill(zygotes_of(browser.pid)[-1], signal.SIGKILL)
            told = (await going).text
        release.set()
        assert '"ok":false' in told
        assert "page_crashed" in told or "zygote" in told
