"""What the doctor says of plugins."""

from __future__ import annotations

from pathlib import Path

from stockade.cli.checks.plugins import plugins
from stockade.config import load
from tests.support.plugins import install, on_path

SOURCE = """
async def hello(api, args):
    return 'hello'

class adapter:
    namespace = 'hello'
    capabilities = {!r}
    ops = {{'hello': hello}}
"""


def test_each_that_is_wanted_is_told_of(tmp_path: Path) -> None:
    install(tmp_path, "fine", SOURCE.format(("read",)))
    install(tmp_path, "mighty", SOURCE.format(("eval",)))
    install(tmp_path, "unwanted", "raise SystemError")
    place = tmp_path / "workspace"
    with on_path(tmp_path):
        found = list(plugins(load(workspace=place, plugins=("fine", "mighty", "gone"))))
        none = list(plugins(load(workspace=place)))
    assert none == []
    assert [(each.state, each.said.split()[0].strip(":")) for each in found] == [
        ("ok", "fine"),
        ("warning", "mighty"),
        ("warning", "gone"),
    ]
    assert "eval" in found[1].said
    assert "pip install" in found[2].remedy
