"""Sessions that begin with something."""

from __future__ import annotations

import json

from tests.support.callers import Caller
from tests.support.shop import open_shop


async def evaluated(caller: Caller, expression: str, session: str = "s") -> object:
    """What the page says."""
    return (await caller.ok("eval_js", expr=expression, session=session))["value"]


async def test_a_device_and_its_window(mighty: Caller) -> None:
    opened = await mighty.ok("open_session", session="s", device="iphone 15", locale="fr-FR")
    assert opened["device"] == "iPhone 15"
    await mighty.show("<p>hello</p>", session="s")
    assert "iPhone" in str(await evaluated(mighty, "navigator.userAgent"))
    assert await evaluated(mighty, "[devicePixelRatio, navigator.language]") == [3, "fr-FR"]
    refusal = await mighty.refused("open_session", session="t", device="iPhone 15 Prro")
    assert "iPhone 15 Pro" in refusal["hint"]


async def test_what_the_server_cannot_do_is_said(mighty: Caller) -> None:
    refusal = await mighty.refused("open_session", session="s", engine="firefox")
    assert refusal["code"] == "unsupported"
    refusal = await mighty.refused("open_session", session="s", mode="attached")
    assert refusal["code"] == "not_configured"
    assert "STOCKADE_ATTACH_CDP" in refusal["hint"]
    refusal = await mighty.refused("open_session", session="s", mode="incognito", profile="work")
    assert refusal["code"] == "invalid_argument"
    assert (await mighty.ok("list_sessions"))["sessions"] == []


async def test_a_profile_goes_on_where_it_ended(mighty: Caller) -> None:
    opened = await mighty.ok("open_session", session="s", profile="work")
    assert (opened["mode"], opened["profile"]) == ("persistent", "work")
    await mighty.show("<script>localStorage.note ??= 'first'</script>", session="s")
    await evaluated(mighty, "document.cookie = 'who=ada; max-age=9000'")
    await mighty.ok("close_session", session="s")
    await mighty.ok("open_session", session="s", mode="persistent", profile="work")
    await mighty.show("<script>localStorage.note ??= 'second'</script>", session="s")
    assert await evaluated(mighty, "[document.cookie, localStorage.note]") == ["who=ada", "first"]
    await mighty.ok("open_session", session="other")
    await mighty.show("<p>hello</p>", session="other")
    assert await evaluated(mighty, "document.cookie", "other") == ""


async def test_states_given_or_kept(mighty: Caller) -> None:
    await mighty.show("<p>hello</p>")
    await mighty.ok("cookies_set", name="who", value="ada", url=mighty.site.url("/"))
    await mighty.ok("auth_save", name="ada")
    state = (await mighty.ok("dump_storage_state"))["state"]
    for number, given in enumerate(({"storageState": state}, {"authState": "ada"})):
        await mighty.ok("open_session", session=f"s{number}", **given)
        await mighty.show("<p>hello</p>", session=f"s{number}")
        assert await evaluated(mighty, "document.cookie", f"s{number}") == "who=ada"


async def test_files_of_sessions_that_have_ended(mighty: Caller) -> None:
    shop = open_shop(mighty.site)
    await mighty.ok("open_session", session="s", har={"path": "visit.har", "content": "attach"})
    await mighty.ok("navigate", session="s", url=shop)
    await mighty.ok("cookies_set", session="s", name="who", value="ada", url=shop)
    await mighty.ok("dump_storage_state", session="s", path="states/ada.json")
    await mighty.ok("close_session", session="s")
    mighty.site.requests.clear()
    given = {"storageState": "states/ada.json", "hars": ["visit.har"]}
    await mighty.ok("open_session", session="s", **given)
    await mighty.ok("navigate", session="s", url=shop)
    assert "Little Shop" in await mighty.text("snapshot", session="s")
    assert "who=ada" in str(await evaluated(mighty, "document.cookie"))
    assert mighty.site.asked("/") == []
    stranger = mighty.another()
    assert (await stranger.refused("open_session", session="s", **given))[
        "code"
    ] == "artifact_not_found"
    for bad in ("../x", "/etc/passwd", "states"):
        await mighty.refused("open_session", session="bad", storageState=bad)


async def test_one_that_cannot_be_set_up_is_not_there(mighty: Caller) -> None:
    await mighty.refused("open_session", session="s", authState="nobody")
    await mighty.refused("open_session", session="s", storageState={"cookies": "many"})
    await mighty.refused("open_session", session="s", hars=["none.har"])
    assert (await mighty.ok("list_sessions"))["sessions"] == []


async def test_traffic_recorded_from_the_start_and_answered_from(mighty: Caller) -> None:
    shop = open_shop(mighty.site)
    await mighty.ok("open_session", session="s", har={"path": "visit.har", "content": "embed"})
    await mighty.ok("navigate", session="s", url=shop)
    await mighty.ok("stop_har", session="s")
    mighty.site.requests.clear()
    har = json.loads((await mighty.ok("artifact_get", session="s", name="visit.har"))["content"])
    assert shop in [entry["request"]["url"] for entry in har["log"]["entries"]]
    await mighty.ok("artifact_save", name="visit.har", content=json.dumps(har))
    [row] = [
        row for row in (await mighty.ok("artifact_list"))["artifacts"] if row["name"] == "visit.har"
    ]
    await mighty.ok("open_session", session="again", hars=[row["uri"]])
    await mighty.ok("navigate", session="again", url=shop)
    assert "Little Shop" in await mighty.text("snapshot", session="again")
    assert mighty.site.asked("/") == []


async def test_a_film_from_the_start(mighty: Caller) -> None:
    await mighty.ok("open_session", session="s", recordVideo={"path": "visit.webm"})
    await mighty.show("<h1>hello</h1>", session="s")
    film = await mighty.ok("stop_video", session="s")
    assert film["bytes"] > 0


async def test_the_core_alone_is_enough_to_begin_with_a_state(mighty: Caller) -> None:
    await mighty.ok("auth_save", name="ada")
    narrow = Caller(mighty.kernel, mighty.principal, mighty.site, frozenset({"core"}))
    await narrow.ok("open_session", session="s", authState="ada")
