"""REST under /v1."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import httpx
import pytest

from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import Link, Reply
from stockade.media.picture import Picture
from stockade.surfaces.v1.calls import told
from tests.support.serving import WAIT_SECONDS, Served, until
from tests.support.site import Site


async def opened(server: Served, site: Site, html: str) -> None:
    site.page("/page", html)
    answer = await server.call("navigate", url=site.url("/page"))
    assert answer.status_code == 200, answer.text


def address_of(uri: str) -> str:
    return f"/v1/artifacts/{uri.removeprefix('stockade://')}"


def test_a_reply_with_pictures_and_links_as_json() -> None:
    reply = Reply(
        "call_1",
        ok=True,
        text="seen",
        images=(Picture(b"abc", "png"),),
        links=(
            Link("stockade://ses_1/downloads/f", "a.pdf", "application/pdf", 7),
            Link("https://example.com/", "elsewhere", "text/html"),
        ),
    )
    response = told(reply)
    assert response.headers["stockade-call"] == "call_1"
    assert json.loads(bytes(response.body)) == {
        "ok": True,
        "text": "seen",
        "images": [{"mimeType": "image/png", "data": "YWJj"}],
        "links": [
            {
                "uri": "stockade://ses_1/downloads/f",
                "name": "a.pdf",
                "mimeType": "application/pdf",
                "size": 7,
                "href": "/v1/artifacts/ses_1/downloads/f",
            },
            {"uri": "https://example.com/", "name": "elsewhere", "mimeType": "text/html"},
        ],
    }


async def test_tools_are_described(server: Served) -> None:
    body = (await server.client.get("/v1/tools")).json()
    assert body["ok"] is True
    tools = {each["name"]: each for each in body["tools"]}
    navigate = tools["navigate"]
    assert navigate["capability"] == "navigation"
    assert navigate["toolset"] == "core"
    assert navigate["description"]
    assert navigate["inputSchema"]["properties"]["url"]["type"] == "string"
    assert tools["list_sessions"]["capability"] is None
    assert "eval_js" not in tools


async def test_a_call_answers_with_its_data_and_its_id(server: Served, site: Site) -> None:
    site.page("/page", "<title>Hello</title><button>Go</button>")
    answer = await server.call("navigate", url=site.url("/page"))
    assert answer.status_code == 200
    assert answer.json()["ok"] is True
    assert answer.headers["stockade-call"].startswith("call_")
    assert answer.headers["content-type"] == "application/json"


async def test_a_call_that_answers_in_text(server: Served, site: Site) -> None:
    await opened(server, site, "<button>Buy – jetzt</button>")
    body = (await server.call("snapshot")).json()
    assert body["ok"] is True
    assert 'button "Buy – jetzt" [' in body["text"]


async def test_pictures_come_with_the_answer_and_can_be_fetched(server: Served, site: Site) -> None:
    await opened(server, site, "<body style='background:teal'>")
    body = (await server.call("screenshot")).json()
    image = body["images"][0]
    assert image["mimeType"] == "image/jpeg"
    data = base64.b64decode(image["data"])
    assert data.startswith(b"\xff\xd8")
    fetched = await server.client.get(address_of(body["uri"]))
    assert fetched.status_code == 200
    assert fetched.headers["content-type"] == "image/jpeg"
    assert fetched.headers["content-disposition"].startswith("attachment")
    assert fetched.headers["content-security-policy"].startswith("sandbox")
    assert len(fetched.content) == body["bytes"]


async def test_the_session_is_the_one_in_the_address(server: Served) -> None:
    assert (await server.call("tabs", "side")).status_code == 404
    assert (await server.call("open_session", "side")).status_code == 200
    assert (await server.call("tabs", "side")).json()["ok"] is True
    for named, status in (("side", 200), ("default", 422)):
        answer = await server.client.post("/v1/sessions/side/tools/tabs", json={"session": named})
        assert answer.status_code == status
    listed = (await server.client.get("/v1/sessions")).json()["sessions"]
    assert "side" in {each["id"] for each in listed}
    assert (await server.client.delete("/v1/sessions/side")).json()["ok"] is True
    assert (await server.client.delete("/v1/sessions/side")).status_code == 404


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "code"),
    [
        ("no_such_tool", {}, 404, "unknown_tool"),
        ("eval_js", {}, None, None),
        ("tabs", {"nonsense": "s3cret-value"}, 422, "invalid_argument"),
        ("tabs", {"action": ["s3cret-value"]}, 422, "invalid_argument"),
        ("tabs", {"action": "select", "tab": "t99"}, 404, "tab_not_found"),
        ("click", {"ref": "e9999"}, 409, "stale_ref"),
        ("navigate", {"url": "file:///etc/passwd"}, 403, "address_denied"),
        ("navigate", {"url": "http://[s3cret-value"}, 422, "invalid_argument"),
        ("list_sessions", {"s3cret-value": 1}, 422, "invalid_argument"),
    ],
)
async def test_errors_have_the_status_of_their_code(
    server: Served, tool: str, arguments: dict[str, Any], status: int | None, code: str | None
) -> None:
    if status is None:
        known = (await server.client.get("/v1/tools")).json()["tools"]
        assert tool not in {each["name"] for each in known}
        return
    answer = await server.client.post(f"/v1/sessions/default/tools/{tool}", json=arguments)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (status, code), body
    assert body["ok"] is False
    assert body["failure"]["source"]
    assert answer.headers["stockade-call"].startswith("call_")
    assert "s3cret" not in answer.text.replace("s3cret-value:", "")


@pytest.mark.parametrize("body", ["[]", "1", '"x"', "null"])
async def test_arguments_are_an_object_or_nothing(server: Served, body: str) -> None:
    answer = await server.client.post(
        "/v1/sessions/default/tools/list_sessions",
        content=body,
        headers={"content-type": "application/json"},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_argument")
    bare = await server.client.post("/v1/sessions/default/tools/list_sessions")
    assert bare.status_code == 200


async def test_a_client_that_leaves_takes_its_call_with_it(
    server: Served, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    async with asyncio.TaskGroup() as group:
        call = group.create_task(server.call("navigate", url=site.url("/never")))
        await site.wait_asked("/never")
        call.cancel()
    log = ""

    def ended() -> bool:
        nonlocal log
        log += capsys.readouterr().err
        return '"outcome":"cancelled"' in log and '"status":499' in log

    await until(ended)
    rows = [json.loads(line) for line in log.splitlines()]
    row = next(each for each in rows if each.get("outcome") == "cancelled")
    line = next(each for each in rows if each.get("status") == 499)
    assert row["reqId"] == line["reqId"]
    # The tab is free for the next call.
    async with asyncio.timeout(WAIT_SECONDS):
        assert (await server.call("tabs")).status_code == 200


async def test_calls_of_several_clients_run_side_by_side(server: Served, site: Site) -> None:
    gate = asyncio.Event()
    site.page("/slow", "late", delay=gate)
    _, other = await server.key(name="neighbour")
    async with asyncio.TaskGroup() as group:
        slow = group.create_task(server.call("navigate", url=site.url("/slow")))
        await site.wait_asked("/slow")
        quick: httpx.Response = await server.call("tabs", headers=other)
        assert quick.status_code == 200
        assert not slow.done()
        gate.set()
    assert slow.result().status_code == 200


async def test_a_script_that_never_ends_is_ended_with_the_client_that_left(
    mighty_server: Served, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.page("/busy", "<title>Busy</title>")
    await mighty_server.call("navigate", url=site.url("/busy"))
    script = "fetch('/begun'); for (;;);"
    async with asyncio.TaskGroup() as group:
        call = group.create_task(mighty_server.call("eval_js", expr=script))
        await site.wait_asked("/begun")
        call.cancel()
    async with asyncio.timeout(WAIT_SECONDS):
        answer = await mighty_server.call("eval_js", expr="document.title")
    assert answer.json()["value"] == "Busy"
    assert '"outcome":"cancelled"' in capsys.readouterr().err


@pytest.mark.parametrize("path", ["/v1/sessions/default/tools/navigate", "/tabs"])
async def test_who_leaves_does_not_interrupt_the_cleaning_up(
    mighty_server: Served, site: Site, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """It is cancelled once, so that what it awaits to clean up is done to its end."""
    cleaned_up = asyncio.Event()
    make_call = Kernel.call

    async def call(*arguments: Any, **more: Any) -> Reply:
        try:
            return await make_call(*arguments, **more)
        finally:
            for _ in range(10):
                await asyncio.sleep(0)
            cleaned_up.set()

    monkeypatch.setattr(Kernel, "call", call)
    given = {"url": site.url("/never"), "userId": "u", "sessionKey": "k"}
    if path != "/tabs":
        given = {"url": site.url("/never")}
    async with asyncio.TaskGroup() as group:
        sent = group.create_task(mighty_server.client.post(path, json=given))
        await site.wait_asked("/never")
        sent.cancel()
    async with asyncio.timeout(WAIT_SECONDS):
        await cleaned_up.wait()
