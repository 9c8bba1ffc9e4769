from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.geometry import Quad
from stockade.engines.values import Point
from stockade.errors import InvalidArgument
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.reach import (
    Bounds,
    Level,
    Setting,
    inside,
    look_everywhere,
    named_frame,
    setting,
)


def test_overlap() -> None:
    one = Bounds(0, 0, 10, 10)
    assert one.overlap(Bounds(5, 6, 10, 10)) == Bounds(5, 6, 5, 4)
    assert one.overlap(Bounds(10, 0, 5, 5)) is None


async def test_a_frame_in_a_frame_through_transforms(agent: PageAgent) -> None:
    inner = "<body style=margin:0><button>In</button>"
    outer = (
        "<body style=margin:0><iframe style=position:absolute;left:10px;top:20px;border:0;"
        f"width:100px;height:50px srcdoc='{inner}'></iframe>"
    )
    await agent.page.set_content(
        "<body style='margin:0'><iframe style='position:absolute;left:100px;top:100px;border:0;"
        f'transform:scale(2);transform-origin:0 0\' srcdoc="{outer}"></iframe>'
    )
    deep = agent.frames()[-1]
    assert deep.parent is not None
    assert deep.parent.parent is not None
    found = await setting(agent, deep, {"width": 100, "height": 50})
    assert found.actionable is True
    assert found.map({"x": 5, "y": 5, "width": 10, "height": 10}) == Bounds(130, 150, 20, 20)
    assert found.window == Bounds(120, 140, 200, 100)


def test_an_item_is_cut_to_what_shows_of_its_frame() -> None:
    corners = (Point(0, 0), Point(200, 0), Point(200, 100), Point(0, 100))
    where = Setting((Level(Quad(*corners), 100, 50),), Bounds(0, 0, 50, 100))
    item: dict[str, Any] = {"bbox": {"x": 0, "y": 0, "width": 50, "height": 10}, "actionable": True}
    placed = where.place(item)
    assert placed["bbox"] == {"x": 0, "y": 0, "width": 50, "height": 20}
    assert (placed["clipped"], placed["actionable"]) == (True, True)
    away: dict[str, Any] = {"bbox": {"x": 60, "y": 0, "width": 9, "height": 9}, "actionable": True}
    assert where.place(away)["actionable"] == "off-screen"


async def test_frames_by_name(agent: PageAgent) -> None:
    await agent.page.set_content("<iframe srcdoc='x'></iframe>")
    assert named_frame(agent, "f0") is agent.page.main_frame
    assert named_frame(agent, "f1") is agent.frames()[1]
    with pytest.raises(InvalidArgument):
        named_frame(agent, "f7")


async def test_all_frames_answer_in_their_order(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<iframe srcdoc='<b></b>'></iframe><iframe style='display:none' srcdoc='<b></b>'></iframe>"
    )
    answers, warnings = await look_everywhere(agent, "select", caller="test", selector="b")
    assert [(agent.prefix(each.frame), each.said["count"]) for each in answers] == [
        ("", 0),
        ("f1", 1),
        ("f2", 1),
    ]
    assert [each.setting.actionable for each in answers] == [True, True, "hidden"]
    assert warnings == []


async def test_what_is_in_a_frame_element_is_its_document(agent: PageAgent) -> None:
    await agent.page.set_content("<p>x</p><iframe srcdoc='<b></b>'></iframe>")
    frame = await resolve(agent, "iframe", caller="test")
    assert await inside(agent, frame) == (agent.frames()[1], None)
    assert await resolve(agent, "b", caller="test", context_ref=frame) == "f1e1"
    text = await resolve(agent, "p", caller="test")
    assert (await inside(agent, text))[0] is agent.page.main_frame
