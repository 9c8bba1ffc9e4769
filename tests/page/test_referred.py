"""Values by refs: what an element holds or is called, as it is now."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.page.referred import referred, wanted_of
from tests.support.tabs import CALLER, Tab


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


async def test_an_element_that_changed_is_read_anew(tab: Tab) -> None:
    await tab.show("<button>Alpha</button><input type=checkbox><b>x</b>")
    button, box, bold = [await tab.ref(each) for each in ("button", "input", "b")]
    await tab.main("() => { document.querySelector('button').textContent = '12 pieces' }")
    wanted = wanted_of(
        schema(
            name={"x-ref": button},
            count={"type": "integer", "x-ref": button},
            ticked={"type": "boolean", "x-ref": box},
            text={"type": "string", "x-ref": bold},
            nothing={"type": "string"},
            wrong={"type": "number", "x-ref": bold},
        )
    )
    found = await referred(tab.agent, wanted, caller=CALLER)
    assert found.missing == []
    assert found.data == {
        "name": "12 pieces",
        "count": 12,
        "ticked": False,
        "text": "x",
        "nothing": None,
        "wrong": None,
    }


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"type": "object"},
        {"type": "object", "properties": {}, "required": "a"},
        schema(a="b"),
        schema(a={"type": "date"}),
        schema(a={"type": "array", "items": {"type": "object"}}),
        schema(a={"x-ref": 3}),
        schema(**{f"p{number}": {} for number in range(201)}),
    ],
)
def test_what_cannot_be_filled_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        wanted_of(bad)
