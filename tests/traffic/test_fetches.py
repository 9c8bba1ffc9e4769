"""Rules for service workers, in a real session."""

from __future__ import annotations

from stockade.engines.routing import Answer
from stockade.sessions.session import Session
from stockade.traffic.fetches import FetchRules
from stockade.traffic.routing import Routing
from tests.support.callers import Caller
from tests.support.traffic import run

SERVICE = """
    oninstall = e => e.waitUntil(skipWaiting());
    onactivate = e => e.waitUntil(clients.claim());
    let count = 0;
    addEventListener('fetch', e => { count += 1; e.respondWith(new Response('theirs ' + count)); });
    onfetch = e => { if (e.request.url.endsWith('/handled')) e.respondWith(new Response('handler')); };
"""
READY = """async () => {
    const ready = new Promise(done => { navigator.serviceWorker.oncontrollerchange = done; });
    await navigator.serviceWorker.register('/sw.js');
    await ready;
}"""


async def test_rules_come_first_and_leave_no_trace(session: Session, mighty: Caller) -> None:
    mighty.site.page("/sw.js", SERVICE, content_type="text/javascript")
    await run(mighty, READY)
    ask = "path => fetch(path).then(async a => [a.status, a.headers.get('x-a'), await a.text()])"
    assert await run(mighty, ask, "/a") == [200, None, "theirs 1"]
    rules = FetchRules.of(session)
    await rules.add("*/a", Answer(201, (("X-A", "b"),), b"\xc3\xbc"), timeout=10)
    await rules.add("*/none", Answer(204), timeout=10)
    assert await run(mighty, ask, "/a") == [201, "b", "ü"]
    assert await run(mighty, ask, "/none") == [204, None, ""]
    # Others are answered by its own listener, and once.
    assert await run(mighty, ask, "/b") == [200, None, "theirs 2"]
    assert await rules.remove("*/a", timeout=10) == 1
    assert await run(mighty, ask, "/a") == [200, None, "theirs 3"]
    assert await rules.remove(None, timeout=10) == 1
    assert await rules.remove(None, timeout=10) == 0
    assert not Routing.of(session).rules
