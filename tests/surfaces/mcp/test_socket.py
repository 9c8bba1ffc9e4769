from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stockade.errors import SetupError
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.surfaces.mcp.address import short
from stockade.surfaces.mcp.socket import listening
from tests.support.callers import Caller
from tests.support.mcp import Speaker, Trial, with_tools, without_sessions

HELLO = {"stockade": 1, "toolsets": None}


@asynccontextmanager
async def server(caller: Caller, path: Path, trial: Trial | None = None) -> AsyncIterator[None]:
    kernel = with_tools(caller.kernel, trial.tools()) if trial is not None else caller.kernel

    def known(client: str) -> Principal:
        return replace(caller.principal, client=client)

    async with asyncio.timeout(60), listening(kernel, path, known):
        yield


@asynccontextmanager
async def client(path: Path, hello: Any = HELLO) -> AsyncIterator[Speaker]:
    """Connected, and with the answer to its hello still to be heard."""
    reader, writer = await asyncio.open_unix_connection(path)
    speaker = Speaker(reader, writer)
    await speaker.say(hello if isinstance(hello, bytes) else json.dumps(hello).encode())
    try:
        yield speaker
    finally:
        writer.close()


@asynccontextmanager
async def joined(path: Path) -> AsyncIterator[Speaker]:
    async with client(path) as speaker:
        assert await speaker.hear() == {"ok": True}
        await speaker.shake_hands()
        yield speaker


async def test_a_client_joins_and_browses(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path), joined(path) as speaker:
        opened = await speaker.call("tabs", action="new")
        assert len(opened["structuredContent"]["tabs"]) == 1


async def test_requests_may_follow_the_hello_at_once(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path), client(path) as speaker:
        await speaker.begin("ping")
        assert await speaker.hear() == {"ok": True}
        assert "result" in await speaker.hear()


async def test_only_the_owner_may_connect(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
async def test_another_user_is_sent_away(caller: Caller, tmp_path: Path) -> None:
    """Even where the mode of the socket would let it in."""
    path = tmp_path / "mcp.sock"
    for directory in (tmp_path, *tmp_path.parents):
        if directory.stat().st_mode & 0o001 == 0:
            directory.chmod(directory.stat().st_mode | 0o011)
    program = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "s.connect(sys.argv[1])\n"
        "try:\n"
        "    s.sendall(sys.argv[2].encode() + b'\\n')\n"
        "    print(s.recv(100))\n"
        "except (BrokenPipeError, ConnectionResetError):\n"
        "    print(b'')\n"
    )
    async with server(caller, path):
        path.chmod(0o666)
        other = await asyncio.create_subprocess_exec(
            # Ours may be in a home that others cannot enter.
            *("/usr/bin/python3", "-c", program, path, json.dumps(HELLO)),
            stdout=asyncio.subprocess.PIPE,
            user=61001,
        )
        said, _ = await other.communicate()
    assert said == b"b''\n"


async def test_a_client_that_leaves_takes_its_sessions_with_it(
    caller: Caller, tmp_path: Path
) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path):
        async with joined(path) as speaker:
            await speaker.call("tabs", action="new")
            await speaker.call("open_session", session="other")
            assert len(caller.kernel.sessions.all()) == 2
        await without_sessions(caller.kernel)


async def test_clients_do_not_see_each_other(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path), joined(path) as one, joined(path) as two:
        await one.call("tabs", action="new")
        assert (await two.call("tabs"))["structuredContent"]["tabs"] == []
        [mine] = (await one.call("list_sessions"))["structuredContent"]["sessions"]
        [theirs] = (await two.call("list_sessions"))["structuredContent"]["sessions"]
        assert mine["session_id"] != theirs["session_id"]
        stolen = await two.call("tabs", session=mine["session_id"])
        assert json.loads(stolen["content"][0]["text"])["code"] == "session_not_found"


async def test_many_clients_at_once_each_have_their_own(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"

    async def one(number: int) -> None:
        async with joined(path) as speaker:
            address = caller.site.url(f"/{number}")
            caller.site.page(f"/{number}", f"<title>{number}</title>")
            await speaker.call("navigate", url=address)
            [tab] = (await speaker.call("tabs"))["structuredContent"]["tabs"]
            assert (tab["url"], tab["title"]) == (address, str(number))

    async with server(caller, path), asyncio.TaskGroup() as group:
        for number in range(12):
            group.create_task(one(number))


@pytest.mark.parametrize(
    "hello",
    [
        b"",
        b"GET / HTTP/1.1",
        b"[]",
        b"5",
        b"\xff",
        b"[" * 3000,
        {"stockade": 2, "toolsets": None},
        {"toolsets": None},
        {"stockade": 1, "toolsets": "core"},
        {"stockade": 1, "capabilities": ["flying"]},
        {"stockade": 1, "allowed_origins": ["*"]},
        {"stockade": 1, "blocked_origins": 5},
        {"stockade": 1, "toolsets": [5]},
        {"stockade": 1, "toolsets": ["none"]},
        b"x" * 70_000,
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
    ],
    ids=lambda hello: str(hello)[:30],
)
async def test_a_wrong_hello_is_answered_with_an_error(
    caller: Caller, tmp_path: Path, hello: Any
) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path):
        async with client(path, hello) as speaker:
            answer = await speaker.hear()
            assert answer["ok"] is False
            assert answer["code"] in {"invalid_argument", "bad_setting"}
            assert await speaker.rest() == []
        async with joined(path) as speaker:
            assert "result" in await speaker.ask("ping")


async def test_the_toolsets_of_the_hello_are_shown(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    hello = {"stockade": 1, "toolsets": ["gallery"]}
    async with server(caller, path, Trial()), client(path, hello) as speaker:
        assert await speaker.hear() == {"ok": True}
        await speaker.shake_hands()
        tools = (await speaker.ask("tools/list"))["result"]["tools"]
        assert [each["name"] for each in tools] == ["gallery"]


async def test_a_client_can_narrow_its_policy_and_never_widen_it(
    caller: Caller, tmp_path: Path
) -> None:
    path = tmp_path / "mcp.sock"
    hello = {
        "stockade": 1,
        "capabilities": ["read", "navigation", "eval"],
        "allowed_origins": ["example.com"],
    }
    caller = caller.another(policy=Policy(confirm=frozenset()))
    async with server(caller, path), client(path, hello) as speaker:
        greeting = await speaker.hear()
        assert greeting["ok"] is True
        assert "eval" in greeting["notes"][0]
        await speaker.shake_hands()
        names = {each["name"] for each in (await speaker.ask("tools/list"))["result"]["tools"]}
        assert "snapshot" in names
        assert "click" not in names
        refused = await speaker.call("navigate", url="http://127.0.0.1:9/")
        assert "address_denied" in refused["content"][0]["text"]


async def test_clients_that_say_nothing_hold_nobody_up(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path):
        silent = [await asyncio.open_unix_connection(path) for _ in range(20)]
        async with joined(path) as speaker:
            assert "result" in await speaker.ask("ping")
        for _, writer in silent:
            writer.close()


async def test_stopping_ends_calls_and_clients(caller: Caller, tmp_path: Path) -> None:
    path, trial = tmp_path / "mcp.sock", Trial()
    async with server(caller, path, trial):
        reader, writer = await asyncio.open_unix_connection(path)
        speaker = Speaker(reader, writer)
        await speaker.say(json.dumps(HELLO).encode())
        await speaker.hear()
        await speaker.shake_hands()
        await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
    assert trial.cleaned_up.is_set()
    assert [each["error"]["code"] for each in await speaker.rest()] == [-32000]
    writer.close()


async def test_a_socket_that_was_left_behind_is_replaced(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    for name in ("mcp.sock", ".mcp.sock.new"):
        with socket.socket(socket.AF_UNIX) as old, short(tmp_path / name) as address:
            old.bind(address)
    async with server(caller, path), joined(path) as speaker:
        assert "result" in await speaker.ask("ping")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_in_the_way_is_not_touched(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(SetupError):
        async with server(caller, path):
            pass
    assert path.read_text(encoding="utf-8") == "mine"


async def test_a_directory_that_is_not_there_is_an_error(caller: Caller, tmp_path: Path) -> None:
    with pytest.raises(SetupError):
        async with server(caller, tmp_path / "none" / "mcp.sock"):
            pass


async def test_a_name_that_is_too_long_is_an_error(caller: Caller, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="too long"):
        async with server(caller, tmp_path / ("x" * 120)):
            pass
    assert list(tmp_path.iterdir()) == []


async def test_the_socket_of_a_later_server_stays(caller: Caller, tmp_path: Path) -> None:
    path = tmp_path / "mcp.sock"
    async with server(caller, path):
        later = server(caller, path)
        await later.__aenter__()
    assert path.is_socket()
    await later.__aexit__(None, None, None)
    assert not path.exists()
