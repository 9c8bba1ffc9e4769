"""Capture pages of real applications as static documents: `python -m tests.oracle.capture [name…]`.

The applications are those of the benchmark, installed and served as it does. A captured page has
no scripts, so that both sides see the same; `make oracle` asks about it as about any other.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

from bench.apps.applications import APPLICATIONS
from tests.oracle.__main__ import FLAGS, run_unprivileged
from tests.oracle.corpus import PAGES, VIEWPORT
from tests.support.browsers import HEADLESS_SHELL

SCRIPT: Final = Path(__file__).with_suffix(".js")

Reach = Callable[[Any], Awaitable[None]]
"""What is done on a page before it is captured."""


async def _as_it_is(page: Any) -> None:
    await page.wait_for_timeout(500)


def _click(*selectors: str) -> Reach:
    async def reach(page: Any) -> None:
        for selector in selectors:
            await page.locator(selector).first.click()
        await page.wait_for_timeout(1000)

    return reach


def _wait(text: str, *selectors: str) -> Reach:
    async def reach(page: Any) -> None:
        await page.get_by_text(text).first.wait_for(timeout=60_000)
        await _click(*selectors)(page)

    return reach


async def _log_in(page: Any) -> None:
    await page.locator("#id_username").fill("ada")
    await page.locator("#id_password").fill("lovelace")
    await page.keyboard.press("Enter")
    await page.locator(".model-book .addlink").click()
    await page.locator("#id_title").wait_for()
    await _as_it_is(page)


STATES: Final[Mapping[str, Mapping[str, Reach]]] = {
    "material": {"page": _as_it_is, "date": _click('[aria-label^="Choose date"]')},
    "ant": {"page": _as_it_is, "calendar": _click("#arrival")},
    "shoelace": {"page": _as_it_is},
    "jquery-ui": {"calendar": _click("#date")},
    "flatpickr": {"page": _click("#date")},
    "selects": {"page": _as_it_is},
    "editors": {"page": _as_it_is},
    "monaco": {"page": _as_it_is},
    "gradio": {"page": _wait("Strength")},
    "streamlit": {"page": _wait("With a guide")},
    "django": {"add": _log_in},
    "jupyter": {"notebook": _wait("Markdown File", ".jp-LauncherCard")},
}


async def visit(name: str, state: str, url: str) -> None:
    """Print a page, from a browser that keeps its sandbox."""
    from playwright.async_api import async_playwright  # noqa: PLC0415 - of `make oracle` alone

    width, height = VIEWPORT
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=HEADLESS_SHELL, chromium_sandbox=True, args=FLAGS
        )
        page = await browser.new_page(viewport={"width": width, "height": height})
        await page.goto(url, wait_until="load")
        await STATES[name][state](page)
        print(await page.evaluate(SCRIPT.read_text(encoding="utf-8")))  # noqa: T201
        await browser.close()


async def capture(wanted: list[str]) -> None:
    """Serve one application after the other and write down its pages."""
    for kind in APPLICATIONS:
        states = STATES.get(kind.name, {})
        if not states or (wanted and kind.name not in wanted):
            continue
        suite = kind()
        if why := suite.install(fresh=False):
            print(f"{kind.name}: {why}")  # noqa: T201
            continue
        async with suite.serve():
            for state in states:
                url = await suite.begin(suite.tasks()[0])
                command = [sys.executable, "-m", "tests.oracle.capture", "--visit"]
                text = await asyncio.to_thread(run_unprivileged, [*command, kind.name, state, url])
                path = PAGES / f"{kind.name}-{state}.html"
                path.write_text(text, encoding="utf-8")
                print(f"{len(text.encode()):8} {path.name}")  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:2] == ["--visit"]:
        asyncio.run(visit(*sys.argv[2:]))
    else:
        asyncio.run(capture(sys.argv[1:]))
