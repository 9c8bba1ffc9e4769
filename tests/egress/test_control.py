"""The control socket, from the process's side."""

from __future__ import annotations

import asyncio
import socket

from stockade.egress.control import Control
from stockade.egress.datagrams import receive, send
from stockade.egress.protocol import Ready, decode_from_process
from tests.support.waiting import until


async def test_messages_arrive_in_order_however_slow_the_server_reads() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.settimeout(0)
    with ours, theirs:
        control = Control(ours)
        for n in range(2000):
            control.tell(Ready(str(n)))
        got: list[str] = []

        def read() -> bool:
            try:
                while True:
                    message = decode_from_process(receive(theirs).data)
                    assert isinstance(message, Ready)
                    got.append(message.what)
            except BlockingIOError:
                return len(got) == 2000

        async with asyncio.TaskGroup() as group:
            told = group.create_task(control.told())
            await asyncio.sleep(0)
            assert not told.done()
            await until(read)
        assert got == [str(n) for n in range(2000)]


async def test_it_hears_until_the_end() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        control = Control(ours)
        async with asyncio.TaskGroup() as group:
            hearing = group.create_task(control.hear())
            await asyncio.sleep(0)
            send(theirs, b"hello")
        assert hearing.result().data == b"hello"
        theirs.close()
        assert (await control.hear()).data == b""
        control.tell(Ready("start"))
        await control.told()
