"""Every operation of REST with whatever its schema allows, and with what it does not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from stockade.policy.capabilities import Capability
from tests.fuzz.fuzzing import Effort, Found, fuzz
from tests.support import endpoints
from tests.support.serving import Served, served
from tests.support.shop import open_shop
from tests.support.site import Site
from tests.support.soak import Soak

PARTS = 12
"""The tools are tried in parts, so that none takes long even at full length."""
_TOOL = re.compile(r"/tools/[a-z]\w*$")


@dataclass(frozen=True)
class Ground:
    """A server whose pages are those of one site, and what it says of itself."""

    server: Served
    home: str
    document: dict[str, Any]

    async def tried(self, effort: Effort, paths: set[str]) -> Found:
        """Try the operations at those paths, while the server and the site go on."""
        arguments = (self.document, self.server.url, self.server.token, self.home, effort)
        return await asyncio.to_thread(fuzz, *arguments, lambda _, path: path in paths)


@pytest.fixture(scope="module")
async def ground(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ground]:
    async with Site.serve() as site:
        endpoints.install(site)
        home = open_shop(site)
        async with served(
            tmp_path_factory.mktemp("workspace"),
            capabilities=tuple(map(str, Capability)),
            allowed_origins=(site.url(""),),
            call_deadline=1,
            approval_wait=1,
            approval_timeout=2,
            queue_wait=1,
            tab_wait=1,
            log_level="error",
        ) as server:
            document = (await server.client.get("/openapi.json")).json()
            yield Ground(server, home, document)


@pytest.mark.soak
async def test_routes_keep_their_promises(ground: Ground, soak: Soak) -> None:
    effort = Effort(soak.rounds(100), seed=soak.seed if soak.full else None, coverage=True)
    paths = {
        path
        for path, item in ground.document["paths"].items()
        if not _TOOL.search(path) and not _is_tabs(item)
    }
    found = await ground.tried(effort, paths)
    assert "\n".join(found.problems) == ""
    assert {200, 201, 404, 405, 409, 415, 422} <= found.statuses.keys()
    assert (await ground.server.client.get("/health")).status_code == 200


def _is_tabs(item: dict[str, Any]) -> bool:
    return any(operation["tags"] == ["tabs"] for operation in item.values())


@pytest.mark.soak
async def test_the_tab_api_keeps_its_promises(ground: Ground, soak: Soak) -> None:
    effort = Effort(
        soak.rounds(20),
        seed=soak.seed if soak.full else None,
        coverage=soak.full,
        # Its clients send numbers for names, and more than there is to say.
        strict=False,
        accepted=("2xx", "3xx", "400", "403", "404", "409", "410", "413", "422", "429", "5xx"),
    )
    paths = {path for path, item in ground.document["paths"].items() if _is_tabs(item)}
    found = await ground.tried(effort, paths)
    assert "\n".join(found.problems) == ""
    assert {200, 400, 404} <= found.statuses.keys()
    assert (await ground.server.client.get("/health")).status_code == 200


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
async def test_tools_keep_their_promises(ground: Ground, soak: Soak, part: int) -> None:
    await ground.server.client.delete("/v1/sessions/default")
    await ground.server.call("navigate", url=ground.home)
    effort = Effort(
        soak.rounds(20),
        seed=soak.seed if soak.full else None,
        coverage=soak.full,
        # Models write numbers as texts; tools take what can only mean one thing.
        strict=False,
    )
    tools = sorted(filter(_TOOL.search, ground.document["paths"]))
    # It does nothing but wait for a person, of whom there is none.
    paths = {each for each in tools[part::PARTS] if not each.endswith("/await_human")}
    found = await ground.tried(effort, paths)
    assert "\n".join(found.problems) == ""
    assert len(found.seconds) >= len(paths)
    assert (await ground.server.client.get("/health")).status_code == 200
