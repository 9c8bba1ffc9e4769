from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from stockade.cli.remote import Answer, Server
from stockade.errors import SessionNotFound, SetupError
from stockade.workspace import Workspace
from tests.support.site import Request, Response, Site


def test_no_server_is_no_error(tmp_path: Path) -> None:
    assert Server.find(tmp_path) is None
    assert Server.find(tmp_path / "none") is None


def test_a_server_that_is_not_ready_is_one(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "w")
    workspace.lock()
    try:
        with pytest.raises(SetupError, match="not ready"):
            Server.find(workspace.path)
        workspace.write("admin.token", b"stk_a_b\n")
        for broken in (b"{", b"[]", b"{}", b"\xff"):
            workspace.write("server.json", broken)
            with pytest.raises(SetupError, match="not ready"):
                Server.find(workspace.path)
        workspace.write("server.json", json.dumps({"url": "http://127.0.0.1:1"}).encode())
        assert Server.find(workspace.path) == Server("http://127.0.0.1:1", "stk_a_b")
    finally:
        workspace.unlock()
    assert Server.find(workspace.path) is None


async def test_the_token_is_sent_and_names_are_quoted(site: Site) -> None:
    async def answer(request: Request) -> Response:
        assert request.headers["authorization"] == "Bearer stk_a_b"
        return Response(json.dumps({"ok": True, "body": json.loads(request.body)}))

    site.route("/v1/sessions/a%20b/tools/click", answer)
    server = Server(site.url("").rstrip("/"), "stk_a_b")
    answered = await asyncio.to_thread(server.call, "a b", "click", {"ref": "e1"})
    assert answered == Answer(200, {"ok": True, "body": {"ref": "e1"}})


async def test_an_answer_that_is_no_json_is_no_traceback(site: Site) -> None:
    site.page("/health", "<p>hello")
    server = Server(site.url("").rstrip("/"), "x")
    with pytest.raises(SetupError, match="does not answer"):
        await asyncio.to_thread(server.health)
    with pytest.raises(SetupError, match="does not answer"):
        await asyncio.to_thread(Server("http://127.0.0.1:1", "x").health)


def test_a_refusal_is_an_error_of_ours() -> None:
    body = {"ok": False, "error": "gone", "code": "session_not_found", "hint": "open it"}
    with pytest.raises(SessionNotFound, match="gone") as caught:
        Answer(404, body).or_fail()
    assert caught.value.hint == "open it"
    assert Answer(200, {"a": 1}).or_fail() == {"a": 1}
