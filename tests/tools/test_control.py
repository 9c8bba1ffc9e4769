"""Sessions and tabs as callers see them."""

from __future__ import annotations

from stockade.policy.policy import Policy
from stockade.policy.principal import Role
from stockade.urls import origin_of
from tests.support.callers import Caller
from tests.support.levels import LEVEL


async def test_a_session_from_opening_to_closing(caller: Caller) -> None:
    opened = await caller.ok("open_session", session="work", viewport={"width": 800, "height": 600})
    assert {"session_id", "credential_mode", "record", "started_at"} <= set(opened)
    assert (opened["credential_mode"], opened["record"]) == ("clean", "transient")
    assert opened["isolation"] == LEVEL
    assert not opened["running"]
    caller.site.page(
        "/", "<title>Work</title><p id=p></p><script>p.textContent = innerWidth</script>"
    )
    shown = await caller.ok("navigate", url=caller.site.url("/"), session="work")
    assert "800" in shown["snapshotDelta"]["tree"]
    (row,) = (await caller.ok("list_sessions"))["sessions"]
    assert (row["id"], row["pages"], row["url"]) == ("work", 1, caller.site.url("/"))
    closed = await caller.ok("close_session", session="work")
    assert closed["closed_at"].endswith("Z")
    assert (await caller.refused("snapshot", session="work"))["code"] == "session_not_found"


async def test_names_are_checked_and_not_taken_twice(caller: Caller) -> None:
    await caller.ok("open_session", session="one")
    assert (await caller.refused("open_session", session="one"))["code"] == "conflict"
    for name in ("", "a b", "../x", "é", "x" * 101, "-x"):
        assert (await caller.refused("open_session", session=name))["code"] == "invalid_argument"
    assert (await caller.refused("close_session", session="never"))["code"] == "session_not_found"


async def test_sessions_share_nothing(caller: Caller) -> None:
    caller.site.page(
        "/",
        "<p id=p></p><script>p.textContent = document.cookie || 'none'; document.cookie = 'a=1'</script>",
    )
    for session in ("one", "two"):
        await caller.ok("open_session", session=session)
        shown = await caller.ok("navigate", url=caller.site.url("/"), session=session)
        assert "none" in shown["snapshotDelta"]["tree"]


async def test_another_caller_sees_none_of_it(caller: Caller) -> None:
    await caller.show("<title>Private</title>")
    await caller.ok("open_session", session="secret")
    other = caller.another()
    assert (await other.ok("list_sessions"))["sessions"] == []
    assert (await other.ok("tabs"))["tabs"] == []
    refusal = await other.refused("snapshot", session="secret")
    never = await other.refused("snapshot", session="absent")
    assert refusal["code"] == never["code"] == "session_not_found"
    (mine,) = [
        each for each in (await caller.ok("list_sessions"))["sessions"] if each["id"] == "secret"
    ]
    by_id = await other.refused("snapshot", session=mine["session_id"])
    assert by_id["code"] == "session_not_found"


async def test_an_operator_sees_its_tenants_sessions_and_no_others(caller: Caller) -> None:
    await caller.show("<title>Private</title>")
    operator = caller.another(role=Role.OPERATOR)
    (row,) = (await operator.ok("list_sessions"))["sessions"]
    assert "Private" in await operator.text("snapshot", session=row["session_id"])
    stranger = caller.another(role=Role.OPERATOR, tenant="elsewhere")
    assert (await stranger.ok("list_sessions"))["sessions"] == []
    assert (await stranger.refused("snapshot", session=row["session_id"]))[
        "code"
    ] == "session_not_found"


async def test_a_sessions_domains_are_its_only_places(caller: Caller) -> None:
    caller = caller.another(policy=Policy(confirm=frozenset()))
    origin = caller.site.url("").removeprefix("http://").rstrip("/")
    await caller.ok("open_session", session="narrow", domains=[origin])
    caller.site.page("/", "<h1>In</h1>")
    await caller.ok("navigate", url=caller.site.url("/"), session="narrow")
    refusal = await caller.refused("navigate", url=caller.site.other.url("/"), session="narrow")
    assert refusal["code"] == "address_denied"
    refusal = await caller.refused("open_session", session="odd", domains=["not a domain/path"])
    assert refusal["code"] in {"invalid_argument", "bad_setting"}


async def test_a_page_off_the_list_is_neither_read_nor_acted_on(caller: Caller) -> None:
    origin = caller.site.url("").removeprefix("http://").rstrip("/")
    caller.site.other.page("/out", "<h1>Outside</h1>")
    caller.site.page("/", f"<a href={caller.site.other.url('/out')}>Leave</a>")
    await caller.ok("open_session", session="narrow", domains=[origin])
    await caller.ok("navigate", url=caller.site.url("/"), session="narrow")
    # Also if the way out lets it through.
    session = caller.kernel.sessions.find(caller.principal, "narrow")
    await session.outgoing.admit(origin_of(caller.site.other.url("/")))
    await caller.reply("click", selector="text=Leave", session="narrow")
    for tool, arguments in (("snapshot", {}), ("press", {"key": "Tab"}), ("screenshot", {})):
        refusal = await caller.refused(tool, session="narrow", **arguments)
        assert refusal["code"] == "address_denied"
    back = await caller.ok("go_back", session="narrow")
    assert back["final_url"] == caller.site.url("/")


async def test_tabs_are_opened_selected_and_closed(caller: Caller) -> None:
    await caller.show("<title>One</title>", path="/one")
    caller.site.page("/two", "<title>Two</title>")
    listed = await caller.ok("tabs", action="new", url=caller.site.url("/two"))
    assert [(tab["tab"], tab["title"]) for tab in listed["tabs"]] == [("t1", "One"), ("t2", "Two")]
    assert listed["tabs"][1]["current"]
    assert "Two" in await caller.text("snapshot")
    listed = await caller.ok("tabs", action="select", tab="t1")
    assert listed["tabs"][0]["current"]
    listed = await caller.ok("tabs", action="close", tab="t1")
    assert [tab["tab"] for tab in listed["tabs"]] == ["t2"]
    refusal = await caller.refused("snapshot", tab="t1")
    assert refusal["code"] in {"tab_not_found", "tab_closed"}
    for action in ("select", "close"):
        assert (await caller.refused("tabs", action=action))["code"] == "invalid_argument"
        assert (await caller.refused("tabs", action=action, tab="t9"))["code"] == "tab_not_found"


async def test_a_new_tab_goes_nowhere_it_may_not(caller: Caller) -> None:
    refusal = await caller.refused("tabs", action="new", url="file:///etc/passwd")
    assert refusal["code"] == "address_denied"
    assert (await caller.ok("tabs"))["tabs"] == []


async def test_many_sessions_are_closed_at_once(caller: Caller) -> None:
    for name in ("a1", "a2", "b1"):
        await caller.ok("open_session", session=name)
    assert (await caller.refused("close_sessions"))["code"] == "invalid_argument"
    assert (await caller.ok("close_sessions", idleMs=3_600_000))["count"] == 0
    closed = await caller.ok("close_sessions", prefix="a")
    assert (sorted(closed["closed"]), closed["count"]) == (["a1", "a2"], 2)
    stranger = caller.another()
    assert (await stranger.ok("close_sessions", all=True))["count"] == 0
    assert (await caller.ok("close_sessions", all=True))["closed"] == ["b1"]
