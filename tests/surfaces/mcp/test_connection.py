from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from stockade.surfaces.mcp.caller import Caller as Known
from stockade.surfaces.mcp.lines import LONGEST_LINE
from tests.support.callers import Caller
from tests.support.mcp import CORE, STATELESS, Speaker, Trial, speaking, stateless, with_tools

JUNK: dict[str, tuple[bytes, int]] = {
    "invalid UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
    "no JSON": (b"GET / HTTP/1.1", -32700),
    "half a message": (b'{"jsonrpc":', -32700),
    "deep": (b"[" * 100_000, -32700),
    "deep params": (b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b'{"a":' * 100_000, -32700),
    "NaN": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700),
    "zero bytes": (b"\x00" * 100, -32700),
    "huge": (b"x" * (LONGEST_LINE + 1), -32600),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "an empty batch": (b"[]", -32600),
    "a number": (b"17", -32600),
    "no version": (b'{"id":1,"method":"ping"}', -32600),
    "a wrong id": (b'{"jsonrpc":"2.0","id":[],"method":"ping"}', -32600),
    "wrong params": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":5}', -32600),
    "an unknown method": (b'{"jsonrpc":"2.0","id":900,"method":"none"}', -32601),
    "wrong arguments": (
        b'{"jsonrpc":"2.0","id":901,"method":"tools/call","params":{"name":5,"arguments":[]}}',
        -32602,
    ),
}
SILENT = {
    "an empty line": b"",
    "white space": b" \t\r",
    "an unknown notification": b'{"jsonrpc":"2.0","method":"notifications/none","params":{}}',
    "an answer to nothing": b'{"jsonrpc":"2.0","id":77,"result":{}}',
    "an error about nothing": b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}',
    "a cancelled nothing": (
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}'
    ),
    "wrong progress": b'{"jsonrpc":"2.0","method":"notifications/progress","params":{}}',
}


@asynccontextmanager
async def a_speaker(caller: Caller, trial: Trial | None = None) -> AsyncIterator[Speaker]:
    kernel = with_tools(caller.kernel, trial.tools()) if trial is not None else caller.kernel
    async with asyncio.timeout(60), speaking(kernel, Known(caller.principal, CORE)) as speaker:
        yield speaker


def code_of(message: dict[str, Any]) -> int:
    code: int = message["error"]["code"]
    return code


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_every_version_with_a_handshake(caller: Caller, version: str) -> None:
    async with a_speaker(caller) as speaker:
        assert (await speaker.shake_hands(version))["protocolVersion"] == version
        result = await speaker.call("list_sessions")
        assert result["structuredContent"] == {"sessions": []}


async def test_a_version_of_nobody_is_offered_another(caller: Caller) -> None:
    async with a_speaker(caller) as speaker:
        assert (await speaker.shake_hands("1999-01-01"))["protocolVersion"] == "2025-11-25"


async def test_the_era_without_handshakes(caller: Caller) -> None:
    async with a_speaker(caller) as speaker:
        found = await speaker.ask("server/discover", **stateless())
        assert found["result"]["supportedVersions"] == [STATELESS]
        answer = await speaker.ask("tools/call", **stateless(name="list_sessions", arguments={}))
        assert answer["result"]["structuredContent"] == {"sessions": []}


@pytest.mark.parametrize("junk", JUNK)
async def test_junk_is_answered_and_the_connection_lives(caller: Caller, junk: str) -> None:
    line, code = JUNK[junk]
    async with a_speaker(caller) as speaker:
        await speaker.shake_hands()
        await speaker.say(line)
        assert code_of(await speaker.hear()) == code
        assert "result" in await speaker.ask("ping")


async def test_junk_before_anything_else_spoils_nothing(caller: Caller) -> None:
    async with a_speaker(caller) as speaker:
        for line, code in JUNK.values():
            if code in {-32700, -32600}:
                await speaker.say(line)
                assert code_of(await speaker.hear()) == code
        await speaker.shake_hands()
        assert "result" in await speaker.ask("ping")


@pytest.mark.parametrize("line", SILENT.values(), ids=SILENT.keys())
async def test_what_wants_no_answer_gets_none(caller: Caller, line: bytes) -> None:
    async with a_speaker(caller) as speaker:
        await speaker.shake_hands()
        await speaker.say(line)
        number = await speaker.begin("ping")
        assert (await speaker.hear())["id"] == number


@pytest.mark.parametrize("depth", [50, 500, 900])
async def test_arguments_nested_deeply_are_only_wrong(caller: Caller, depth: int) -> None:
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    async with a_speaker(caller) as speaker:
        await speaker.shake_hands()
        for tool in (b"tabs", b"batch"):
            await speaker.say(
                b'{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"'
                + tool
                + b'","arguments":{"calls":[{"tool":"tabs","args":'
                + nested
                + b"}]}}}"
            )
            answer = await speaker.hear()
            assert "result" in answer or code_of(answer) == -32700
        assert "result" in await speaker.ask("ping")


async def test_a_last_line_needs_no_end(caller: Caller) -> None:
    async with a_speaker(caller) as speaker:
        await speaker.shake_hands()
        speaker._writer.write(b'{"jsonrpc":"2.0","id":"last","method":"ping"}')
        speaker.finish()
        assert [each["id"] for each in await speaker.rest()] == ["last"]


async def test_who_says_everything_at_once_still_gets_its_answers(caller: Caller) -> None:
    async with a_speaker(caller) as speaker:
        await speaker.begin(
            "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=ABOUT
        )
        await speaker.tell("notifications/initialized")
        await speaker.begin("tools/list")
        await speaker.begin("tools/call", name="tabs", arguments={})
        speaker.finish()
        answers = {each["id"]: each for each in await speaker.rest()}
    assert set(answers) == {1, 2, 3}
    assert all("result" in each for each in answers.values())


ABOUT = {"name": "speaker", "version": "1"}


async def test_two_requests_with_one_id_are_told_apart(caller: Caller) -> None:
    trial = Trial()
    async with a_speaker(caller, trial) as speaker:
        await speaker.shake_hands()
        number = await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
        again = {"jsonrpc": "2.0", "id": number, "method": "ping"}
        await speaker.say(json.dumps(again).encode())
        answer = await speaker.hear()
        assert (code_of(answer), answer["id"]) == (-32600, None)
        trial.may_end.set()
        assert (await speaker.hear())["id"] == number


async def test_there_is_an_end_to_what_one_client_may_have_under_way(caller: Caller) -> None:
    trial = Trial()
    async with a_speaker(caller, trial) as speaker:
        await speaker.shake_hands()
        numbers = [await speaker.begin("tools/call", name="slow", arguments={}) for _ in range(300)]
        refused = [await speaker.hear() for _ in range(300 - 256)]
        assert [each["id"] for each in refused] == numbers[256:]
        assert {code_of(each) for each in refused} == {-32011}
        trial.may_end.set()
        answered = [await speaker.hear() for _ in range(256)]
        assert {each["id"] for each in answered} == set(numbers[:256])
        assert "result" in await speaker.ask("ping")


async def test_a_cancelled_request_is_not_answered(caller: Caller) -> None:
    trial = Trial()
    async with a_speaker(caller, trial) as speaker:
        await speaker.shake_hands()
        number = await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
        await speaker.tell("notifications/cancelled", requestId=number)
        await trial.cleaned_up.wait()
        ping = await speaker.begin("ping")
        assert (await speaker.hear())["id"] == ping


async def test_who_hangs_up_has_its_calls_ended(caller: Caller) -> None:
    trial = Trial()
    async with a_speaker(caller, trial) as speaker:
        await speaker.shake_hands()
        await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
        speaker.hang_up()
        await trial.cleaned_up.wait()


async def test_who_no_longer_reads_is_let_go(caller: Caller) -> None:
    """A client that died in the middle of an answer: the write fails, and that is the end."""
    trial = Trial()
    async with a_speaker(caller, trial) as speaker:
        await speaker.shake_hands()
        await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
        speaker._writer.transport.abort()
        await trial.cleaned_up.wait()


async def test_clients_with_one_key_do_not_see_each_other(caller: Caller) -> None:
    first = replace(caller, principal=replace(caller.principal, client="first"))
    second = replace(caller, principal=replace(caller.principal, client="second"))
    async with a_speaker(first) as one, a_speaker(second) as two:
        await one.shake_hands()
        await two.shake_hands()
        await one.call("tabs", action="new")
        await one.call("screenshot")
        mine = (await one.call("tabs"))["structuredContent"]["tabs"]
        theirs = (await two.call("tabs"))["structuredContent"]["tabs"]
        assert len(mine) == 1
        assert theirs == []
        assert (await one.call("list_sessions"))["structuredContent"]["sessions"]
        shown = (await two.call("list_sessions"))["structuredContent"]["sessions"]
        assert [each["running"] for each in shown] == [False]
        [kept] = (await one.ask("resources/list"))["result"]["resources"]
        assert (await two.ask("resources/list"))["result"]["resources"] == []
        assert code_of(await two.ask("resources/read", uri=kept["uri"])) == -32002


async def test_answers_come_as_they_are_ready(caller: Caller) -> None:
    trial = Trial()
    async with a_speaker(caller, trial) as speaker:
        await speaker.shake_hands()
        slow = await speaker.begin("tools/call", name="slow", arguments={})
        await trial.began.wait()
        quick = await speaker.begin("tools/call", name="counting", arguments={})
        assert (await speaker.hear())["id"] == quick
        trial.may_end.set()
        assert (await speaker.hear())["id"] == slow
