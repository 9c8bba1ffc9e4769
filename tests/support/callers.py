"""A caller of tools: a kernel with a real browser, and a principal of its own for every test."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pytest

from stockade.config import load
from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import Reply
from stockade.kernel.shapes import check
from stockade.masking.scopes import SERVER, of_tenant
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.levels import LEVEL
from tests.support.site import Site

_numbers = count(1)


@dataclass(frozen=True)
class Caller:
    """Someone with a key, and short ways to call tools."""

    kernel: Kernel
    principal: Principal
    site: Site
    toolsets: frozenset[str] | None = None

    async def reply(self, tool: str, /, **arguments: Any) -> Reply:
        """Make a call."""
        return await self.kernel.call(self.principal, tool, arguments, toolsets=self.toolsets)

    async def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Make a call that must succeed; its data, which must be as the tool promises."""
        reply = await self.reply(tool, **arguments)
        assert reply.ok, reply.text
        if reply.data is not None:
            check(self.kernel.registry.find(tool).gives, reply.data)
        return reply.data or {}

    async def text(self, tool: str, /, **arguments: Any) -> str:
        """Make a call that must succeed; its text."""
        reply = await self.reply(tool, **arguments)
        assert reply.ok, reply.text
        return reply.text

    async def refused(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Make a call that must fail; the error it shows."""
        reply = await self.reply(tool, **arguments)
        assert not reply.ok, reply.text
        body: dict[str, Any] = json.loads(reply.text)
        return body

    async def show(self, html: str, *, path: str = "/page", **arguments: Any) -> dict[str, Any]:
        """Serve `html` and go there."""
        self.site.page(path, html)
        return await self.ok("navigate", url=self.site.url(path), **arguments)

    def another(self, **changes: Any) -> Caller:
        """Somebody else with the same kernel."""
        fresh = {"id": f"key{next(_numbers)}", **changes}
        return replace(self, principal=replace(self.principal, **fresh))


@pytest.fixture(scope="session")
async def kernel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Kernel]:
    """One kernel per worker, its sessions in one browser."""
    workspace = tmp_path_factory.mktemp("workspace")
    async with running_kernel(load(workspace=workspace, isolation=LEVEL)) as kernel:
        yield kernel


@pytest.fixture
async def caller(kernel: Kernel, site: Site) -> AsyncIterator[Caller]:
    """A caller with the default capabilities, whose sessions and secrets end with the test."""
    caller = Caller(kernel, Principal(f"key{next(_numbers)}"), site)
    yield caller
    for session in kernel.sessions.all():
        await kernel.sessions.close(session)
    for scope in (SERVER, of_tenant(caller.principal.tenant)):
        kernel.masker.forget(scope)


@pytest.fixture
def mighty(caller: Caller) -> Caller:
    """A caller with every capability."""
    policy = Policy(capabilities=frozenset(Capability))
    return replace(caller, principal=replace(caller.principal, policy=policy))
