"""Why a page opened a tab."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.routing import HeldRequest
from stockade.kernel.opened_tabs import is_of_form, is_of_link, is_opening, pages_of
from tests.support.callers import Caller
from tests.support.waiting import until

PAGE = """<a id=link target=_blank href=/there?x=1>a link</a>
<form action=/here target=_blank><input name=x value=1><button id=form>a form</button>
<button id=button formaction=/there>a button</button></form>
<button id=script onclick="window.open('/elsewhere?x=1')">a script</button>"""


class Notes:
    """A gate that lets everything out, and remembers what opened tabs."""

    past_workers = False

    def __init__(self) -> None:
        self.opening: list[HeldRequest] = []

    def admit(self, request: HeldRequest) -> bool | HeldRequest | asyncio.Future[bool]:
        if is_opening(request):
            self.opening.append(request)
        return True


@pytest.mark.parametrize(
    ("opener", "of_link", "of_form"),
    [
        ("link", True, True),
        ("form", False, True),
        ("button", True, True),
        ("script", False, False),
    ],
)
async def test_the_page_that_opened_it_is_asked(
    caller: Caller, opener: str, of_link: bool, of_form: bool
) -> None:
    await caller.show(PAGE, path="/opening")
    session = caller.kernel.sessions.find(caller.principal, "default")
    gate = Notes()
    await (await session.started()).set_gate(gate)
    await caller.ok("click", selector=f"#{opener}")
    await until(lambda: bool(gate.opening))
    [request] = gate.opening
    assert len(pages_of(request)) == 2
    assert await is_of_link(session, request) is of_link
    assert await is_of_form(session, request) is of_form
    await (await session.started()).set_gate(None)
    assert pages_of(HeldRequest("http://a.test/")) == []
