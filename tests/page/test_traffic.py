"""What a page asks for by itself, again and again."""

from __future__ import annotations

from tests.support.site import Request, Response
from tests.support.tabs import Tab


async def answer(_: Request) -> Response:
    return Response(body=b"ok")


async def test_polling_is_told_from_what_is_asked_once_and_from_what_an_action_asks(
    tab: Tab,
) -> None:
    for path in ("/poll", "/once", "/acted"):
        tab.site.route(path, answer)
    await tab.show("")
    for query in ("?1", "?2", "?3"):
        await tab.main("(q) => fetch('/poll' + q).then((r) => r.text())", query)
    await tab.main("() => fetch('/once').then((r) => r.text())")
    with tab.agent.traffic.window() as polled:
        assert polled == {f"GET {tab.site.url('/poll')}"}
        for _ in range(3):
            await tab.main("() => fetch('/acted').then((r) => r.text())")
    assert tab.agent.traffic.polled() == {f"GET {tab.site.url('/poll')}"}


async def test_a_new_document_begins_anew(tab: Tab) -> None:
    tab.site.route("/poll", answer)
    await tab.show("")
    for _ in range(3):
        await tab.main("() => fetch('/poll').then((r) => r.text())")
    await tab.show("", path="/next")
    assert tab.agent.traffic.polled() == frozenset()
