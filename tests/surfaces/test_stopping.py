"""What signals mean."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from stockade.surfaces.stopping import Stop, on_signals

WAIT = 10.0


def test_twice_is_at_once() -> None:
    stop = Stop()
    assert not stop.asked.is_set()
    stop.ask()
    assert stop.asked.is_set()
    assert not stop.hurry.is_set()
    stop.ask()
    assert stop.hurry.is_set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_asks_and_means_afterwards_what_it_meant(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with on_signals() as stop:
        os.kill(os.getpid(), number)
        async with asyncio.timeout(WAIT):
            await stop.asked.wait()
        assert not stop.hurry.is_set()
        os.kill(os.getpid(), number)
        async with asyncio.timeout(WAIT):
            await stop.hurry.wait()
    assert signal.getsignal(number) is before


async def test_who_ignores_a_signal_goes_on_ignoring_it() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with on_signals() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGTERM)
            async with asyncio.timeout(WAIT):
                await stop.asked.wait()
            assert not stop.hurry.is_set()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


async def test_elsewhere_than_in_the_main_thread_there_are_no_signals() -> None:
    found: list[Stop] = []

    def elsewhere() -> None:
        with on_signals() as stop:
            found.append(stop)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert not found[0].asked.is_set()
