"""Navigation: what is reported of it, and where it may not lead."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.values import World
from tests.support.callers import Caller
from tests.support.site import Request, Response
from tests.support.websocket import WebSocket

MAIN = World.MAIN


async def test_a_navigation_says_where_it_led_and_what_is_there(caller: Caller) -> None:
    shown = await caller.show("<title>Shop</title><h1>Welcome</h1><button>Buy</button>")
    assert shown["navigation"]["changed"]
    assert shown["navigation"]["kind"] == "full_load"
    assert (shown["status"], shown["title"]) == (200, "Shop")
    assert shown["final_url"] == caller.site.url("/page")
    assert 'button "Buy" [e' in shown["snapshotDelta"]["tree"]


async def test_a_redirect_is_followed_to_its_end(caller: Caller) -> None:
    caller.site.page("/end", "<title>End</title>")
    shown = await caller.ok("navigate", url=caller.site.url("/redirect?to=/end"))
    assert shown["final_url"] == caller.site.url("/end")


async def test_a_page_that_builds_itself_is_waited_for(caller: Caller) -> None:
    caller.site.page("/data", "fetched")
    shown = await caller.show(
        """<body><script>
        fetch('/data').then((r) => r.text()).then((text) => {
          const p = document.createElement('p'); p.textContent = text; document.body.append(p);
        });</script>"""
    )
    assert "fetched" in shown["snapshotDelta"]["tree"]


async def test_an_error_page_is_a_page(caller: Caller) -> None:
    caller.site.page("/gone", "<h1>No such thing</h1>", status=404)
    shown = await caller.ok("navigate", url=caller.site.url("/gone"))
    assert shown["status"] == 404
    assert [each["status"] for each in shown["network"]["requests"]] == [404]
    assert "No such thing" in shown["snapshotDelta"]["tree"]


async def test_nobody_there_is_a_typed_error(caller: Caller) -> None:
    refusal = await caller.refused("navigate", url="http://127.0.0.1:9/")
    assert refusal["code"] == "navigation_failed"
    refusal = await caller.refused("navigate", url="http://127.0.0.1:45999/")
    assert (refusal["code"], refusal["reason"]) == (
        "navigation_failed",
        "net::ERR_CONNECTION_REFUSED",
    )


async def test_only_web_pages_open(caller: Caller) -> None:
    for url in (
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,hi",
        "chrome://version",
        "view-source:http://example.com",
        "blob:http://example.com/1",
        "ftp://example.com",
    ):
        assert (await caller.refused("navigate", url=url))["code"] == "address_denied"
    assert (await caller.refused("navigate", url="no address"))["code"] == "invalid_argument"


async def test_history_goes_both_ways_and_ends(caller: Caller) -> None:
    await caller.show("<h1>One</h1>", path="/one")
    await caller.show("<h1>Two</h1>", path="/two")
    back = await caller.ok("go_back")
    assert back["final_url"] == caller.site.url("/one")
    forward = await caller.ok("go_forward")
    assert forward["final_url"] == caller.site.url("/two")
    refusal = await caller.refused("go_forward")
    assert (refusal["code"], refusal["reason"]) == ("navigation_failed", "no-history")


async def test_reload_loads_the_page_again(caller: Caller) -> None:
    await caller.show("<input aria-label=Name>")
    await caller.ok("fill", selector="label=Name", value="gone soon")
    again = await caller.ok("reload")
    assert again["navigation"]["kind"] == "full_load"
    assert "gone soon" not in again["snapshotDelta"]["tree"]


async def test_a_hash_and_a_pushed_state_are_told_apart(caller: Caller) -> None:
    await caller.show(
        """<a href=#part>Part</a>
        <button onclick="history.pushState(0, '', '/elsewhere')">Push</button>"""
    )
    assert (await caller.ok("click", selector="text=Part"))["navigation"]["kind"] == "hash"
    pushed = await caller.ok("click", selector="text=Push")
    assert pushed["navigation"] == {
        "changed": True,
        "from": caller.site.url("/page#part"),
        "to": caller.site.url("/elsewhere"),
        "kind": "spa",
    }


async def test_what_the_page_does_by_itself_begins_the_next_result(caller: Caller) -> None:
    caller.site.page("/later", "<h1>Later</h1>")
    await caller.show(
        "<h1>Now</h1><script>addEventListener('message', () => location.assign('/later'))</script>"
    )
    tab = await caller.kernel.sessions.find(caller.principal, "default").tab()
    await tab.page.main_frame.call("() => postMessage(0)", world=MAIN)
    await caller.ok("wait_for", text="Later", mode="none")
    tab.told_url = caller.site.url("/page")
    shown = await caller.ok("press", key="Tab")
    assert any("gone by itself" in warning for warning in shown["warnings"])


async def test_scrolling_to_an_edge_by_pixels_and_into_view(caller: Caller) -> None:
    await caller.show("<div style='height:5000px'>Tall</div><button>Below</button>")
    down = await caller.ok("scroll", to="bottom")
    assert down["element"]["scroll"]["atBottom"]
    up = await caller.ok("scroll", by={"y": -100})
    assert not up["element"]["scroll"]["atBottom"]
    await caller.ok("scroll", to="top")
    seen = await caller.ok("scroll", selector="role=button", intoView=True)
    assert seen["element"]["scroll"]["y"] > 0


async def test_a_scroll_without_a_goal_is_refused(caller: Caller) -> None:
    await caller.show("<p>Text")
    assert (await caller.refused("scroll"))["code"] == "invalid_argument"
    assert (await caller.refused("scroll", to="top", by={"y": 1}))["code"] == "invalid_argument"
    assert (await caller.refused("scroll", intoView=True))["code"] == "invalid_argument"


def answer_late(caller: Caller, path: str, body: str, kind: str, seconds: float = 0.4) -> None:
    async def answer(_: Request) -> Response:
        await asyncio.sleep(seconds)
        return Response(body.encode(), content_type=kind)

    caller.site.route(path, answer)


BUILD = "document.body.append(Object.assign(document.createElement('p'), {textContent: 'built'}))"


@pytest.mark.parametrize(
    "resource",
    ["<img src=/late>", "<link rel=stylesheet href=/late>", "<iframe src=/late></iframe>"],
)
async def test_a_page_that_builds_itself_when_it_has_loaded_is_waited_for(
    caller: Caller, resource: str
) -> None:
    answer_late(caller, "/late", "", "text/html")
    shown = await caller.show(f"<body>{resource}<script>onload = () => {{ {BUILD} }}</script>")
    assert "built" in shown["snapshotDelta"]["tree"]
    assert "settled" not in shown


async def test_frames_are_waited_for_where_no_document_has_a_script(caller: Caller) -> None:
    answer_late(caller, "/inner", "<p>innermost</p>", "text/html")
    caller.site.page("/outer", "<p>between</p><iframe src=/inner></iframe>")
    shown = await caller.show("<h1>Top</h1><iframe src=/outer></iframe>")
    assert "between" in shown["snapshotDelta"]["tree"]
    assert "innermost" in shown["snapshotDelta"]["tree"]


async def test_a_page_without_scripts_does_not_wait_for_its_pictures(caller: Caller) -> None:
    never = asyncio.Event()

    async def hang(_: Request) -> Response:
        await never.wait()
        return Response(body=b"")

    caller.site.route("/hang.png", hang)
    shown = await caller.show("<h1>Shop</h1><img src=/hang.png>")
    never.set()
    assert "Shop" in shown["snapshotDelta"]["tree"]
    assert "settled" not in shown


async def test_what_a_page_still_loads_is_named(caller: Caller) -> None:
    never = asyncio.Event()

    async def hang(_: Request) -> Response:
        await never.wait()
        return Response(body=b"")

    caller.site.route("/hang.png", hang)
    shown = await caller.show("<h1>Shop</h1><img src=/hang.png><script>1</script>")
    never.set()
    assert "Shop" in shown["snapshotDelta"]["tree"]
    assert shown["settled"] is False
    assert any("/hang.png" in each for each in shown["pending"])


async def test_a_page_that_waits_for_a_socket_is_waited_for(caller: Caller) -> None:
    async def talk(socket: WebSocket) -> None:
        await socket.receive()
        await asyncio.sleep(0.3)
        await socket.send("from the socket")
        await socket.receive()

    caller.site.websocket("/live", talk)
    shown = await caller.show(
        """<body><a href=#main>Skip</a><script>
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/live');
        socket.onopen = () => socket.send('hello');
        socket.onmessage = ({data}) => { document.body.append(data); };
        </script>"""
    )
    assert "from the socket" in shown["snapshotDelta"]["tree"]


async def test_a_page_that_shows_nothing_yet_is_waited_for(caller: Caller) -> None:
    caller.site.page(
        "/boot.js", f"setTimeout(() => {{ {BUILD} }}, 600)", content_type="text/javascript"
    )
    shown = await caller.show("<body><div id=root></div><script src=/boot.js></script>")
    assert "built" in shown["snapshotDelta"]["tree"]


async def test_what_spins_on_a_new_page_is_waited_for(caller: Caller) -> None:
    shown = await caller.show(
        f"""<body><h1>Shop</h1><div id=spin role=progressbar>…</div><script>
        setTimeout(() => {{ spin.remove(); {BUILD} }}, 500)</script>"""
    )
    assert "built" in shown["snapshotDelta"]["tree"]


async def test_a_page_is_not_there_while_it_only_spins(caller: Caller) -> None:
    """What is asked for keeps a blank page waited for beyond the usual patience."""
    answer_late(caller, "/late", "", "text/plain", seconds=6)
    shown = await caller.show(
        f"<body><div style='position:absolute;left:-9999px'>Skip</div><script>"
        f"fetch('/late').then(() => {{ {BUILD} }})</script>"
    )
    assert "built" in shown["snapshotDelta"]["tree"]
