"""The launcher by itself: what it makes, what it says when it cannot, and that it ends with us."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from stockade.jails import launcher
from stockade.processes import Process, spawn

TOLD: dict[str, Any] = {
    "uid": 61001,
    "listeners": [3128],
    "folders": {"up": 1 << 20},
    "limits": {"nofile": 100, "core": 0},
    "argv": [
        "/bin/sh",
        "-c",
        "ulimit -n >&3; id -u >&3; ls /tmp >&3; env >&3; ls /proc/self/fd >&3",
    ],
    "environment": {},
}


@asynccontextmanager
async def started(output: int | None = None) -> AsyncIterator[tuple[Process, socket.socket]]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    given = {launcher.CONTROL: theirs.fileno(), **({3: output} if output is not None else {})}
    with ours, theirs:
        process = spawn(
            [sys.executable, "-I", "-S", launcher.__file__], environment={}, descriptors=given
        )
        theirs.close()
        try:
            yield process, ours
        finally:
            process.kill()
            await process.end(5)


async def heard(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    data, found, _, _ = await asyncio.to_thread(socket.recv_fds, control, 4096, 8)
    return json.loads(data or b"{}"), found


async def test_what_it_makes_and_what_is_left_of_it() -> None:
    read, write = os.pipe()
    try:
        async with started(write) as (process, control):
            control.send(json.dumps(TOLD).encode())
            said, shared = await heard(control)
            assert said == {"ready": True}
            with socket.socket(fileno=shared[0]) as listener:
                assert listener.getsockname() == ("127.0.0.1", 3128)
            os.close(shared[1])
            network = Path(f"/proc/{process.pid}/ns/net").readlink()
            assert network != Path("/proc/self/ns/net").readlink()
            control.send(b"!")
            assert await process.end(5) == 0, process.error_output
    finally:
        os.close(write)
    with os.fdopen(read) as output:
        files, uid, *rest = output.read().split()
    assert (files, uid) == ("100", "61001")
    assert rest[0] == "up"
    # No environment but what a shell gives itself, and no descriptor but ours.
    assert [each for each in rest if "=" in each and not each.startswith(("PWD=", "_="))] == []
    assert {each for each in rest if each.isdigit()} <= {"0", "1", "2", "3", "4"}


async def test_a_step_that_fails_is_named() -> None:
    async with started() as (process, control):
        control.send(json.dumps({**TOLD, "folders": {"up": -1}}).encode())
        said, shared = await heard(control)
        assert (said["step"], shared) == ("folders", [])
        assert await process.end(5) == 1
        assert "folders" in process.error_output
    async with started() as (process, control):
        control.send(json.dumps({**TOLD, "listeners": [70000]}).encode())
        assert await process.end(5) == 1


async def test_told_nothing_more_it_ends() -> None:
    async with started() as (process, control):
        control.send(json.dumps(TOLD).encode())
        _, shared = await heard(control)
        for each in shared:
            os.close(each)
        control.shutdown(socket.SHUT_RDWR)
        assert await process.end(5) == 0


def test_it_needs_nothing_but_python() -> None:
    tree = ast.parse(Path(launcher.__file__).read_text(encoding="utf-8"))
    names = {
        (each.module or "") if isinstance(each, ast.ImportFrom) else each.names[0].name
        for each in ast.walk(tree)
        if isinstance(each, ast.Import | ast.ImportFrom)
    }
    assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names}
