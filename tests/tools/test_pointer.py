"""The mouse, on pages as people make them."""

from __future__ import annotations

from tests.page.test_dragging import AT_THE_DROP, LIST
from tests.support.callers import Caller

BOARD = """
<style>body { margin: 0 } li { width: 120px; height: 40px }</style>
<ul id="todo" aria-label="To do"><li draggable="true">Write report</li></ul>
<ul id="done" aria-label="Done" style="position: absolute; left: 300px; top: 0; height: 200px;
  width: 200px"></ul>
<script>
  const card = document.querySelector('li');
  card.addEventListener('dragstart', e => e.dataTransfer.setData('text/plain', 'card'));
  done.addEventListener('dragover', e => e.preventDefault());
  done.addEventListener('drop', e => { e.preventDefault(); done.append(card); });
</script>
"""
SLIDER = """
<style>body { margin: 0 }</style>
<div id="knob" role="slider" aria-label="Volume" tabindex="0" aria-valuenow="0"
  style="position: absolute; left: 0; top: 0; width: 40px; height: 40px; background: red"></div>
<script>
  knob.addEventListener('pointerdown', e => knob.setPointerCapture(e.pointerId));
  knob.addEventListener('pointermove', e => {
    if (!e.buttons) return;
    knob.style.left = e.clientX - 20 + 'px';
    knob.setAttribute('aria-valuenow', Math.round(e.clientX));
  });
</script>
"""


class TestDrag:
    async def test_a_card_to_another_list(self, caller: Caller) -> None:
        await caller.show(BOARD)
        result = await caller.ok(
            "drag",
            **{"from": {"selector": "text=Write report"}, "to": {"selector": "#done"}, "steps": 5},
        )
        assert result["steps"] == 5
        assert result["from"]["ref"].startswith("e")
        assert result["to"]["coords"]["x"] > 300
        listed = await caller.ok("find", query="Write report")
        assert listed["candidates"][0]["bbox"]["x"] >= 300

    async def test_a_knob_by_coordinates(self, caller: Caller) -> None:
        await caller.show(SLIDER)
        start, end = {"coords": {"x": 20, "y": 20}}, {"coords": {"x": 250, "y": 30}}
        await caller.ok("drag", **{"from": start, "to": end})
        assert "250" in await caller.text("snapshot")

    async def test_named_places(self, caller: Caller) -> None:
        await caller.show(SLIDER)
        box = {"x": 200, "y": 10, "width": 20, "height": 20}
        await caller.ok("name_region", name="loud", box=box)
        await caller.ok("drag", **{"from": {"selector": "role=slider"}, "to": {"named": "loud"}})
        assert "210" in await caller.text("snapshot")

    async def test_preflight_touches_nothing(self, caller: Caller) -> None:
        await caller.show(SLIDER)
        result = await caller.ok("drag", preflight=True, **{"from": {"selector": "role=slider"}})
        assert result["preflight"]["hit"]["role"] == "slider"
        assert result["preflight"]["resizeRisk"] is False
        assert result["preflight"]["point"]["x"] < 40

    async def test_without_a_goal(self, caller: Caller) -> None:
        await caller.show(SLIDER)
        body = await caller.refused("drag", **{"from": {"selector": "role=slider"}})
        assert body["code"] == "invalid_argument"
        body = await caller.refused("drag", **{"from": {}, "to": {}})
        assert body["code"] == "invalid_argument"


class TestDoubleClick:
    PAGE = "<p ondblclick=\"this.textContent = 'Opened'\">Folder</p>"

    async def test_an_element(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        result = await caller.ok("double_click", selector="text=Folder")
        assert result["action"]["ref"]
        assert "Opened" in result["snapshotDelta"]["tree"]

    async def test_as_one_object(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        result = await caller.ok("double_click", target={"selector": "text=Folder"})
        assert "Opened" in result["snapshotDelta"]["tree"]

    async def test_a_point(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        result = await caller.ok("double_click", coords={"x": 20, "y": 25})
        assert "Opened" in result["snapshotDelta"]["tree"]

    async def test_nothing(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        assert (await caller.refused("double_click"))["code"] == "invalid_argument"


class TestMouse:
    async def test_press_move_release(self, caller: Caller) -> None:
        await caller.show(SLIDER)
        pressed = await caller.ok("mouse_down", coords={"x": 20, "y": 20})
        assert (pressed["coords"], pressed["button"]) == ({"x": 20, "y": 20}, "left")
        moved = await caller.ok("mouse_move", coords={"x": 120, "y": 20}, steps=4)
        assert "120" in moved["snapshotDelta"]["tree"]
        released = await caller.ok("mouse_up")
        assert released["coords"] == {"x": 120, "y": 20}
        await caller.ok("mouse_move", coords={"x": 130, "y": 20})
        assert "130" not in await caller.text("snapshot")

    async def test_a_platform_drag_by_hand(self, caller: Caller) -> None:
        await caller.show(BOARD)
        box = (await caller.ok("find", query="Write report"))["candidates"][0]["bbox"]
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        await caller.ok("mouse_down", coords=middle)
        await caller.ok("mouse_move", coords={"x": 350, "y": 100}, steps=5)
        await caller.ok("mouse_up")
        listed = await caller.ok("find", query="Write report")
        assert listed["candidates"][0]["bbox"]["x"] >= 300

    async def test_the_wheel(self, caller: Caller) -> None:
        await caller.show(
            """<div style="height: 200px; overflow: auto" aria-label="Orders" role="list">
            <div role="listitem" style="height: 3000px">First</div></div>
            <p id="where">top</p>
            <script>document.querySelector('[role=list]').onscroll = e =>
              where.textContent = 'at ' + Math.round(e.target.scrollTop)</script>"""
        )
        result = await caller.ok("mouse_wheel", coords={"x": 50, "y": 100}, deltaY=150)
        assert result["deltaY"] == 150
        assert "at 150" in await caller.text("snapshot")


async def test_a_drag_beside_an_element_of_a_list(caller: Caller) -> None:
    await caller.show(LIST % ("column", "false", AT_THE_DROP))
    done = await caller.ok(
        "drag", **{"from": {"selector": "text='A'"}}, to={"selector": "text='C'"}, position="after"
    )
    assert done["to"]["coords"]["y"] > done["from"]["coords"]["y"]
    assert "- B\n- C\n- A\n- D" in await caller.text("page_text")
