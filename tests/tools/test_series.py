"""Pictures over time, while others work in the tab."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.support.callers import Caller
from tests.support.pictures import decode_png, picture_size

RED, GREEN = (255, 0, 0), (0, 128, 0)
PAGE = "<body style='background:rgb(255,0,0)'><button onclick=\"{}\">Go</button><p role=status></p>"


def content(caller: Caller, name: str) -> bytes:
    session = caller.kernel.sessions.find(caller.principal, "default")
    return caller.kernel.artifacts.named(session, name).path.read_bytes()


def colour(caller: Caller, name: str) -> tuple[int, ...]:
    return decode_png(content(caller, name)).pixel(900, 600)[:3]


async def until(there: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not there():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)


async def meanwhile(
    caller: Caller, series: Awaitable[Any], *, cast: bool = False
) -> dict[str, Any]:
    """Let a series run while the tab is used; it has begun once its tab is watched."""
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    async with asyncio.TaskGroup() as group:
        task = group.create_task(_awaited(series))
        await until(lambda: tab.page.screencast_frame if cast else tab._watchers)
        await caller.reply("click", selector="role=button")
    return task.result()


async def _awaited(series: Awaitable[Any]) -> dict[str, Any]:
    result: dict[str, Any] = await series
    return result


async def test_pictures_at_intervals(mighty: Caller) -> None:
    await mighty.show(PAGE.format("document.body.style.background='rgb(0,128,0)'"))
    series = mighty.ok("screenshot_schedule", everyMs=150, count=6, intoDir="shots")
    done = await meanwhile(mighty, series)
    assert (done["count"], done["intoDir"]) == (6, "shots")
    assert done["paths"] == [f"shots/00{number}.png" for number in range(1, 7)]
    assert len(done["capturedAt"]) == 6
    assert done["capturedAt"] == sorted(set(done["capturedAt"]))
    assert colour(mighty, done["paths"][-1]) == GREEN
    done = await mighty.ok("screenshot_schedule", everyMs=100, durationMs=250, format="jpeg")
    assert done["count"] == 3
    assert picture_size(content(mighty, done["paths"][0])) == (1280, 720)


@pytest.mark.parametrize(
    "wrong", [{}, {"count": 1000}, {"durationMs": 1e9}, {"count": 299, "everyMs": 60_000}]
)
async def test_a_schedule_has_an_end(mighty: Caller, wrong: dict[str, Any]) -> None:
    refusal = await mighty.refused("screenshot_schedule", **{"everyMs": 100, **wrong})
    assert refusal["code"] == "invalid_argument"


async def test_a_tab_that_closes_ends_the_series(mighty: Caller) -> None:
    await mighty.show(PAGE.format("window.close()"))
    tab = (await mighty.ok("tabs", action="new"))["tabs"][1]["tab"]
    async with asyncio.TaskGroup() as group:
        task = group.create_task(mighty.ok("screenshot_schedule", everyMs=100, count=100, tab=tab))
        session = mighty.kernel.sessions.find(mighty.principal, "default")
        await until(lambda: mighty.kernel.artifacts.of(session))
        await mighty.ok("tabs", action="close", tab=tab)
    done = task.result()
    assert "ended early" in done["warnings"][-1]
    assert 1 <= done["count"] < 100


@pytest.mark.parametrize(
    ("trigger", "script"),
    [
        ("navigation", "location.href = '/next'"),
        (
            "navigation",
            "history.pushState(0, 0, '/pushed'); document.body.style.background='rgb(0,128,0)'",
        ),
        ("console-error", "document.body.style.background='rgb(0,128,0)'; console.error('bad')"),
        ("console-error", "document.body.style.background='rgb(0,128,0)'; nothing.there"),
        (
            "network-mutation",
            "document.body.style.background='rgb(0,128,0)'; fetch('/page', {method: 'POST'})",
        ),
    ],
)
async def test_a_picture_when_something_happens(mighty: Caller, trigger: str, script: str) -> None:
    mighty.site.page("/next", "<body style='background:rgb(0,128,0)'>")
    await mighty.show(PAGE.format(script))
    series = mighty.ok("screenshot_on", trigger=trigger, durationMs=20_000, count=1)
    done = await meanwhile(mighty, series)
    assert (done["trigger"], done["count"]) == (trigger, 1)
    assert colour(mighty, done["paths"][0]) == GREEN


async def test_what_a_page_showed_when_its_dialog_opened(mighty: Caller) -> None:
    await mighty.show(
        PAGE.format("if (confirm('Sure?')) document.body.style.background = 'rgb(0,128,0)'")
    )
    await mighty.ok("set_dialog_policy", mode="accept")
    series = mighty.ok("screenshot_on", trigger="dialog", durationMs=20_000, count=1)
    done = await meanwhile(mighty, series, cast=True)
    assert done["count"] == 1
    red, green, blue = colour(mighty, done["paths"][0])
    assert (red > 240, green < 15, blue < 15) == (True, True, True)
    after = await mighty.reply("screenshot", format="png")
    assert decode_png(after.images[0].data).pixel(900, 600)[:3] == GREEN


async def test_nothing_happens_and_time_goes_by(mighty: Caller, caller: Caller) -> None:
    await mighty.show(PAGE.format(""))
    done = await mighty.ok("screenshot_on", trigger="navigation", durationMs=50)
    assert (done["count"], done["paths"], done["warnings"]) == (0, [], [])
    refusal = await caller.refused("screenshot_on", trigger="navigation", durationMs=50)
    assert refusal["code"] == "capability_disabled"
