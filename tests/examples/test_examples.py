"""Every tool has a worked example that works, and that tells nothing that does not show.

The shop that they are tried on says everything with invisible characters in it.
"""

from __future__ import annotations

import re

import pytest

from stockade.tools import registry
from stockade.tools.examples import Example, examples
from tests.examples.trying import OPERATORS, tried
from tests.support.callers import Caller
from tests.support.hostile_shop import Heard, open_hostile_shop

TOOLS = {each.name: each for each in registry()}
EXAMPLES = examples()
PARTS = 8
PASSING = re.compile(
    "navigate|go_.+|reload|scroll|click|hover|fill|type|press|select|fill_form|wait_for|batch|"
    "choose_option|drag|double_click|mouse_wheel|shortcut|upload_file|drop_files|eval_js|poll_eval|"
    "name_.+|find_feedback|act_and_.+|canvas_.+|visual_diff|page_archive|.+_export|pdf_save|"
    "artifact_save|(cookies|localstorage|sessionstorage|caches|idb)_.+"
)
"""Tools after which a new document can be opened as if nothing had been: one session is enough."""


def test_every_tool_has_one() -> None:
    assert sorted(EXAMPLES) == sorted(TOOLS)


def leaves_no_trace(example: Example) -> bool:
    """Whether the next example needs no session of its own."""
    tools = {example.tool, *(name for name, _ in example.before)}
    return not tools & OPERATORS and all(
        TOOLS[each].reads or PASSING.fullmatch(each) for each in tools
    )


async def works(caller: Caller, example: Example) -> None:
    heard = Heard()
    _, reply = await tried(caller, example, opens=open_hostile_shop, hear=heard)
    assert heard.found == {}
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
