"""Every tool has a worked example that works."""

from __future__ import annotations

import pytest

from stockade.tools import registry
from stockade.tools.examples import Example, examples
from tests.examples.trying import OPERATORS, tried
from tests.support.callers import Caller

TOOLS = {each.name: each for each in registry()}
EXAMPLES = examples()
PARTS = 8
PASSING = set(
    "navigate go_back go_forward reload scroll click hover fill type press select fill_form "
    "wait_for batch choose_option drag double_click mouse_wheel shortcut upload_file drop_files "
    "eval_js poll_eval name_ref name_region find_feedback act_and_diff act_and_sample "
    "act_and_wait_for_network canvas_query canvas_capture visual_diff page_archive element_export "
    "dom_export asset_export pdf_save artifact_save cookies_set cookies_delete cookies_clear "
    "localstorage_set localstorage_delete localstorage_clear sessionstorage_set "
    "sessionstorage_delete sessionstorage_clear caches_put caches_delete caches_clear "
    "caches_delete_storage idb_put idb_delete idb_clear".split()  # noqa: SIM905
)
"""Tools after which a new document can be opened as if nothing had been: one session is enough."""


def test_every_tool_has_one() -> None:
    assert sorted(EXAMPLES) == sorted(TOOLS)


def leaves_no_trace(example: Example) -> bool:
    """Whether the next example needs no session of its own."""
    tools = {example.tool, *(name for name, _ in example.before)}
    return not tools & OPERATORS and all(TOOLS[each].reads or each in PASSING for each in tools)


async def works(caller: Caller, example: Example) -> None:
    _, reply = await tried(caller, example)
    result = example.shown["result"]
    if reply.data is None:
        assert isinstance(result, str), example.tool
    else:
        volatile = {"untrusted", "end", "truncated", "leftOut", "warnings", "settled", "pending"}
        promised = set(result) - volatile - optional(example.tool)
        assert set(reply.data) - volatile >= promised, example.tool


PASSED = [each for each in EXAMPLES.values() if leaves_no_trace(each)]


@pytest.mark.parametrize("part", range(PARTS))
async def test_those_of_passing_things_work_as_recorded(mighty: Caller, part: int) -> None:
    for example in PASSED[part::PARTS]:
        await works(mighty, example)


LASTING = {each.tool: each for each in EXAMPLES.values() if each not in PASSED}


@pytest.mark.parametrize("example", LASTING.values(), ids=list(LASTING))
async def test_it_works_as_recorded(mighty: Caller, example: Example) -> None:
    await works(mighty, example)


def optional(tool: str) -> set[str]:
    """What a result may lack."""
    gives = TOOLS[tool].gives
    required = getattr(gives, "__required_keys__", None)
    if required is None:
        return set(examples()[tool].shown["result"])
    return set(examples()[tool].shown["result"]) - set(required)


def test_the_arguments_shown_are_valid() -> None:
    for tool, example in EXAMPLES.items():
        TOOLS[tool].arguments.model_validate(example.shown["arguments"])
