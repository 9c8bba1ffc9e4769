from __future__ import annotations

import pytest

from stockade.errors import StaleRef
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.probe import inspect, point_probe
from stockade.page.reach import Bounds
from tests.support.site import Site


async def test_inspect_of_a_ref_that_is_gone(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Go</button>")
    ref = await resolve(agent, "button", caller="test")
    await agent.page.main_frame.call("() => document.querySelector('button').remove()")
    with pytest.raises(StaleRef):
        await inspect(agent, ref, caller="test")


async def test_point_into_a_transformed_cross_site_frame(agent: PageAgent, site: Site) -> None:
    inner = site.page(
        "/inner",
        "<body style='margin:0'><button style='position:absolute;left:40px;top:40px;"
        "width:20px;height:20px'>Hit</button>",
    )
    outer = site.other.page(
        "/outer",
        f"<body style='margin:0'><iframe src='{inner.replace('127.0.0.1', 'localhost')}' "
        "style='position:absolute;left:100px;top:100px;width:200px;height:100px;border:10px solid;"
        "transform:scale(2);transform-origin:0 0'></iframe>",
    )
    await agent.page.navigate(outer, until="load")
    # left 100 + (border 10 + 50 inside) × 2
    seen = await point_probe(agent, 220, 220, caller="test")
    assert [each.tag for each in seen.stack[:2]] == ["button", "body"]
    assert "iframe" in [each.tag for each in seen.stack]
    assert seen.stack[0].ref.startswith("f1e")
    assert seen.stack[0].box == Bounds(200, 200, 40, 40)
    assert seen.clickable_ancestor is not None
    assert seen.clickable_ancestor.name == "Hit"
    framed = await inspect(agent, seen.stack[0].ref, caller="test")
    assert framed.box == Bounds(200, 200, 40, 40)
