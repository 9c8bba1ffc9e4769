"""What the page found becomes data of the wanted types."""

from __future__ import annotations

from typing import Any

from stockade.page.agent import PageAgent
from stockade.page.extract import extract
from tests.support.site import Site


def one(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


async def test_types_and_choices(agent: PageAgent) -> None:
    await agent.page.set_content("<dl><dt>Size<dd>LARGE<dt>Sold<dd>no<dt>Count<dd>2.5</dl>")
    found = await extract(
        agent,
        one(
            size={"type": "string", "enum": ["small", "large"]},
            sold={"type": "boolean"},
            count={"type": "integer"},
        ),
        caller="test",
    )
    assert found.data == {"size": "large", "sold": False, "count": None}
    (miss,) = found.evidence.partial_misses
    assert (miss.path, miss.reason, miss.actual) == ("count", "type_mismatch", "2.5")


async def test_bounds_and_doubts_are_told(agent: PageAgent) -> None:
    await agent.page.set_content("<b id=a>1,234</b>")
    source = {"x-source": {"selector": "#a"}}
    found = await extract(agent, one(a={"type": "number", **source}), caller="test")
    assert found.data == {"a": 1234}
    assert found.evidence.warnings == ["a: '1,234' was read as 1234"]
    schema = one(a={"type": "number", "maximum": 10, **source})
    beyond = await extract(agent, schema, caller="test")
    assert beyond.failure is not None
    assert beyond.failure.kind == "out_of_range"


async def test_a_label_that_two_values_share_is_not_silently_decided(agent: PageAgent) -> None:
    await agent.page.set_content("<dl><dt>Price<dd>1</dl><dl><dt>Price<dd>2</dl>")
    found = await extract(agent, one(price={"type": "integer"}), caller="test")
    assert found.evidence.warnings == ["price: 2 fit, the first was taken"]


async def test_frames_complete_each_other(agent: PageAgent, site: Site) -> None:
    inner = site.other.page("/inner", "<dl><dt>Weight<dd>5</dl>")
    outer = site.page("/outer", f"<dl><dt>Size<dd>3</dl><iframe src='{inner}'></iframe>")
    await agent.page.navigate(outer, until="load")
    schema = one(size={"type": "integer"}, weight={"type": "integer"})
    assert (await extract(agent, schema, caller="test")).data == {"size": 3, "weight": 5}
