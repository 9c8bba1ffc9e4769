"""Which element is meant, of several that a selector fits."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import TargetAmbiguous, TargetError
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve

FORM = """
<button id=go aria-label=Search>go</button><input id=q aria-label=Search>
<label>D <input id=d></label><label>Message Body <textarea id=body></textarea></label>
<select id=sort aria-label=Sort><option>up</select><button id=sorter>Sort</button>
<label><input type=checkbox id=news> News</label><button id=newsb>News</button>
<label>Picture <input type=file id=file></label><button id=pic>Picture</button>
<div id=rich contenteditable aria-label=Notes>x</div><button id=notes>Notes</button>
<ul><li>Row 1 <button id=b1>Delete</button></li><li>Row 10 <button id=b10>Delete</button></li></ul>
<p>A <span id=b>B</span> C</p><p id=inner>Save <b id=bold>as <i id=it>copy</i></b></p>
<button id=save>Save</button><button id=saveall>Save all</button><button id=upper>SAVE IT</button>
<input id=p1 placeholder=Name><input id=p2 placeholder="Full name">
<input id=hid aria-label=Ghost style="display:none"><input id=ghost2 aria-label="Ghost writer">
"""


async def meant(agent: PageAgent, selector: str, **options: Any) -> str:
    ref = await resolve(agent, selector, caller="test", **options)
    frame, number = agent.locate(ref)
    found: str = await frame.call(
        "n => stockade.modules.Dom.attr(stockade.modules.Refs.get(n), 'id')", number
    )
    return found


@pytest.mark.parametrize(
    ("selector", "kind", "expected"),
    [
        ("label=Search", "editable", "q"),
        ("role=searchbox[name=Search]", None, None),
        ("label=D", None, "d"),
        ("label=d", "editable", "d"),
        ("label=Message", None, "body"),
        ("label=Sort", "choice", "sort"),
        ("label=News", "field", "news"),
        ("label=Picture", "file", "file"),
        ("label=Notes", "editable", "rich"),
        ("li >> having=Row 1 >> button", None, "b1"),
        ("li >> having=Row 10 >> button", None, "b10"),
        ('role=listitem[text*="Row 1"] >> role=button', None, "b1"),
        ('text="B"', None, "b"),
        ("text=B", None, "b"),
        ('text="copy"', None, "it"),
        ('text="as copy"', None, "bold"),
        ('text="Save as copy"', None, "inner"),
        ("text=Save", None, "save"),
        ("role=button[name=Save]", None, "save"),
        ("role=button[name=save]", None, "save"),
        ("role=button[name=save it]", None, "upper"),
        ("role=button[name=save al]", None, "saveall"),
        ('role=button[name="save"]', None, None),
        ('role=button[name*="Save"]', None, "save"),
        ("placeholder=Name", None, "p1"),
        ("placeholder=full", None, "p2"),
        ("label=Ghost", None, "ghost2"),
    ],
)
async def test_which_is_meant(
    agent: PageAgent, selector: str, kind: Any, expected: str | None
) -> None:
    await agent.page.set_content(FORM)
    if expected is None:
        with pytest.raises(TargetError):
            await meant(agent, selector, kind=kind)
    else:
        assert await meant(agent, selector, kind=kind) == expected


async def test_equals_on_the_best_level_are_ambiguous(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button>Save</button><p>Save</p><button>save</button><button>Save all</button>"
    )
    with pytest.raises(TargetAmbiguous) as raised:
        await resolve(agent, "text=Save", caller="test")
    assert raised.value.details["count"] == 2


async def test_the_closest_of_all_frames(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button>Pay now and here</button><iframe srcdoc='<button id=f>Pay now</button>'></iframe>"
    )
    assert await meant(agent, "text=Pay now") == "f"
    await agent.page.set_content(
        "<button>Pay</button><iframe srcdoc='<input id=f aria-label=&quot;Pay to&quot;>'></iframe>"
    )
    assert await meant(agent, "label=Pay", kind="editable") == "f"
