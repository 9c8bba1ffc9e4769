from __future__ import annotations

from pathlib import Path

from stockade.cli.local import call_once, local_principal
from stockade.config import load
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Role


async def test_one_call_with_all_it_needs(tmp_path: Path) -> None:
    settings = load(workspace=tmp_path / "w")
    reply = await call_once(settings, "tabs", {"action": "new"})
    assert reply.ok
    assert reply.data is not None
    assert reply.data["tabs"][0]["url"] == "about:blank"
    assert list(settings.workspace.rglob("*")) == [settings.workspace / "scratch"]


def test_who_runs_it_has_what_the_settings_allow(tmp_path: Path) -> None:
    principal = local_principal(load(workspace=tmp_path, capabilities="read"))
    assert principal.policy.capabilities == {Capability.READ}
    assert principal.role is Role.AGENT
