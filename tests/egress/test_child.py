"""One run of the process: what it is told comes in order, and nothing is heard after its end."""

from __future__ import annotations

import os
import signal
import socket

import pytest

from stockade.egress import child as module
from stockade.egress.child import Child
from stockade.egress.datagrams import Datagram
from stockade.egress.protocol import Close, FromProcess, Open, Ready, Rules, Start
from tests.support.leaks import alive
from tests.support.waiting import until

UID = 61002
MANY = 2000


async def test_everything_is_told_in_order_however_slow_it_listens() -> None:
    heard: list[FromProcess] = []
    child = Child(UID, heard.append)
    try:
        child.tell(Start())
        await until(lambda: heard == [Ready("start")])
        os.kill(child.pid, signal.SIGSTOP)
        for number in range(MANY):
            child.tell(Close(f"s{number}"))
        assert child._unsent, "it takes no more"
        with socket.create_server(("127.0.0.1", 0)) as closed:
            child.tell(Open("gone", Rules()), closed)
        child.tell(Close("last"))
        os.kill(child.pid, signal.SIGCONT)
        await until(lambda: heard[-1] == Ready("close", "last"))
        told = [f"s{number}" for number in range(MANY)]
        assert [each.session for each in heard[1:-1]] == told, "but what was closed meanwhile"
    finally:
        assert await child.end() == 0
    assert not child.alive
    child.tell(Start())
    child.catch_up()


async def test_one_that_makes_no_sense_is_not_listened_to(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[FromProcess] = []
    child = Child(UID, heard.append)
    try:
        monkeypatch.setattr(module, "receive", lambda _: Datagram(b'{"type":"nonsense"}'))
        child.catch_up()
        assert not child.alive
        await child.gone()
    finally:
        await child.end()
    assert not alive(child.pid)
    assert heard == []
