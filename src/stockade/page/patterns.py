"""Patterns of addresses: `*` stands for any run of characters, everything else for itself."""

from __future__ import annotations

import re
from functools import lru_cache

_STARS = re.compile(r"\*+")


@lru_cache(maxsize=256)
def glob(pattern: str) -> re.Pattern[str]:
    """The pattern for a whole address; `?` is the beginning of a query and no wildcard."""
    return re.compile(r"\A" + ".*".join(map(re.escape, _STARS.split(pattern))) + r"\Z", re.DOTALL)
