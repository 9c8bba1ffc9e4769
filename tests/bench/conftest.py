"""The benchmark is not part of a source distribution, which has these tests."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("bench") else ["test_*.py"]
