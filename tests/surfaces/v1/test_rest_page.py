"""docs/rest.md: what it shows works, and it shows every address."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from stockade.kernel.news import KINDS
from stockade.tools.examples import SHOP
from tests.support.serving import Served
from tests.support.shop import open_shop
from tests.support.site import Site

PAGE = (Path(__file__).parents[3] / "docs" / "rest.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w+)( skip)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WAIT = 60.0


async def run(script: str, server: Served) -> str:
    """Run the commands of the page, one after another."""
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-euo",
        "pipefail",
        "-c",
        script,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "URL": server.url, "TOKEN": server.token},
    )
    async with asyncio.timeout(_WAIT):
        told, problems = await process.communicate()
    assert process.returncode == 0, (script, problems.decode())
    return told.decode()


def compare(shown: Any, real: Any, place: str = "") -> None:
    """What the page shows is there: the same names, kinds and, but for ids and the like, values."""
    if isinstance(shown, dict):
        assert isinstance(real, dict), place
        for name, part in shown.items():
            assert name in real, f"{place}.{name}"
            compare(part, real[name], f"{place}.{name}")
    elif isinstance(shown, list):
        assert isinstance(real, list), place
        for number, part in enumerate(shown):
            compare(part, real[number], f"{place}[{number}]")
    else:
        assert type(shown) is type(real), place
        if not isinstance(shown, str) or re.fullmatch(r"[a-z.]{1,12}", shown):
            assert shown == real, place


async def test_the_commands_do_what_the_page_says(mighty_server: Served, site: Site) -> None:
    open_shop(site)
    blocks = [found for found in _BLOCK.findall(PAGE) if not found[1]]
    told = ""
    for kind, _, text in blocks:
        named = text.replace(SHOP, site.url(""))
        if kind == "sh":
            told = await run(named, mighty_server)
            assert '"code":"unauthenticated"' not in told
        elif kind == "json":
            compare(json.loads(named), json.loads(told))
        else:
            for line in named.splitlines():
                start = re.match(r"(event: |retry: |HTTP/|idempotency-).*", line)
                assert start is None or start[0] in told.replace("\r", ""), told
    assert len([kind for kind, _, _ in blocks if kind == "sh"]) > 10


async def test_every_address_is_on_the_page(mighty_server: Served) -> None:
    paths = (await mighty_server.client.get("/openapi.json")).json()["paths"]
    tools = re.compile(r"/tools/[a-z]\w*$")
    wanted = {
        f"{method.upper()} {path}"
        for path, item in paths.items()
        for method, operation in item.items()
        if not tools.search(path) and operation["tags"] != ["tabs"]
    }
    assert set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", PAGE, re.MULTILINE)) == wanted


@pytest.mark.parametrize("kind", [*KINDS, "gap"])
def test_every_event_is_on_the_page(kind: str) -> None:
    assert f"`{kind}`" in PAGE
