"""What sessions note of pages that ask for devices."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.errors import Unsupported
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.sessions.devices import Devices
from tests.support.callers import Caller


class FakeFrame:
    """What is asked of a frame when it is heard."""

    origin = "https://a.example"
    url = "https://a.example/page"
    page = None


def said(**facts: Any) -> str:
    return json.dumps({"api": "usb", "outcome": "refused", **facts})


async def test_a_report_is_a_claim_and_nothing_else(mighty: Caller) -> None:
    await mighty.ok("emulate_usb", devices=[{"vendorId": 1, "productId": 2}])
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    devices = Devices.of(session)
    frame: Any = FakeFrame()
    for forged in (
        "",
        "[]",
        "no json",
        said(api="serial"),
        said(outcome="approved"),
        said(asked="x" * 9000),
        said(asked=[1]),
    ):
        devices._heard(frame, forged)
    assert list(devices.requests) == []
    devices._heard(frame, said(outcome="granted", device="made-up", origin="https://bank.example"))
    [noted] = devices.requests
    assert (noted.origin, noted.device, noted.outcome) == ("https://a.example", None, "granted")
    for _ in range(500):
        devices._heard(frame, said())
    assert len(devices.requests) == 200


async def test_what_was_staged_outlives_the_browser(mighty: Caller) -> None:
    # Before there is a browser at all.
    await mighty.ok("emulate_usb", devices=[{"vendorId": 1, "productId": 2, "productName": "Hub"}])
    await mighty.show("<p>x")
    asked = "navigator.usb.requestDevice({ filters: [] }).then((d) => d.productName, (e) => e.name)"
    assert (await mighty.ok("eval_js", expr=asked))["value"] == "Hub"


class PersonsOwn:
    """What is asked of a session in a person's browser."""

    isolation = "attached"
    policy = Policy(capabilities=frozenset(Capability))

    def __init__(self) -> None:
        self.after_start: list[Any] = []

    def tab_of(self, page: object) -> None:
        """It has none."""


async def test_a_persons_own_browser_is_left_as_it_is() -> None:
    session: Any = PersonsOwn()
    devices = Devices(session)
    assert session.after_start == []
    with pytest.raises(Unsupported):
        await devices.stage(session, "usb", [], timeout=1)
