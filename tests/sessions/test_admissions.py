"""Origins that a person let in, each for one document."""

from __future__ import annotations

from stockade.sessions.admissions import Admissions
from tests.support.callers import Caller
from tests.support.waiting import until


async def test_an_admission_lasts_as_long_as_its_document(caller: Caller) -> None:
    site = caller.site
    session = caller.kernel.sessions.open(caller.principal, "default")
    admissions = Admissions(session)
    origin = site.url("")
    site.page("/", "<title>t</title>")
    for leave in ("navigate", "reload", "close"):
        admission = await admissions.open(origin)
        await caller.ok("navigate", url=site.url("/"))
        tab = session.current
        assert tab is not None
        assert admissions.of(tab) == frozenset()
        await admissions.settle(admission, tab)
        assert admissions.of(tab) == {origin}
        await tab.page.main_frame.call("() => history.pushState(0, '', '/x')")
        assert admissions.of(tab) == {origin}
        if leave == "navigate":
            await caller.ok("navigate", url="about:blank")
        elif leave == "reload":
            await caller.ok("reload")
        else:
            await session.close_tab(tab)
        assert admissions.of(tab) == frozenset() or tab.page.closed
        await until(lambda: not admissions._all)
    # A navigation that came to nothing leaves nothing.
    admission = await admissions.open("https://other.example")
    await admissions.settle(admission, await session.tab())
    assert not admissions._all
