from __future__ import annotations

from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.probe import Inspection, inspect, overflow_detect, point_probe
from stockade.page.reach import Bounds


async def look_at(agent: PageAgent, selector: str, styles: list[str] | None = None) -> Inspection:
    ref = await resolve(agent, selector, caller="test")
    return await inspect(agent, ref, caller="test", styles=styles)


async def test_inspect_tells_what_there_is_to_know(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<h2>Cart</h2><ul><li onclick='void 0'>Tea <button id=b aria-pressed=true title='More tea'"
        " style='position:absolute;left:10px;top:20px;width:80px;height:30px;color:red'"
        " onclick='steal()'><b>Add</b></button></li></ul>"
    )
    seen = await look_at(agent, "#b")
    assert (seen.found, seen.tag, seen.role, seen.name) == (True, "button", "button", "Add")
    assert (seen.description, seen.text, seen.child_count) == ("More tea", "Add", 1)
    assert seen.box == Bounds(10, 20, 80, 30)
    assert seen.visible_box == seen.box
    assert (seen.visible, seen.actionable, seen.clickable) == (True, True, True)
    assert seen.states == {"pressed": True}
    assert seen.styles["color"] == "rgb(255, 0, 0)"
    assert seen.attributes["onclick"] == "…", "handlers are named, not quoted"
    assert [each.tag for each in seen.clickable_ancestors] == ["li"]
    assert seen.context is not None
    assert seen.context.section == "Cart"
    assert (await look_at(agent, "#b", ["left", "no-such"])).styles == {
        "left": "10px",
        "no-such": "",
    }


async def test_inspect_of_secret_fields(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<input id=p type=password value=hunter2><input id=h type=hidden value=token99>"
        "<input id=t value=tea data-kind=drink>"
    )
    secret = await look_at(agent, "#p")
    assert "hunter2" not in repr(secret)
    assert secret.value is None
    hidden = await look_at(agent, "#h")
    assert "token99" not in repr(hidden)
    assert (hidden.visible, hidden.actionable) == (False, "hidden")
    plain = await look_at(agent, "#t")
    assert (plain.value, plain.attributes["data-kind"]) == ("tea", "drink")
    await agent.page.main_frame.call("() => { document.querySelector('#p').type = 'text'; }")
    assert "hunter2" not in repr(await look_at(agent, "#p"))


async def test_inspect_overflow_and_cover(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<div id=o style='width:100px;height:50px;overflow:hidden'><p style='width:300px'>wide</p>"
        "</div><div id=veil style='position:fixed;inset:0'></div>"
    )
    seen = await look_at(agent, "#o")
    assert (seen.overflowing.x, seen.scroll.scroll_width) == (True, 300)
    assert seen.actionable == "covered"
    assert seen.covered_by is not None
    assert seen.covered_by.tag == "div"


async def test_point_through_shadow_roots(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<style>body{margin:0}</style><div id=s style='height:200px;overflow:auto'>"
        "<x-b></x-b><div style='height:900px'></div></div>"
        "<script>customElements.define('x-b', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode: 'open'}).innerHTML = '<button style=\"width:100px;height:40px\">"
        "<i>Go</i></button>'; } })</script>"
    )
    seen = await point_probe(agent, 50, 20, caller="test")
    tags = [each.tag for each in seen.stack]
    assert tags[-5:] == ["button", "x-b", "div", "body", "html"]
    assert seen.clickable_ancestor is not None
    assert (seen.clickable_ancestor.tag, seen.clickable_ancestor.name) == ("button", "Go")
    assert seen.scroll_container is not None
    assert (seen.scroll_container.tag, seen.scroll_container.client_height) == ("div", 200)


async def test_point_outside(agent: PageAgent) -> None:
    await agent.page.set_content("<p>x")
    seen = await point_probe(agent, -5, 99999, caller="test")
    assert (seen.stack, seen.clickable_ancestor) == ([], None)


async def test_overflow(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<style>body{margin:0} div{width:100px;height:30px;white-space:nowrap}</style>"
        "<div id=a style='overflow:hidden;text-overflow:ellipsis'>a title much too long</div>"
        "<div id=b style='overflow:hidden'>a title much too long</div>"
        "<div id=c>a title much too long for it</div>"
        "<p id=d style='width:5000px'>wide</p><div id=e>fits</div>"
    )
    found = await overflow_detect(agent, caller="test")
    assert [(each.selector, each.type) for each in found.findings] == [
        ("#a", "text-ellipsis"),
        ("#b", "clipped"),
        ("#c", "layout"),
        ("#d", "viewport-horizontal"),
    ]
    only = await overflow_detect(agent, caller="test", types=["clipped", "layout"], limit=1)
    assert ([each.selector for each in only.findings], only.truncated) == (["#b"], True)
