from __future__ import annotations

import asyncio
import threading
import time

import pytest

from stockade.masking.background import Stopped, check_stopped, run_if_large, run_in_background


async def test_what_is_small_is_done_here_and_what_is_large_elsewhere() -> None:
    here = threading.get_ident()
    assert await run_if_large(10, threading.get_ident) == here
    assert await run_if_large(1_000_000, threading.get_ident) != here


async def test_who_does_not_wait_any_more_ends_it() -> None:
    began, ended, never = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        try:
            while True:
                check_stopped()
                never.wait(0.001)
        except Stopped:
            ended.set()
            raise

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await run_in_background(work)
    assert began.is_set()
    assert ended.is_set(), "it went on"


async def test_what_it_raises_is_raised_here() -> None:
    def work() -> None:
        raise KeyError("a")

    with pytest.raises(KeyError):
        await run_in_background(work)


def test_nobody_asked_to_stop() -> None:
    check_stopped()


async def test_long_work_leaves_half_of_the_time_to_others() -> None:
    def work() -> float:
        began, until = time.monotonic(), time.thread_time() + 0.5
        while time.thread_time() < until:
            check_stopped()
        return time.monotonic() - began

    # A tenth of a second is free, and as long as the rest took is rested.
    assert await run_in_background(work) > 0.8


async def test_who_rests_ends_at_once_when_nobody_waits() -> None:
    resting = threading.Event()

    def work() -> None:
        until = time.thread_time() + 0.6
        while time.thread_time() < until:
            pass
        resting.set()
        check_stopped()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(run_in_background(work))
        await asyncio.to_thread(resting.wait)
        began = time.monotonic()
        task.cancel()
    assert task.cancelled()
    assert time.monotonic() - began < 0.4
