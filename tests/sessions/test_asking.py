"""What pages say is a claim: odd, large and endless claims do no harm."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from stockade.sessions.asked import Person, Raised
from stockade.sessions.asking import Asking
from stockade.sessions.session import Session
from tests.sessions.ground import until
from tests.sessions.test_tabs import at
from tests.support.site import Site


async def test_claims_of_a_page(session: Session, site: Site) -> None:
    asking = Asking.of(session)
    kept: list[tuple[str, bytes]] = []

    async def keep(name: str, content: bytes, former: str | None) -> str:
        kept.append((name, content))
        return former or name

    asking.pickers.keep = keep
    tab = await at(session, site)

    def claim(**what: Any) -> None:
        asking._heard(tab.page.main_frame, json.dumps({"id": 1, **what}))

    for odd in ("", "null", "[]", '{"id":"x"}', "{" * 1000, '{"id":1,"kind":"permission"}' * 2):
        asking._heard(tab.page.main_frame, odd)
    claim(kind="permission", names=["telepathy"] * 100)
    claim(kind="picker", api="steal")
    claim(kind="unheard of")
    claim(kind="notification", title="x" * 1_000_000)
    claim(kind="saved", name="n", size=10**12, part="")
    claim(kind="saved", picker=1, name="n", size=3, part="YWJj")
    claim(kind="saved", picker=1, name="n", size=3, part="ZGVm")
    await until(lambda: len(kept) == 2)
    assert kept == [("n", b"abc"), ("n", b"def")]
    assert not tab.parts.of(Raised, Raised)
    claim(kind="permission", names=["camera"])
    await until(lambda: bool(tab.parts.of(Raised, Raised)))


async def test_so_much_is_under_way_and_no_more_and_it_ends_with_the_session(
    session: Session, site: Site
) -> None:
    asking = Asking.of(session)
    waiting = 0

    async def person(*_: str) -> bool:
        nonlocal waiting
        waiting += 1
        await asyncio.Event().wait()
        return True

    session.parts.of(Person, Person).ask = person
    asking.notifications = "ask-human"
    tab = await at(session, site)
    for number in range(1000):
        said = json.dumps({"id": number, "kind": "notification", "title": "Hi"})
        asking._heard(tab.page.main_frame, said)
    await until(lambda: waiting == 50)
    asking.close()
    async with asyncio.timeout(5):
        await session.close()
