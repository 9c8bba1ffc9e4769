from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A user who has never used Stockade."""
    return Home(tmp_path)
