from __future__ import annotations

from pathlib import Path

from stockade.cli.posture import line, posture, warnings
from stockade.config import load
from stockade.policy.capabilities import DANGEROUS


def test_what_is_usual_is_not_alarming(tmp_path: Path) -> None:
    settings = load(workspace=tmp_path)
    assert line(settings) == (
        "isolation process · capabilities action, human, navigation, read"
        " · origins any · confirmations none yet"
    )
    assert warnings(settings) == []


def test_what_is_open_is_said(tmp_path: Path) -> None:
    settings = load(
        workspace=tmp_path,
        capabilities="all",
        allowed_origins="example.com,example.org",
        blocked_origins="evil.example.com",
        isolation="shared",
    )
    assert "isolation shared" in line(settings)
    assert "origins example.com, example.org but evil.example.com" in line(settings)
    assert posture(settings)["allowed_origins"] == ["example.com", "example.org"]
    assert len(warnings(settings)) == len(DANGEROUS)
    assert all(name in " ".join(warnings(settings)) for name in DANGEROUS)


def test_nothing_at_all_can_be_allowed(tmp_path: Path) -> None:
    assert "capabilities read ·" in line(load(workspace=tmp_path, capabilities="read"))
