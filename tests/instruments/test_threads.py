"""What main threads were busy with."""

from __future__ import annotations

from typing import Any

from stockade.instruments.threads import MainThreads


def span(name: str, start: float, duration: float, tid: int = 1, **data: Any) -> dict[str, Any]:
    return {
        "name": name,
        "ph": "X",
        "pid": 1,
        "tid": tid,
        "ts": start * 1000,
        "dur": duration * 1000,
        "args": {"data": data},
    }


def threads(*events: dict[str, Any]) -> MainThreads:
    found = MainThreads()
    main = {"name": "CrRendererMain"}
    found.take({"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": main})
    for event in events:
        found.take(event)
    return found


def test_each_moment_counts_once() -> None:
    work = threads(
        span("FunctionCall", 0, 100),
        span("Layout", 10, 20),
        span("FunctionCall", 15, 5),
        span("Paint", 200, 7),
    ).work()
    assert work == {"scripting": 85, "rendering": 15, "painting": 7, "loading": 0}


def test_other_threads_do_not_count() -> None:
    found = threads(span("FunctionCall", 0, 100, tid=2), span("RunTask", 0, 100, tid=2))
    assert sum(found.work().values()) == 0
    assert found.tasks(50) == []


def test_a_task_is_told_with_what_took_longest_in_it() -> None:
    [task] = threads(
        span("RunTask", 0, 120),
        span("FunctionCall", 1, 100, url="https://a.example/x.js", functionName="slow"),
        span("FunctionCall", 102, 3, url="https://a.example/y.js", functionName="fast"),
        span("RunTask", 200, 40),
    ).tasks(50)
    assert (task.start, task.duration) == (0, 120)
    assert (task.url, task.function) == ("https://a.example/x.js", "slow")


def test_oddities_are_passed_over() -> None:
    found = threads(
        {"name": "RunTask", "ph": "X", "ts": "x", "dur": 1},
        {"name": "Layout", "ph": "X", "args": []},
        {"name": "thread_name", "args": None},
    )
    assert found.tasks(0) == []
