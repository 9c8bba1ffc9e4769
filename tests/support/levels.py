"""The level that tests run at which do not care: what a page does is the same at every one."""

from __future__ import annotations

import os
from typing import Final

import pytest

__all__ = ["LEVEL", "only_beside", "only_shared"]

LEVEL: Final = os.environ.get("TEST_LEVEL", "shared")
"""`make jailed` runs them again, each session in a jail."""

only_shared = pytest.mark.skipif(LEVEL != "shared", reason="it is about one browser for all")
only_beside = pytest.mark.skipif(
    LEVEL == "bwrap", reason="in a jail there is nothing of the test's own files and sockets"
)
