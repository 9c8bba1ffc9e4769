"""A server as `--compat` makes it, a site, and short ways to ask for things."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from stockade.kernel.dispatch import Kernel
from stockade.surfaces import app
from tests.support import endpoints
from tests.support.serving import Served, served
from tests.support.site import Site

API, ADMIN = "the-api-key", "the-admin-key"
KEYED = {"authorization": f"Bearer {API}"}
SHOP = """<!doctype html><title>Shop</title><h1>Oats</h1>
<button onclick="this.textContent = 'Bought'">Buy</button>
<button onclick="this.textContent = 'Sold'">Buy now</button>
<input aria-label=Name onkeydown="if (event.key == 'Enter') document.title = this.value">
<input type=file aria-label=Photo><a href="/other">Other</a><img src="/dot.png" alt=Dot>
<p>Count: <b>3</b></p><div style="height: 5000px"></div>"""


@dataclass
class Tabs:
    """A client of the tab API that has nothing but the address."""

    server: Served
    kernel: Kernel
    site: Site
    uploads: Path
    home: str = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.site.url("/shop")

    async def send(self, method: str, path: str, **given: Any) -> httpx.Response:
        return await self.server.stranger.request(method, path, **given)

    async def get(self, path: str, status: int = 200, /, **query: Any) -> dict[str, Any]:
        return self.checked(await self.send("GET", path, params=query), status)

    async def post(self, path: str, status: int = 200, /, **body: Any) -> dict[str, Any]:
        return self.checked(await self.send("POST", path, json=body), status)

    async def delete(self, path: str, status: int = 200, /, **query: Any) -> dict[str, Any]:
        return self.checked(await self.send("DELETE", path, params=query), status)

    async def open(self, path: str = "/shop", user: str = "u", **more: Any) -> str:
        body = {"userId": user, "sessionKey": "s", "url": self.site.url(path), **more}
        return str((await self.post("/tabs", **body))["tabId"])

    async def run(self, tab: str, expression: str, user: str = "u") -> Any:
        done = await self.post(f"/tabs/{tab}/evaluate", userId=user, expression=expression)
        return done.get("result")

    @staticmethod
    def checked(answer: httpx.Response, status: int) -> dict[str, Any]:
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/json"
        body: dict[str, Any] = answer.json()
        if status >= 400:
            assert body["ok"] is False
            assert {"error", "code", "retryable"} <= body.keys()
            assert ("recovery" not in body) or body["retryable"]
        return body


@pytest.fixture(scope="package")
async def tabs_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tabs]:
    """One for all these tests."""
    kernels: list[Kernel] = []
    made = app.web_application

    def noted(parts: app.Parts) -> Any:
        kernels.append(parts.kernel)
        return made(parts)

    uploads = tmp_path_factory.mktemp("uploads")
    async with Site.serve() as site:
        endpoints.install(site)
        site.page("/shop", SHOP)
        site.page("/other", "<title>Other</title><h1>Other</h1>")
        site.page("/dot.png", b"", content_type="image/png")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(app, "web_application", noted)
            async with served(
                tmp_path_factory.mktemp("workspace"),
                compat=True,
                capabilities=("default", "eval", "file-io"),
                api_key=API,
                admin_key=ADMIN,
                uploads_dir=uploads,
                max_sessions=6,
                queue_wait=0.3,
                tab_wait=0.3,
                log_level="error",
            ) as server:
                yield Tabs(server, kernels[0], site, uploads)


@pytest.fixture
async def tabs(tabs_server: Tabs) -> AsyncIterator[Tabs]:
    """The same; what a test leaves open is closed after it."""
    yield tabs_server
    for session in tabs_server.kernel.sessions.all():
        await tabs_server.kernel.sessions.close(session)
