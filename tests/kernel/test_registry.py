"""The registry: what there is, what is shown, and what is said of the rest."""

from __future__ import annotations

import pytest

from stockade.errors import BadSetting, NotShown, UnknownTool
from stockade.kernel.registry import Listed, Registry
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.tools import registry

TOOLS = registry()
CORE = frozenset({"core"})


def test_the_core_has_its_tools() -> None:
    expected = (
        "open_session close_session list_sessions navigate go_back go_forward reload tabs snapshot "
        "find text_search screenshot click fill fill_form type press select hover scroll wait_for "
        "batch console_read network_read answer_dialog set_dialog_policy"
    )
    assert {each.name for each in TOOLS.shown(CORE, Principal("k"))} == set(expected.split())


def test_tools_of_a_disabled_capability_are_not_shown() -> None:
    files = frozenset({"core", "forms"})
    assert "upload_file" not in {each.name for each in TOOLS.shown(files, Principal("k"))}
    every = Principal("k", policy=Policy(capabilities=frozenset(Capability)))
    assert "upload_file" in {each.name for each in TOOLS.shown(files, every)}
    nothing = Principal("k", policy=Policy(capabilities=frozenset()))
    assert {each.capability for each in TOOLS.shown(files, nothing)} == {None}


def test_what_is_for_operators_is_shown_to_them_alone() -> None:
    debug = frozenset({"debug"})
    agents = {each.name for each in TOOLS.shown(debug, Principal("k"))}
    operators = {each.name for each in TOOLS.shown(debug, Principal("k", role=Role.OPERATOR))}
    assert operators - agents == {
        "approve_actions",
        "list_approvals",
        "set_config",
        "reset_config",
    }


def test_toolsets_are_chosen_by_name() -> None:
    assert TOOLS.chosen(["core"]) == CORE
    assert TOOLS.chosen(["all"]) == frozenset(TOOLS.toolsets) - {"camofox"}
    assert TOOLS.chosen(["all", "camofox"]) == frozenset(TOOLS.toolsets)
    with pytest.raises(BadSetting, match="not a toolset"):
        TOOLS.chosen(["core", "everything"])


def test_an_unknown_tool_names_its_neighbours() -> None:
    with pytest.raises(UnknownTool) as caught:
        TOOLS.find("snapshoot")
    assert "snapshot" in caught.value.hint


def test_a_tool_of_another_toolset_names_it() -> None:
    with pytest.raises(NotShown) as caught:
        TOOLS.offered("upload_file", CORE)
    assert caught.value.details["toolset"] == "forms"
    assert TOOLS.offered("upload_file", None).name == "upload_file"


def test_names_are_unique() -> None:
    tool = TOOLS.find("click")
    with pytest.raises(ValueError, match="click"):
        Registry([Listed.of(tool), Listed.of(tool)])


def test_every_tool_is_described_and_refuses_what_it_does_not_know() -> None:
    for found in TOOLS:
        assert 10 < len(found.description) < 130
        assert found.description.endswith(".")
        assert found.arguments.model_config["extra"] == "forbid"
        if found.reads:
            assert not found.destructive
            assert found.idempotent
