"""Which plugins are loaded, in which order, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

from stockade.flows.plugins import Plugins
from stockade.policy.capabilities import DEFAULT, Capability
from tests.support.plugins import install_all, on_path

ADAPTER = """
async def hello(api, args):
    '''Say hello.'''
    return 'hello'

class Adapter:
    namespace = {namespace!r}
    version = '2'
    capabilities = {capabilities!r}
    depends_on = {depends_on!r}
    ops = {{'hello': hello}}

adapter = Adapter
"""


def adapter(
    namespace: str, *, capabilities: tuple[str, ...] = (), depends_on: tuple[str, ...] = ()
) -> str:
    return ADAPTER.format(namespace=namespace, capabilities=capabilities, depends_on=depends_on)


def statuses(plugins: Plugins) -> dict[str, str]:
    return {each.name: each.status for each in plugins}


def test_only_those_that_are_named_are_loaded(tmp_path: Path) -> None:
    install_all(
        tmp_path,
        {
            "plug-one": adapter("one", capabilities=("read",)),
            "plug-two": "raise RuntimeError('loaded although nobody asked for it')",
        },
    )
    with on_path(tmp_path):
        plugins = Plugins.load(["plug-one", "plug-none"], DEFAULT)
    assert statuses(plugins) == {
        "plug-one": "loaded",
        "plug-none": "not-installed",
        "plug-two": "disabled",
    }
    one = plugins.adapter("one")
    assert one is not None
    assert (one.version, one.capabilities) == ("2", frozenset({Capability.READ}))
    assert [(each.name, each.about) for each in one.operations.values()] == [
        ("hello", "Say hello.")
    ]
    assert plugins.adapter("two") is None
    assert list(Plugins.load([], DEFAULT)) == []


def test_each_comes_after_what_it_depends_on(tmp_path: Path) -> None:
    install_all(
        tmp_path,
        {
            "plug-top": adapter("top", depends_on=("plug-mid",)),
            "plug-mid": adapter("mid", depends_on=("plug-low",)),
            "plug-low": adapter("low"),
            "plug-odd": adapter("odd", depends_on=("plug-gone",)),
            "plug-far": adapter("far", depends_on=("plug-odd",)),
            "plug-ring": adapter("ring", depends_on=("plug-rang",)),
            "plug-rang": adapter("rang", depends_on=("plug-ring",)),
            "plug-near": adapter("near", depends_on=("plug-ring",)),
            "plug-self": adapter("self", depends_on=("plug-self",)),
        },
    )
    enabled = [f"plug-{each}" for each in ("top", "mid", "low", "odd", "far", "near", "self")]
    enabled += ["plug-ring", "plug-rang"]
    with on_path(tmp_path):
        plugins = Plugins.load(enabled, DEFAULT)
    found = statuses(plugins)
    loaded = [name for name, status in found.items() if status == "loaded"]
    assert loaded == ["plug-low", "plug-mid", "plug-top"]
    assert found["plug-odd"] == found["plug-far"] == found["plug-near"] == "disabled-by-dep-missing"
    assert found["plug-ring"] == found["plug-rang"] == found["plug-self"] == "disabled-by-cycle"
    top = plugins.find("plug-top")
    assert top is not None
    assert plugins.behind(top) == ["plug-mid", "plug-low"]
    assert plugins.adapter("ring") is None


def test_what_is_wrong_is_told_without_a_traceback(tmp_path: Path) -> None:
    install_all(
        tmp_path,
        {
            "bad-import": "import nowhere_at_all",
            "bad-raise": "raise SystemError('password=hunter2')",
            "bad-name": adapter("Not A Name"),
            "bad-capability": adapter("cap", capabilities=("everything",)),
            "bad-all": adapter("some", capabilities=("all",)),
            "bad-ops": "class adapter:\n    namespace = 'ops'\n    ops = {'x': print}",
            "bad-none": "adapter = None",
            "wants-eval": adapter("eval", capabilities=("eval",)),
            "first": adapter("same"),
            "second": adapter("same"),
        },
    )
    enabled = [
        *("bad-import", "bad-raise", "bad-name", "bad-capability", "bad-all", "bad-ops"),
        *("bad-none", "wants-eval", "first", "second"),
    ]
    with on_path(tmp_path):
        plugins = Plugins.load(enabled, DEFAULT)
    found = statuses(plugins)
    assert {each for name, each in found.items() if name.startswith("bad")} == {"load-error"}
    assert found["wants-eval"] == "disabled-by-capability-mismatch"
    assert (found["first"], found["second"]) == ("loaded", "disabled-by-namespace-conflict")
    assert all(each.problem for each in plugins if each.status != "loaded")
    assert not any("hunter2" in each.problem for each in plugins)
    assert not any(each.operations for each in plugins if each.status != "loaded")
