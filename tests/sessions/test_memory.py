"""Memory: what the kernel tells, in all its ways of telling."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stockade.sessions.memory import Memory, Own

_PAGE = os.sysconf("SC_PAGE_SIZE")


def put(root: Path, files: dict[str, str]) -> Memory:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Memory(root / "proc", root / "groups")


MEMINFO = "MemTotal:       1000 kB\nMemFree:  5 kB\nMemAvailable:  600 kB\nHugePages_Total: 0\n"
NO_LIMIT = "9223372036854771712\n"


@pytest.mark.parametrize(
    ("files", "used"),
    [
        ({}, 0.0),
        ({"proc/meminfo": MEMINFO}, 0.4),
        ({"proc/meminfo": "MemTotal: 1000 kB\n"}, 0.0),
        # Version 2, in a container: files that the kernel can drop at once are not in use.
        (
            {
                "proc/meminfo": MEMINFO,
                "proc/self/cgroup": "0::/\n",
                "groups/memory.max": "1000\n",
                "groups/memory.current": "900\n",
                "groups/memory.stat": "anon 700\ninactive_file 150\nactive_file 50\n",
            },
            0.75,
        ),
        (
            {"proc/meminfo": MEMINFO, "proc/self/cgroup": "0::/\n", "groups/memory.max": "max\n"},
            0.4,
        ),
        # The tighter limit may be that of a group around ours.
        (
            {
                "proc/self/cgroup": "0::/system.slice/stockade.service\n",
                "groups/system.slice/stockade.service/memory.max": "max",
                "groups/system.slice/stockade.service/memory.current": "100",
                "groups/system.slice/memory.max": "200",
                "groups/system.slice/memory.current": "180",
            },
            0.9,
        ),
        # Version 1, by the path of the host, of which the container sees only the end.
        (
            {
                "proc/meminfo": MEMINFO,
                "proc/self/cgroup": "5:devices:/x\n4:cpu,memory:/docker/1f2e\n0::/\n",
                "groups/memory/memory.limit_in_bytes": "500",
                "groups/memory/memory.usage_in_bytes": "450",
                "groups/memory/memory.stat": "inactive_file 1\ntotal_inactive_file 200\n",
            },
            0.5,
        ),
        (
            {
                "proc/meminfo": MEMINFO,
                "proc/self/cgroup": "4:memory:/a\n",
                "groups/memory/a/memory.limit_in_bytes": NO_LIMIT,
                "groups/memory/a/memory.usage_in_bytes": "450",
            },
            0.4,
        ),
    ],
)
def test_the_tightest_limit_counts(tmp_path: Path, files: dict[str, str], used: float) -> None:
    assert put(tmp_path, files).used() == pytest.approx(used)


def test_a_browser_is_weighed_with_all_it_started(tmp_path: Path) -> None:
    memory = put(
        tmp_path,
        {
            "proc/40/stat": "40 (chrome) S 1 40 40 0 -1",
            "proc/40/statm": "900 100 60 0 0 0 0",
            "proc/41/stat": "41 (a) b) (c) R 40 41 40 0 -1",
            "proc/41/statm": "900 50 20 0 0 0 0",
            "proc/50/stat": "50 (other) S 1 50 50 0 -1",
            "proc/50/statm": "900 500 1 0 0 0 0",
            "proc/51/stat": "",
            "proc/self/statm": "9 7 3 0 0 0 0",
        },
    )
    assert memory.of([40, 99]) == {40: (40 + 30 + 60) * _PAGE}
    assert memory.own() == Own(resident=7 * _PAGE, private=4 * _PAGE)


def test_this_very_machine() -> None:
    memory = Memory()
    assert 0 < memory.used() < 1
    own = memory.own()
    assert 1_000_000 < own.private < own.resident
    assert memory.of([os.getsid(0)])[os.getsid(0)] > own.private
