"""How this installation is started again: by its path, or by what keeps it in a cache.

`uvx` and `pipx run` install into caches, which are cleared: a path into one does not last.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

__all__ = ["Installation"]

_NAME = "stockade"
_PIPX = "pipx"
_UV = "uv"


@dataclass(frozen=True)
class Installation:
    """Where the program runs from, and who may have put it there."""

    executable: Path = field(default_factory=lambda: Path(sys.executable))
    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def lasts(self) -> bool:
        """Whether its path will be there tomorrow."""
        return not self._cached

    @property
    def command(self) -> list[str]:
        """What starts it, now and later."""
        if self._cached:
            parts = self.executable.parts
            if _PIPX in parts:
                return [self._found(_PIPX), "run", *self._source("--spec"), _NAME]
            if _UV in parts or "UV" in self.environment or self._under("UV_CACHE_DIR"):
                return [self._found("uvx"), *self._source("--from"), _NAME]
        beside = self.executable.parent / _NAME
        return [str(beside)] if beside.is_file() else [str(self.executable), "-m", _NAME]

    @property
    def _cached(self) -> bool:
        caches = (
            self.home / ".cache",
            self.home / "Library" / "Caches",
            self.home / ".local" / "pipx" / ".cache",
            self.home / ".local" / "share" / "pipx" / ".cache",
            Path(tempfile.gettempdir()),
        )
        named = ("UV_CACHE_DIR", "XDG_CACHE_HOME")
        pipx = self.environment.get("PIPX_HOME")
        return (
            any(self.executable.is_relative_to(each) for each in caches)
            or any(map(self._under, named))
            or bool(pipx and self.executable.is_relative_to(Path(pipx) / ".cache"))
        )

    def _under(self, variable: str) -> bool:
        place = self.environment.get(variable)
        return place is not None and place != "" and self.executable.is_relative_to(place)

    def _found(self, program: str) -> str:
        """In full where it can be found: a client may have another search path than a shell."""
        runner = self.environment.get("UV")
        if runner and (beside := Path(runner).with_name(program)).is_file():
            return str(beside)
        return shutil.which(program, path=self.environment.get("PATH")) or program

    def _source(self, option: str) -> list[str]:
        """Where it was installed from, unless that is the package index."""
        try:
            told = distribution(_NAME).read_text("direct_url.json")
            about: dict[str, Any] = json.loads(told or "{}")
        except (PackageNotFoundError, ValueError):
            return []
        url = about.get("url")
        if not url:
            return []
        version = about.get("vcs_info")
        if version:
            url = f"{version['vcs']}+{url}@{version['commit_id']}"
        return [option, str(url)]
