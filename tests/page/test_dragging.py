"""Dragging in a real browser."""

from __future__ import annotations

import pytest

from stockade.engines.values import Point
from stockade.errors import InvalidArgument
from stockade.page.dragging import Position, drag, hold
from tests.page.looks import Looks
from tests.support.tabs import CALLER, Tab


async def test_drag_and_drop_of_the_platform(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        """<div id=a draggable=true tabindex=0 role=button style='width:80px;height:40px'>Card</div>
        <div id=b tabindex=0 role=button style='width:200px;height:100px;margin-top:80px'>Bin</div>
        <script>
          a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'card');
          b.ondragover = (e) => e.preventDefault();
          b.ondrop = (e) => { b.textContent = 'got ' + e.dataTransfer.getData('text/plain'); };
        </script>"""
    )
    await drag(tab.actions, await tab.ref("#a"), await tab.ref("#b"), caller=CALLER)
    assert await tab.main("() => b.textContent") == "got card"


async def test_drag_by_mouse_events(tab: Tab) -> None:
    await tab.show(
        """<div id=a tabindex=0 role=slider aria-label=Knob style='width:40px;height:40px'></div>
        <div id=b tabindex=0 role=button style='margin:100px 300px;width:40px;height:40px'>End</div>
        <script>
          let down = false; globalThis.path = [];
          a.onmousedown = () => { down = true; };
          onmousemove = (e) => { if (down) path.push(e.clientX); };
          onmouseup = () => { down = false; path.push('up'); };
        </script>"""
    )
    await drag(tab.actions, await tab.ref("#a"), await tab.ref("#b"), caller=CALLER)
    path = await tab.main("() => path")
    assert len(path) > 5
    assert path[-1] == "up"


async def test_between_points(tab: Tab) -> None:
    await tab.show(
        """<style>body { margin: 0 }</style>
        <div id=a draggable=true style='width:80px;height:40px'>Card</div>
        <div id=b style='width:200px;height:100px;margin-top:80px'>Bin</div>
        <script>
          a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'card');
          b.ondragover = (e) => e.preventDefault();
          b.ondrop = (e) => { b.textContent = 'got ' + e.dataTransfer.getData('text/plain'); };
        </script>"""
    )
    done = await drag(tab.actions, Point(20, 20), Point(50, 150), caller=CALLER, steps=3)
    assert (done.start, done.end) == (Point(20, 20), Point(50, 150))
    assert await tab.main("() => b.textContent") == "got card"


async def test_from_an_element_into_another_frame(tab: Tab) -> None:
    tab.site.page(
        "/tray",
        """<div id=b tabindex=0 role=button style='width:150px;height:80px'>Tray</div>
        <script>
          b.ondragover = (e) => e.preventDefault();
          b.ondrop = (e) => { b.textContent = 'got ' + e.dataTransfer.getData('text/plain'); };
        </script>""",
    )
    await tab.show(
        f"""<div id=a draggable=true tabindex=0 role=button>Card</div>
        <iframe src="{tab.site.url("/tray", host="localhost")}"></iframe>
        <script>a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'card');</script>"""
    )
    frame = await tab.frame("/tray")
    source, target = await tab.ref("#a"), await tab.ref("#b", frame=frame)
    await drag(tab.actions, source, target, caller=CALLER)
    assert await tab.main("() => b.textContent", frame=frame) == "got card"
    # Nobody is let in afterwards.
    assert await tab.agent.call(frame, "guard_end") is None


async def test_what_a_press_would_hold(tab: Tab) -> None:
    await tab.show(
        """<style>body { margin: 0 }</style>
        <div id=a style='width:100px;height:40px;cursor:col-resize'>Edge</div>
        <button id=b style='display:block;width:100px;height:40px'>Card</button>
        <textarea style='position:fixed;left:200px;top:0;width:100px;height:100px'></textarea>"""
    )
    held = await hold(tab.agent, await tab.ref("#b"), caller=CALLER)
    assert held.hit is not None
    assert (held.hit.role, held.resizes) == ("button", False)
    assert (await hold(tab.agent, Point(10, 10), caller=CALLER)).resizes
    assert (await hold(tab.agent, Point(297, 97), caller=CALLER)).resizes
    assert not (await hold(tab.agent, Point(240, 40), caller=CALLER)).resizes


LIST = """<style>#l { margin: 0; padding: 0; display: flex; flex-direction: %s }
li { list-style: none; width: 80px; height: 40px }</style>
<ul id=l><li draggable=true>A<li draggable=true>B<li draggable=true>C<li draggable=true>D</ul><script>
  let held; const items = [...l.children]; const across = %s;
  const first = (item, event) => { const box = item.getBoundingClientRect();
    return across ? event.clientX < box.left + box.width / 2 : event.clientY < box.top + box.height / 2; };
  %s
</script>"""
AT_THE_DROP = """for (const item of items) {
  item.ondragstart = (e) => { held = item; e.dataTransfer.setData('text', 'x'); };
  item.ondragover = (e) => e.preventDefault();
  item.ondrop = (e) => { if (item !== held) item[first(item, e) ? 'before' : 'after'](held); }; }"""
SWAPPING = """l.onpointerdown = (e) => { held = e.target; e.target.draggable = false; };
  onpointermove = (e) => { const over = held && document.elementFromPoint(e.clientX, e.clientY);
    if (!over || over === held || over.parentNode !== l) return;
    over[held.compareDocumentPosition(over) & 4 ? 'after' : 'before'](held); };
  onpointerup = () => { held = null; };"""


@pytest.mark.parametrize("direction", ["column", "row"])
@pytest.mark.parametrize("kind", [AT_THE_DROP, SWAPPING])
@pytest.mark.parametrize(
    ("source", "target", "position", "order"),
    [
        ("A", "C", "before", "BACD"),
        ("A", "C", "after", "BCAD"),
        ("D", "B", "before", "ADBC"),
        ("D", "B", "after", "ABDC"),
        ("A", "D", "after", "BCDA"),
    ],
)
async def test_before_and_after_another(
    tab: Tab, direction: str, kind: str, source: str, target: str, position: Position, order: str
) -> None:
    await tab.show(LIST % (direction, "true" if direction == "row" else "false", kind))
    start, end = await tab.ref(f"text='{source}'"), await tab.ref(f"text='{target}'")
    await drag(tab.actions, start, end, position=position, caller=CALLER)
    assert (
        await tab.main("() => [...l.children].map((e) => e.textContent.trim()).join('')") == order
    )


async def test_beside_a_point_means_nothing(tab: Tab) -> None:
    await tab.show("<button>A</button>")
    with pytest.raises(InvalidArgument):
        await drag(
            tab.actions, await tab.ref("button"), Point(1, 1), position="after", caller=CALLER
        )


BOXES = """<style>body { margin: 0 } div { width: 80px; height: 40px; margin: 10px }</style>
<div id=a tabindex=0 role=button>Card</div><div id=m>Between</div>
<div id=b tabindex=0 role=button>Bin</div><output id=o></output><script>%s</script>"""
TAKEN_AFTER_A_DELAY = """let timer, held; a.onpointerdown = () => { timer = setTimeout(() => { held = true; a.className = 'held'; }, 200); };
  onpointermove = () => { if (!held) clearTimeout(timer); };
  onpointerup = (e) => { if (held) o.value = document.elementFromPoint(e.clientX, e.clientY).textContent; };"""
TAKEN_AFTER_A_DISTANCE = """let from, held; a.onpointerdown = (e) => { from = e.clientY; };
  onpointermove = (e) => { held ||= from !== undefined && e.clientY - from > 8; };
  onpointerup = (e) => { if (held) o.value = document.elementFromPoint(e.clientX, e.clientY).textContent; };"""
NEVER_IN_THE_MIDDLE = """let held, over; a.onpointerdown = () => { held = true; };
  b.onpointermove = (e) => { const box = b.getBoundingClientRect();
    if (held && e.clientX !== box.left + box.width / 2) over = true; };
  onpointerup = () => { if (over) o.value = 'Bin'; };"""
DEAF_WHILE_IT_MOVES = """a.draggable = true; a.ondragstart = (e) => e.dataTransfer.setData('text', 'x');
  let over; m.ondragenter = () => m.animate([{ opacity: 1 }, { opacity: .5 }], 250);
  b.ondragover = (e) => { e.preventDefault(); over ||= !m.getAnimations().length; };
  b.ondrop = () => { if (over) o.value = 'Bin'; };"""


@pytest.mark.parametrize(
    "page",
    [TAKEN_AFTER_A_DELAY, TAKEN_AFTER_A_DISTANCE, NEVER_IN_THE_MIDDLE, DEAF_WHILE_IT_MOVES],
)
async def test_as_a_person_drags(tab: Tab, page: str) -> None:
    await tab.show(BOXES % page)
    await drag(tab.actions, await tab.ref("#a"), await tab.ref("#b"), caller=CALLER)
    assert await tab.main("() => o.value") == "Bin"


async def test_what_a_list_plays_after_the_drop_is_waited_for(tab: Tab) -> None:
    await tab.show(
        BOXES
        % """let held; a.onpointerdown = () => { held = true; a.className = 'held'; };
        onpointerup = () => { if (!held) return;
          a.animate([{}, { transform: 'translateY(100px)' }], 600).onfinish = () => { b.after(a); }; };"""
    )
    looks = Looks(tab)
    await looks.see()
    done = await drag(tab.actions, await tab.ref("#a"), await tab.ref("#b"), caller=CALLER)
    assert done.outcome.settled.settled
    assert await looks.changes() == '~ button "Card" [e1], moved after e2'
