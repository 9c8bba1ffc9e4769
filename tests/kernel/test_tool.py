"""A tool is made of one typed function."""

from __future__ import annotations

from stockade.kernel.arguments import InTab
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability


class Given(InTab):
    """What it takes."""

    some_number: int = 1


def test_everything_is_read_from_the_function() -> None:
    @tool(Capability.READ, gives=dict, reads=True, toolset="debug")
    async def look_(call: Call, args: Given) -> dict[str, int]:
        """Look
        closely.
        """
        del call
        return {"n": args.some_number}

    assert (look_.name, look_.description) == ("look", "Look closely.")
    assert look_.arguments is Given
    assert look_.capability is Capability.READ
    assert (look_.toolset, look_.reach) == ("debug", "tab")
    assert look_.reads
    assert look_.idempotent
    assert not look_.destructive


def test_names_outside_are_camel_case() -> None:
    assert Given.model_validate({"someNumber": 3}).some_number == 3
    assert Given.model_validate({"some_number": 3}).some_number == 3
