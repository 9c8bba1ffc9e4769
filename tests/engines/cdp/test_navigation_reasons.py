"""Why pages are about to load documents."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.cdp.navigation_reasons import NavigationReasons
from stockade.engines.port import Page
from stockade.engines.routing import HeldRequest
from stockade.engines.values import World
from tests.support.site import Site


def test_a_reason_is_for_one_request() -> None:
    reasons = NavigationReasons()
    reasons.note("frame", "http://a.test/in?x=1#top", "formSubmissionGet")
    assert reasons.take(["other"], "http://a.test/in?x=1") == ""
    # The browser may have asked for it over TLS.
    assert reasons.take(["other", "frame"], "https://a.test/in?x=1") == "formSubmissionGet"
    assert reasons.take(["frame"], "http://a.test/in?x=1") == ""


def test_the_last_ones_are_remembered() -> None:
    reasons = NavigationReasons()
    for number in range(1000):
        reasons.note("frame", f"http://a.test/{number}", "anchorClick")
    assert reasons.take(["frame"], "http://a.test/0") == ""
    assert reasons.take(["frame"], "http://a.test/999") == "anchorClick"


class Notes:
    """A gate that lets everything out, and remembers why documents were asked for."""

    past_workers = False

    def __init__(self) -> None:
        self.reasons: list[tuple[str, str]] = []

    def admit(self, request: HeldRequest) -> bool | HeldRequest | asyncio.Future[bool]:
        if request.type == "Document":
            self.reasons.append((request.url.partition("?")[0], request.reason))
        return True


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("f.submit()", "formSubmissionGet"),
        ("a.click()", "anchorClick"),
        ("location = '/there'", "scriptInitiated"),
        ("f.target = 'inner'; f.submit()", "formSubmissionGet"),
    ],
)
async def test_a_held_request_says_why(
    either_page: Page, site: Site, act: str, reason: str
) -> None:
    there = site.page("/there", "there")
    here = site.page(
        "/here",
        "<form id=f action=/there></form><a id=a href=/there>x</a><iframe name=inner></iframe>",
    )
    gate = Notes()
    await either_page.context.set_gate(gate)
    await either_page.navigate(here)
    await either_page.main_frame.call(f"() => {{ {act} }}", world=World.MAIN)
    await site.wait_asked("/there")
    # Whoever goes there by themselves has no such reason.
    await either_page.navigate(there)
    assert gate.reasons == [(here, ""), (there, reason), (there, "")]
    await either_page.context.set_gate(None)
