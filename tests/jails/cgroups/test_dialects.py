"""Limits in the words of each version."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.jails.cgroups.dialects import V1, V2, Dialect, Events, Limits

LIMITS = Limits(memory=1 << 30, tasks=512, cpu=1.5)


def written(dialect: Dialect, limits: Limits) -> dict[str, str]:
    settings = [
        each for what in ("memory", "tasks", "cpu") for each in dialect.settings(what, limits)
    ]
    return {each.file: each.text for each in settings}


def test_the_first_version() -> None:
    assert written(V1, LIMITS) == {
        "memory.limit_in_bytes": str(1 << 30),
        "memory.memsw.limit_in_bytes": str(1 << 30),
        "memory.swappiness": "0",
        "pids.max": "512",
        "cpu.cfs_period_us": "100000",
        "cpu.cfs_quota_us": "150000",
        "cpu.cfs_burst_us": "150000",
    }


def test_the_second_version() -> None:
    assert written(V2, LIMITS) == {
        "memory.max": str(1 << 30),
        "memory.swap.max": "0",
        "pids.max": "512",
        "cpu.max": "150000 100000",
        "cpu.max.burst": "150000",
    }


@pytest.mark.parametrize("dialect", [V1, V2])
def test_what_is_zero_is_not_limited(dialect: Dialect) -> None:
    assert written(dialect, Limits()) == {}


def test_a_share_of_the_cpu_is_never_too_small_for_the_kernel() -> None:
    assert written(V1, Limits(cpu=0.001))["cpu.cfs_quota_us"] == "1000"


def test_what_was_counted(tmp_path: Path) -> None:
    (tmp_path / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n")
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 9\noom 5\noom_kill 4\n")
    (tmp_path / "pids.events").write_text("max 7\n")
    (tmp_path / "cpu.stat").write_text("throttled_time 2500000000\nthrottled_usec 1500000\n")
    assert V1.counted("memory", tmp_path) == Events(memory_kills=3)
    assert V2.counted("memory", tmp_path) == Events(memory_kills=4)
    assert V1.counted("tasks", tmp_path) == Events(task_refusals=7)
    assert V1.counted("cpu", tmp_path) == Events(throttled=2.5)
    assert V2.counted("cpu", tmp_path) == Events(throttled=1.5)


def test_what_is_not_counted_is_none(tmp_path: Path) -> None:
    (tmp_path / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\n")
    assert V1.counted("memory", tmp_path) == Events()
