"""Settings from an environment."""

from __future__ import annotations

from pathlib import Path

from stockade.config import Settings, load


def test_defaults_without_an_environment() -> None:
    assert load({}) == Settings()


def test_every_setting_can_be_given() -> None:
    settings = load({"STOCKADE_CHROMIUM": "/opt/chromium", "STOCKADE_BROWSER_UID": "1234"})
    assert settings == Settings(chromium=Path("/opt/chromium"), browser_uid=1234)
