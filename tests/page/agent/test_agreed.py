"""What a person agreed to is what takes the input, or nothing does."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.values import Point
from stockade.page.agent import PageAgent
from tests.support.tabs import Tab

PAGE = """<body><form action=/pay method=post><input id=i name=amount value=10>
<input type=password name=p value=hunter2hunter2><input type=hidden name=h value=x>
<button id=b>Pay <b id=inside>10</b></button></form><a id=a href=/x>link</a>
<div id=closed></div>"""


async def facts(tab: Tab, selector: str, how: str = "point") -> dict[str, Any]:
    frame = tab.page.main_frame
    agent: PageAgent = tab.agent
    await agent.call(frame, "arm")
    number = await frame.call(
        "(s) => stockade.modules.Refs.of(document.querySelector(s))", selector
    )
    told: dict[str, Any] = await agent.call(frame, "agreed_facts", ref=number, how=how)
    return {**told, "number": number}


async def test_every_word_that_counts_is_told(tab: Tab) -> None:
    await tab.show(PAGE)
    told = await facts(tab, "#b")
    target = told["target"]
    assert (target["role"], target["name"], target["text"]) == ("button", "Pay 10", "Pay 10")
    assert target["goesTo"].endswith("/pay")
    assert told["form"]["method"] == "post"
    assert told["form"]["fields"] == [
        {"name": "amount", "value": "10"},
        {"name": "p", "value": "hunter2hunter2", "kind": "secret"},
        {"name": "h", "value": "x", "kind": "hidden"},
    ]
    assert told["described"] == 'button "Pay 10"'
    link = await facts(tab, "#a")
    assert (link["form"], link["target"]["goesTo"][-2:]) == (None, "/x")
    assert (await facts(tab, "#inside"))["form"] is not None
    assert (await facts(tab, "#i", "enter"))["form"] is not None
    assert (await facts(tab, "#i", "space"))["form"] is None


@pytest.mark.parametrize(
    ("change", "admitted"),
    [
        ("", True),
        ("b.append('0')", False),
        ("i.value = '11'", False),
        ("document.forms[0].action = '/else'", False),
        ("b.remove()", False),
    ],
)
async def test_input_lands_in_what_was_agreed_to_or_nowhere(
    tab: Tab, change: str, admitted: bool
) -> None:
    await tab.show(PAGE)
    frame = tab.page.main_frame
    number = (await facts(tab, "#b"))["number"]
    await tab.agent.call(frame, "agreed_bind", ref=number, how="point")
    await tab.main(f"() => {{ {change} }}")
    path = "[document.querySelector('#b'), document.body]"
    ask = f"() => stockade.modules.Agreed.admits({{}}, {path}, true)"
    assert await frame.call(ask) is admitted
    # Once it has arrived the page may answer to it; once refused it stays so.
    assert await frame.call(ask) is admitted
    released = await tab.agent.call(frame, "agreed_release")
    assert released == {"changed": not admitted}
    assert await frame.call(ask) is True


async def test_where_nothing_was_agreed_to_nothing_is_let_in(tab: Tab) -> None:
    await tab.show(PAGE)
    frame = tab.page.main_frame
    await tab.agent.call(frame, "agreed_bind", ref=0, how="point")
    assert (
        await frame.call("() => stockade.modules.Agreed.admits({}, [document.body], false)")
        is False
    )


ROOT = """<body style="margin:0"><div id=host></div><script>
const root = host.attachShadow({mode: 'closed'});
root.innerHTML = '<button style="width:200px;height:50px">Pay</button><br>'
  + '<button style="width:200px;height:50px">Other</button>';
globalThis.heard = [];
for (const each of root.querySelectorAll('button')) each.onclick = () => heard.push(each.textContent);
</script>"""


@pytest.mark.parametrize(
    ("y", "change", "heard"),
    [(20, "", ["Pay"]), (80, "", []), (20, "root.querySelector('button').remove()", [])],
    ids=["what was agreed to", "its neighbour", "what took its place"],
)
async def test_in_a_closed_root_the_very_element_counts(
    tab: Tab, y: int, change: str, heard: list[str]
) -> None:
    await tab.show(ROOT)
    frame = tab.page.main_frame
    await tab.agent.call(frame, "arm")
    host = await frame.call_handle("() => document.getElementById('host')")
    root = await host.closed_shadow_root()
    assert root is not None
    await host.call("function (root) { stockade.adopt(this, root); }", root)
    number = await root.call(
        "function () { return stockade.modules.Refs.of(this.querySelector('button')); }"
    )
    await tab.agent.call(frame, "agreed_bind", ref=number, how="point")
    await tab.main(f"() => {{ {change} }}")
    await tab.agent.call(frame, "guard_open")
    await tab.page.mouse.click(Point(60, y))
    released = await tab.agent.call(frame, "agreed_release")
    assert await tab.main("() => heard") == heard
    assert released == {"changed": not heard}
