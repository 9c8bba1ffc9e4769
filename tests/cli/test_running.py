from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest
import typer

from stockade.cli.running import run


def in_thread_free_loop() -> None:
    assert threading.current_thread() is threading.main_thread()


def test_a_result_comes_back() -> None:
    async def work() -> int:
        return 7

    assert run(work) == 7


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_and_is_told(number: signal.Signals) -> None:
    cleaned = []

    async def work() -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            # A second signal does not interrupt this.
            os.kill(os.getpid(), number)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            cleaned.append(True)

    with pytest.raises(typer.Exit) as caught:
        run(work)
    assert caught.value.exit_code == 128 + number
    assert cleaned == [True]


def test_who_ignores_hang_ups_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def work() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0)
        return "still here"

    try:
        assert run(work) == "still here"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_cancellation_of_its_own_is_no_signal() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(work)
