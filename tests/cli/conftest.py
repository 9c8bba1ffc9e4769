from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Home


@pytest.fixture(scope="session")
def _forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("forks") / "socket"
    with subprocess.Popen(
        [sys.executable, Path(__file__).with_name("forks.py"), place],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={"LANG": "C.UTF-8", "PATH": os.environ["PATH"], "TMPDIR": os.environ["TMPDIR"]},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield place
        process.terminate()


@pytest.fixture
def home(tmp_path: Path, _forks: Path) -> Home:
    """A user who has never used Stockade."""
    return Home(tmp_path, _forks)
