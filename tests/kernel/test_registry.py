"""The registry: what there is, what is shown, and what is said of the rest."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import stockade
from stockade.errors import BadSetting, NotShown, UnknownTool
from stockade.kernel.registry import Listed, Registry
from stockade.kernel.tool import Tool
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


# --- hints ----------------------------------------------------------------------------------------

NAMES = [each.name for each in (*TOOLS, *TOOLS.apart)]
TELLING = re.compile(rf"(?<![`\w])({'|'.join(each for each in NAMES if '_' in each)})(?![`\w])")
"""Names of tools that are no English word, and not in backticks."""


@cache
def hints() -> list[tuple[str, str]]:
    return list(_hints())


def _hints() -> Iterator[tuple[str, str]]:
    """Every text in the source that is, or becomes, a hint; with the file it is in."""
    for file in sorted(Path(stockade.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            value: ast.expr | None = None
            if (
                (isinstance(node, ast.keyword) and node.arg == "hint")
                or (isinstance(node, ast.Assign) and "hint" in ast.unparse(node.targets[0]).lower())
                or (isinstance(node, ast.AnnAssign) and "hint" in ast.unparse(node.target).lower())
            ):
                value = node.value
            for part in ast.walk(value) if value is not None else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield file.name, part.value


def test_every_hint_names_tools_so_that_they_can_be_told_apart() -> None:
    found = hints()
    assert sum("`answer_dialog`" in text for _, text in found) >= 2
    assert [(file, text) for file, text in found if TELLING.search(text)] == []


@pytest.mark.parametrize("toolset", TOOLS.toolsets)
def test_no_hint_names_a_tool_that_was_not_shown_as_if_it_were(toolset: str) -> None:
    toolsets = frozenset({"core", toolset})
    agent = Principal("k")
    shown = {each.name for each in TOOLS.shown(toolsets, agent)}
    for file, text in hints():
        told = TOOLS.worded(text, toolsets, agent)
        for name in re.findall(r"`([a-z_]+)`", text):
            if name in NAMES:
                assert (re.search(rf"\b{name}\b(?! \()", told) is not None) == (name in shown), file


@pytest.mark.parametrize(
    ("given", "agent", "told"),
    [
        (None, Principal("k"), "Use artifact_list."),
        (frozenset({"media"}), Principal("k"), "Use artifact_list."),
        (CORE, Principal("k"), "Use artifact_list (toolset media)."),
        (
            frozenset({"media"}),
            Principal("k", policy=Policy(capabilities=frozenset())),
            "Use artifact_list (capability read is off).",
        ),
    ],
)
def test_a_hint_says_what_it_would_take(
    given: frozenset[str] | None, agent: Principal, told: str
) -> None:
    assert TOOLS.worded("Use `artifact_list`.", given, agent) == told
    assert TOOLS.worded("Set `approval`.", given, agent) == "Set `approval`."
    operators = TOOLS.worded("`set_config`", None, Principal("k"))
    assert operators == "set_config (for the operator alone)"


async def test_a_tool_is_loaded_once_and_off_the_loop() -> None:
    threads: list[int] = []
    tool = TOOLS.find("click")

    def load() -> Tool:
        threads.append(threading.get_ident())
        return tool

    listed = Listed(tool.name, tool.toolset, tool.capability, tool.role, load)
    known = Registry([listed])
    await known.load("click")
    await known.load("click")
    await known.load("nothing")
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()
