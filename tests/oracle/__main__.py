"""Ask Playwright about every document and record its answers: `make oracle`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from typing import Final

from tests.oracle.answers import entries, merge
from tests.oracle.corpus import VIEWPORT, Document, Element, Golden, documents, mounts
from tests.support.browsers import HEADLESS_SHELL
from tests.support.site import Site

UID: Final = 61001
FLAGS: Final = [
    "--site-per-process",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DEADLINE_MS: Final = 120_000


async def ask(wanted: list[Document]) -> None:
    """Print one line of JSON per document: what Playwright says it holds."""
    from playwright.async_api import async_playwright  # noqa: PLC0415 - of `make oracle` alone

    width, height = VIEWPORT
    async with Site.serve() as site, async_playwright() as playwright:
        for prefix, folder in mounts().items():
            site.files(prefix, folder)
        browser = await playwright.chromium.launch(
            executable_path=HEADLESS_SHELL, chromium_sandbox=True, args=FLAGS
        )
        for document in wanted:
            page = await browser.new_page(viewport={"width": width, "height": height})
            await page.goto(site.url(document.url_path), wait_until="load")
            body = page.locator("body")
            ai = await body.aria_snapshot(mode="ai", timeout=DEADLINE_MS)
            full = await body.aria_snapshot(timeout=DEADLINE_MS)
            print(json.dumps(merge(entries(ai), entries(full))), flush=True)  # noqa: T201
            await page.close()
        await browser.close()


def run_unprivileged(command: list[str]) -> str:
    """What a command prints that runs where the browser's sandbox works."""
    with tempfile.TemporaryDirectory() as home:
        if os.geteuid() == 0:
            os.chown(home, UID, UID)
            ids = [f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
            command = ["setpriv", *ids, *command]
        environment = {**os.environ, "HOME": home, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout


def record(wanted: list[Document]) -> None:
    """Run `ask` where the browser's sandbox works, and write down what it prints."""
    command = [sys.executable, "-m", "tests.oracle", "--ask", *(doc.title for doc in wanted)]
    answers = run_unprivileged(command).splitlines()
    oracle = f"playwright {version('playwright')}"
    for document, answer in zip(wanted, answers, strict=True):
        elements = [Element(*pair) for pair in json.loads(answer)]
        Golden(document.package, document.version, document.sha256, oracle, elements).write(
            document
        )
        print(f"{len(elements):6} {document.title}")  # noqa: T201


def main(arguments: list[str]) -> None:
    """With `--ask`, be the unprivileged half. Titles narrow the work to those documents."""
    titles = [argument for argument in arguments if argument != "--ask"]
    here = [doc for doc in documents() if doc.sha256 and (not titles or doc.title in titles)]
    if "--ask" in arguments:
        asyncio.run(ask(here))
    else:
        record(here)


if __name__ == "__main__":
    main(sys.argv[1:])
