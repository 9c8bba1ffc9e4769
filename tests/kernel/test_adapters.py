"""What a plugin is given to work with."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.flows.plugins import Plugins
from stockade.policy.capabilities import Capability
from tests.support.callers import Caller
from tests.support.plugins import install, on_path

SOURCE = """
async def where(api, args):
    return (await api.call_tool('eval_js', {'expr': 'document.title', **args}))['value']

class adapter:
    namespace = 'where'
    capabilities = ('eval',)
    ops = {'where': where}
"""


async def test_it_works_in_the_tab_of_the_call_alone(
    mighty: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "where", SOURCE)
    with on_path(tmp_path):
        plugins = Plugins.load(["where"], frozenset(Capability))
    monkeypatch.setattr(mighty.kernel, "plugins", plugins)
    await mighty.ok("open_session", session="other")
    await mighty.show("<title>Other</title>", path="/other", session="other")
    await mighty.show("<title>Mine</title>")
    asked = {"adapter": "where", "op": "where"}
    for args in ({}, {"session": "other"}, {"tab": "t99"}):
        assert (await mighty.ok("canvas_query", **asked, args=args))["result"] == "Mine"
    told = await mighty.ok("canvas_query", **asked, session="other")
    assert told["result"] == "Other"
