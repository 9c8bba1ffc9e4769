"""A page that calls everything it can find answers no question."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.gate.web import PAGES
from tests.support.serving import Served, served
from tests.support.site import Request, Response, Site
from tests.support.waiting import until


async def title(server: Served) -> str:
    rows: list[dict[str, Any]] = (await server.call("tabs")).json()["tabs"]
    return str(rows[0]["title"])


@pytest.mark.parametrize("no_auth", [False, True], ids=["tokens", "open"])
async def test_a_page_answers_nothing_whatever_it_calls(
    site: Site,
    tmp_path: Path,
    no_auth: bool,
) -> None:
    """Also where nobody needs a token, because no page gets to the server."""
    told: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    async def ready(_: Request) -> Response:
        return Response(json.dumps(await told), content_type="application/json")

    site.route("/ready", ready)
    html = (PAGES / "everything.html").read_text(encoding="utf-8")
    site.page("/page", html)
    async with served(
        tmp_path / "workspace",
        no_auth=no_auth,
        confirm_required=("tool:click",),
        approval_wait=0.01,
        toolsets=("all",),
        max_tabs_per_session=3,
    ) as server:
        await server.call("navigate", url=site.url("/page"))
        question = (await server.call("click", selector="#go")).json()["approval"]
        hosts = ("127.0.0.1", "localhost", "[::1]")
        places = [f"http://{host}:{server.port}" for host in hosts]
        told.set_result({"places": [*places, site.other.url("")], "question": question})

        async def has_tried() -> bool:
            return bool(re.fullmatch(r"tried \d{3,}", await title(server)))

        await until(has_tried)
        # It did get out, where it may.
        assert site.other.asked(f"/v1/approvals/{question}")
        one = (await server.client.get(f"/v1/approvals/{question}")).json()["approval"]
        assert (one["state"], one.get("answeredBy")) == ("pending", None)
        granted = await server.client.post("/v1/tools/list_approvals", json={})
        assert granted.json()["approvals"] == []

        async def still_waits() -> bool:
            again = (await server.call("click", selector="#go", approval=question)).json()
            # What the page asked for is told first.
            assert again["code"] in {"approval_pending", "page_asked"}, again
            return bool(again["code"] == "approval_pending")

        await until(still_waits)
        assert await title(server) != "pressed"
