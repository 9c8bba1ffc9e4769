"""Every tool has a worked example that works."""

from __future__ import annotations

import pytest

from stockade.kernel.arguments import Arguments
from stockade.tools import registry
from stockade.tools.examples import Example, examples
from tests.examples.trying import tried
from tests.support.callers import Caller

TOOLS = {each.name: each for each in registry()}
EXAMPLES = examples()


def test_every_tool_has_one() -> None:
    assert sorted(EXAMPLES) == sorted(TOOLS)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=list(EXAMPLES))
async def test_it_works_as_recorded(mighty: Caller, example: Example) -> None:
    _, reply = await tried(mighty, example)
    result = example.shown["result"]
    if reply.data is None:
        assert isinstance(result, str)
    else:
        volatile = {"untrusted", "end", "truncated", "leftOut", "warnings", "settled", "pending"}
        assert set(reply.data) - volatile >= set(result) - volatile - optional(example.tool)


def optional(tool: str) -> set[str]:
    """What a result may lack."""
    gives = TOOLS[tool].gives
    required = getattr(gives, "__required_keys__", None)
    if required is None:
        return set(examples()[tool].shown["result"])
    return set(examples()[tool].shown["result"]) - set(required)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=list(EXAMPLES))
def test_the_arguments_shown_are_valid(example: Example) -> None:
    arguments: type[Arguments] = TOOLS[example.tool].arguments
    arguments.model_validate(example.shown["arguments"])
