"""What operators change while the server runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stockade.errors import InvalidArgument
from stockade.kernel.overlay import Overlay
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy

WIDE = Policy(capabilities=frozenset({Capability.READ, Capability.ACTION}))


def test_nothing_set_changes_nothing_and_makes_no_workspace(tmp_path: Path) -> None:
    overlay = Overlay(tmp_path / "none")
    assert overlay.narrowed("local", WIDE) is WIDE
    assert not (tmp_path / "none").exists()


def test_a_layer_narrows_lasts_and_is_a_tenants_own(tmp_path: Path) -> None:
    place = tmp_path / "workspace"
    overlay = Overlay(place)
    overlay.set("local", "user", {"capabilities": ["read", "eval"]})
    overlay.set("local", "user", {"blockedOrigins": ["evil.example"]})
    overlay.set("local", "project", {"confirmRequired": ["form_submit"]})
    for each in (overlay, Overlay(place)):
        policy = each.narrowed("local", WIDE)
        assert policy.capabilities == {Capability.READ}
        assert not policy.admits("https://evil.example/")
        assert [rule.text for rule in policy.confirmed] == ["form_submit"]
        assert each.pending("local", WIDE) == ["eval"]
        assert each.narrowed("other", WIDE) is WIDE
    overlay.set("local", "project", {"capabilities": ["action"]})
    assert overlay.narrowed("local", WIDE).capabilities == {Capability.ACTION}
    overlay.reset("local", "project")
    assert overlay.resolved("local") == overlay.layer("local", "user")


def test_what_cannot_be_used_changes_nothing(tmp_path: Path) -> None:
    overlay = Overlay(tmp_path / "workspace")
    for patch in ({"capabilities": ["all of it"]}, {"allowedOrigins": ["*"]}):
        with pytest.raises(InvalidArgument):
            overlay.set("local", "user", patch)
    assert overlay.resolved("local") == {}


@pytest.mark.parametrize("content", ["{", "[]", '{"local": {"user": {"headless": []}}}'])
def test_a_file_that_makes_no_sense_lets_nobody_in(tmp_path: Path, content: str) -> None:
    place = tmp_path / "workspace"
    Overlay(place).set("local", "user", {})
    (place / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidArgument, match="makes no sense"):
        Overlay(place).narrowed("local", WIDE)
    (place / "config.json").write_text(json.dumps({}), encoding="utf-8")
    assert Overlay(place).narrowed("local", WIDE) is WIDE
