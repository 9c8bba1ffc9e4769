"""The accessibility view as a whole."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import about
from tests.support.tabs import Tab


async def test_what_one_can_act_on_in_document_order(tab: Tab) -> None:
    await tab.show(
        "<h1>Title</h1><a href=x>One</a><p>text</p><button aria-hidden=true hidden>No</button>"
        "<div id=h></div><label>Two <input></label>"
        "<script>h.attachShadow({mode:'open'}).innerHTML='<button>Between</button>'</script>"
    )
    assert await tab.agent.call(tab.page.main_frame, "aria_elements") == [
        ["link", "One"],
        ["button", "Between"],
        ["textbox", "Two"],
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<button id=t>", True),
        ("<details><summary id=t>s", True),
        ("<div id=t contenteditable>", True),
        ("<div role=grid><div role=row><div role=gridcell tabindex=0 id=t>", True),
        ("<div role=grid><div role=row><div role=gridcell id=t>", False),
        ("<p id=t>", False),
        ("<a id=t>no address</a>", False),
    ],
)
async def test_what_is_interactive(tab: Tab, html: str, expected: bool) -> None:
    assert await about(tab, html, "Aria.interactive(el, Aria.role(el))") is expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<button id=t><span>drawn</span></button>", True),
        ("<div id=t role=button><a href=x>inside</a></div>", False),
        ("<div id=t role=listitem>", False),
    ],
)
async def test_what_has_nothing_inside_worth_telling(tab: Tab, html: str, expected: bool) -> None:
    assert await about(tab, html, "Aria.leaves(Aria.role(el), el)") is expected
