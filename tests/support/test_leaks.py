"""The leak watch must see what a run leaves, and nothing else; real runs in processes of their own.

Each inner run is a whole pytest on a throw-away test file, with our plugin alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.support import leaks

ROOT = Path(__file__).parents[2]

LEAK_A_PROCESS = """
    import subprocess, sys

    def test_leaves_an_orphan_in_a_session_of_its_own():
        # The middle process ends at once, so the sleeper loses its parent.
        code = (
            "import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True, "
            "stdin=-3, stdout=-3, stderr=-3)"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
"""


def run(folder: Path, test: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (folder / "test_inner.py").write_text(dedent(test), encoding="utf-8")
    wait = "from tests.support import leaks; leaks.GRACE_SECONDS = 0.2"
    (folder / "conftest.py").write_text(
        f"{wait}\npytest_plugins = ['tests.support.leaks']\n", encoding="utf-8"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "xdist",
        *options,
        str(folder),
    ]
    return subprocess.run(
        command,
        cwd=folder,
        # What else is installed takes a second to load, and is no part of this.
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "with workers"])
def test_an_orphan_is_found_and_ended(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = run(tmp_path, LEAK_A_PROCESS, *options)
    assert result.returncode == leaks.LEFT_BEHIND, result.stdout
    assert "left behind by this run" in result.stdout
    found = re.search(r"process (\d+) \(sleep\)", result.stdout)
    assert found is not None
    assert not leaks.alive(int(found[1]))


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "with workers"])
def test_descriptors_and_files_are_found(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = run(
        tmp_path,
        """
        import os, tempfile

        def test_leaves_a_pipe_and_a_directory():
            os.pipe()
            tempfile.mkdtemp(prefix="stockade-profile-")
        """,
        *options,
    )
    assert result.returncode == leaks.LEFT_BEHIND, result.stdout
    assert result.stdout.count("(pipe:[") == 2
    assert "temporary stockade-profile-" in result.stdout


def test_a_clean_run_passes(tmp_path: Path) -> None:
    result = run(
        tmp_path,
        """
        import os, subprocess, tempfile

        def test_puts_everything_back(tmp_path):
            (tmp_path / "kept").write_text("pytest removes it")
            subprocess.run(["true"], check=True)
            os.close(os.open("/dev/null", os.O_RDONLY))
            with tempfile.TemporaryDirectory(prefix="stockade-"):
                pass
        """,
    )
    assert result.returncode == pytest.ExitCode.OK, result.stdout
    assert "left behind" not in result.stdout


def test_a_failing_run_keeps_its_own_status(tmp_path: Path) -> None:
    result = run(tmp_path, "import nothing_of_the_kind")
    assert result.returncode == pytest.ExitCode.INTERRUPTED, result.stdout


def test_an_unreaped_process_is_not_alive() -> None:
    process = subprocess.Popen(["true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not leaks.alive(process.pid)
    assert all(found.pid != process.pid for found in leaks.descendants(os.getpid()))
    process.wait()


def test_descendants_are_found_at_any_depth() -> None:
    shell = subprocess.Popen(
        ["sh", "-c", "sleep 60 & echo $!; read line; kill $!; wait"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert shell.stdout is not None
    sleeper = int(shell.stdout.readline())
    below = {process.pid for process in leaks.descendants(os.getpid())}
    shell.communicate("end\n")
    assert {shell.pid, sleeper} <= below
    assert leaks.alive(os.getpid())


def test_the_inventory_names_what_is_new() -> None:
    ours, theirs = (f"/sys/fs/cgroup/stockade-{pid}-1" for pid in (os.getpid(), 1))
    empty = leaks.Inventory(
        frozenset(), frozenset({"proc /proc proc"}), frozenset(), frozenset(), frozenset()
    )
    later = leaks.Inventory(
        frozenset({leaks.Process(7, 1, 1, "S", "chromium")}),
        frozenset({"proc /proc proc", "tmpfs /jail tmpfs"}),
        frozenset({"yard"}),
        frozenset({ours, theirs}),
        frozenset({"stockade-profile"}),
    )
    assert later.leaked_since(empty) == [
        "process 7 (chromium)",
        "mount tmpfs /jail tmpfs",
        "network namespace yard",
        f"cgroup {ours}",
        "temporary stockade-profile",
    ]
    assert later.leaked_since(later) == []
