"""Settings: the one place that reads the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Settings", "load"]


@dataclass(frozen=True)
class Settings:
    """What an operator can set about the browser that runs here."""

    chromium: Path | None = None
    """The browser binary; found among the usual places when unset (`STOCKADE_CHROMIUM`)."""
    browser_uid: int = 61001
    """The unprivileged uid a browser runs under when Stockade runs as root
    (`STOCKADE_BROWSER_UID`)."""


def load(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from `environment`, by default the process's own."""
    source = os.environ if environment is None else environment
    chromium = source.get("STOCKADE_CHROMIUM")
    uid = source.get("STOCKADE_BROWSER_UID")
    return Settings(
        chromium=Path(chromium) if chromium else None,
        browser_uid=int(uid) if uid else Settings.browser_uid,
    )
