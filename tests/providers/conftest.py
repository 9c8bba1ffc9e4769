"""What tests of providers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.providers import FakeProgram


@pytest.fixture
def program(tmp_path: Path) -> FakeProgram:
    """A program in a place of its own."""
    return FakeProgram(tmp_path)
