from __future__ import annotations

from pathlib import Path

import pytest

from stockade.cli.posture import line, posture, unused, warnings
from stockade.config import load
from stockade.policy.capabilities import DANGEROUS


def test_what_is_usual_is_not_alarming(tmp_path: Path) -> None:
    settings = load(workspace=tmp_path, egress_allow=())
    assert line(settings) == (
        "isolation auto · capabilities action, human, navigation, read"
        " · origins any · confirmations none"
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


def test_a_persons_browser_and_pages_without_walls_are_said_aloud(tmp_path: Path) -> None:
    address = "http://127.0.0.1:9222"
    assert warnings(load(workspace=tmp_path, attach_cdp=address)) == []
    both = load(workspace=tmp_path, attach_cdp=address, capabilities="default,byob-attach")
    assert [each.partition(":")[0] for each in warnings(both)] == [
        "byob-attach is on", "attach_cdp is set",
    ]  # fmt: skip
    assert "logged in" in warnings(both)[1]
    (tmp_path / "stockade.toml").write_text("disable_web_security = true")
    assert warnings(load(workspace=tmp_path))[0].startswith(
        "disable_web_security is on: every page"
    )


def test_who_answers_and_who_may_call_is_said_aloud(tmp_path: Path) -> None:
    said = warnings(load(workspace=tmp_path, approval_elicitation=True), no_auth=True)
    assert [each.partition(":")[0] for each in said] == [
        "approval_elicitation is on", "no token is asked for",
    ]  # fmt: skip


def test_what_pages_reach_beside_the_world_is_said(tmp_path: Path) -> None:
    few = load(workspace=tmp_path, egress_allow="localhost:3000", egress_ports="8443")
    assert line(few).endswith(" · pages also reach localhost:3000, port 8443")
    assert posture(few)["egress_allow"] == ["localhost:3000"]
    assert posture(few)["egress_ports"] == [8443]
    many = load(workspace=tmp_path, egress_allow=[f"localhost:{port}" for port in range(1, 31)])
    assert line(many).endswith("localhost:6 and 24 more")


def test_the_way_out_is_said_without_its_keys(tmp_path: Path) -> None:
    one = load(workspace=tmp_path, proxies="http://alice:pass-word@gate:3128")
    assert line(one).endswith(" · through http://gate:3128, round_robin")
    several = load(workspace=tmp_path, proxies=["a:1", {"server": "b:2", "name": "Berlin"}])
    assert "through 2 proxies" in line(several)
    assert posture(several)["proxies"] == ["http://a:1", "Berlin"]
    assert "alice" not in str(posture(one))


def test_what_does_nothing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NODE_ENV", "production")
    (tmp_path / "camofox.config.json").write_text("{}")
    (said,) = unused(load(workspace=tmp_path))
    assert "camofox.config.json is not read" in said
    assert len(unused(load(workspace=tmp_path, compat=True))) == 2


def test_nothing_at_all_can_be_allowed(tmp_path: Path) -> None:
    assert "capabilities read ·" in line(load(workspace=tmp_path, capabilities="read"))


def test_an_open_tab_api_is_said_aloud(tmp_path: Path) -> None:
    (said,) = [each for each in warnings(load(workspace=tmp_path, compat=True)) if "compat" in each]
    assert "every program on this machine" in said
    for closed in ({"access_key": "a-key-of-ours"}, {"host": "0.0.0.0"}):
        loud = warnings(load(workspace=tmp_path, compat=True, **closed))
        assert not any("compat" in each for each in loud)
    assert warnings(load(workspace=tmp_path)) == []
