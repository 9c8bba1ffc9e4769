"""Recordings of a real session's traffic."""

from __future__ import annotations

from stockade.sessions.session import Session
from stockade.traffic.har import HarOptions
from stockade.traffic.recording import Recording
from tests.support.callers import Caller
from tests.support.traffic import run


async def test_what_begins_in_it_and_nothing_else(session: Session, mighty: Caller) -> None:
    mighty.site.page("/a", "one", content_type="text/plain")
    await run(mighty, "() => fetch('/a?before').then(a => a.text())")
    recording = Recording(session, HarOptions(url_filter="*/a*"))
    await recording.begin()
    await run(mighty, "() => fetch('/a?in').then(a => a.text())")
    await run(mighty, "() => fetch('/b?in').then(a => a.text())")
    exchanges = await recording.stop(timeout=10)
    await run(mighty, "() => fetch('/a?after').then(a => a.text())")
    assert [(each.request.url, each.received) for each in exchanges] == [
        (mighty.site.url("/a?in"), b"one")
    ]
    [page] = recording.pages()
    assert (page["id"], page["title"]) == ("page_1", "Home")
    assert recording.browser.startswith(("HeadlessChrome/", "Chrome/"))


async def test_a_new_browser_is_recorded_too(session: Session, mighty: Caller) -> None:
    recording = Recording(session, HarOptions())
    await recording.begin()
    # As when its process has died.
    session._let_go(session._gone_error())
    await mighty.show("<title>Later</title>", path="/later")
    urls = [each.request.url for each in await recording.stop(timeout=10)]
    assert urls == [mighty.site.url("/later")]
    assert recording._follow not in session.after_start


async def test_without_bodies(session: Session, mighty: Caller) -> None:
    recording = Recording(session, HarOptions(content="omit"))
    await recording.begin()
    await run(mighty, "() => fetch('/a', {method: 'POST', body: 'x'}).then(a => a.text())")
    [exchange] = await recording.stop(timeout=10)
    assert (exchange.sent, exchange.received) == (b"x", None)
