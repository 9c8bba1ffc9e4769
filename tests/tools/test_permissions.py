"""What pages may use, and what becomes of it when they ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Role
from stockade.sessions.permissions import KNOWN
from tests.support.callers import Caller
from tests.support.levels import only_shared
from tests.support.waiting import until

PAGE = '<button onclick="Notification.requestPermission().then(p => title = p)">Notify me</button>'
ASKS = """<p role=status id=out>-</p><script>
const say = (what) => { out.textContent += `[${what}]`; };
const geo = () => navigator.geolocation.getCurrentPosition(() => say('here'), (e) => say(`geo ${e.code}`));
const watched = () => navigator.geolocation.watchPosition(() => say('here'), (e) => say(`geo ${e.code}`));
const note = async () => say(`note ${await Notification.requestPermission()}`);
const copy = async () => say(await navigator.clipboard.writeText('x').then(() => 'copied', (e) => e.name));
const lock = async () => say(await navigator.wakeLock.request('screen').then(() => 'awake', (e) => e.name));
const see = async () => say(await navigator.mediaDevices.getUserMedia({ video: true, audio: true }).then(() => 'seen', (e) => e.name));
const screen1 = async () => say(await navigator.mediaDevices.getDisplayMedia().then(() => 'seen', (e) => e.name));
</script>""" + "".join(
    f"<button onclick='{name}()'>{name}</button>"
    for name in ("geo", "watched", "note", "copy", "lock", "see", "screen1")
)


async def ask(caller: Caller, name: str) -> dict[str, Any]:
    """Have the page ask; the result, which need not be a success."""
    reply = await caller.reply("click", selector=f"role=button[name={name}]")
    assert reply.data is not None
    return reply.data


async def test_granted_for_one_origin_and_taken_back(caller: Caller) -> None:
    await caller.show(PAGE)
    names = ["camera", "geolocation", "no-such-thing"]
    said = await caller.ok("permission_state", permissions=names)
    assert (said["ok"], said["origin"]) == (True, caller.site.url(""))
    before = said["states"]
    assert before["camera"] != "granted"
    assert before["no-such-thing"] == "unknown"
    result = await caller.ok(
        "grant_permissions", permissions=["camera"], origin=caller.site.url("/page")
    )
    [origin] = result["state"]["permissions"]
    assert caller.site.url("/page").startswith(origin)
    after = (await caller.ok("permission_state", permissions=names))["states"]
    assert after["camera"] == "granted"
    assert after["geolocation"] == before["geolocation"]
    await caller.ok("grant_permissions", permissions=[])
    assert (await caller.ok("permission_state", permissions=["camera"]))["states"] == {
        "camera": before["camera"]
    }


async def test_of_an_origin_that_is_not_open(caller: Caller) -> None:
    await caller.show(PAGE)
    other = caller.site.other.url("/")
    await caller.ok("grant_permissions", permissions=["midi-sysex", "microphone"], origin=other)
    state = await caller.ok("permission_state", permissions=["microphone", "camera"], origin=other)
    assert state["states"] == {"microphone": "granted", "camera": "unknown"}
    assert state["origin"] == caller.site.other.url("")
    caller.site.other.page("/", PAGE)
    await caller.ok("navigate", url=other, mode="none")
    state = await caller.ok("permission_state", permissions=["midi-sysex", "microphone"])
    assert state["states"] == {"midi-sysex": "granted", "microphone": "granted"}


@only_shared
async def test_what_may_not_be_chosen(caller: Caller, mighty: Caller) -> None:
    body = await caller.refused("grant_permissions", permissions=["telepathy"])
    assert body["code"] == "invalid_argument"
    body = await caller.refused(
        "set_permission_policy", mode="deny", perPermission={"telepathy": "allow"}
    )
    assert body["code"] == "invalid_argument"
    assert "telepathy" not in body["error"]
    assert all(name in body["hint"] for name in KNOWN)
    assert (await caller.refused("set_notification_policy", mode="shout"))["code"] == (
        "invalid_argument"
    )
    # The clipboard has a switch of its own, and a shared browser shares it.
    clipboard = {"clipboard-write": "allow"}
    body = await caller.refused("set_permission_policy", mode="deny", perPermission=clipboard)
    assert body["code"] == "capability_disabled"
    body = await caller.refused("grant_permissions", permissions=["clipboard-write"])
    assert body["code"] == "capability_disabled"
    done = await caller.ok("set_permission_policy", mode="allow")
    assert done["perPermission"] == {"clipboard-read": "deny", "clipboard-write": "deny"}
    await mighty.ok("open_session", session="mighty")
    done = await mighty.ok("set_permission_policy", mode="allow", session="mighty")
    assert done["perPermission"] == {"clipboard-read": "deny"}


@pytest.mark.parametrize(
    ("name", "permission", "said"),
    [
        ("geo", "geolocation", "geo 1"),
        ("watched", "geolocation", "geo 1"),
        ("note", "notifications", "note denied"),
        ("copy", "clipboard-write", "NotAllowedError"),
        ("screen1", "display-capture", "NotAllowedError"),
    ],
)
async def test_what_is_asked_for_is_denied_and_told_once(
    caller: Caller, name: str, permission: str, said: str
) -> None:
    await caller.show(ASKS)
    body = await ask(caller, name)
    assert (body["ok"], body["code"]) == (False, "page_asked")
    origin = caller.site.url("").rstrip("/")
    assert body["failure"] == {"source": "app"}
    assert body["permissionRequests"] == [
        {"permission": permission, "origin": origin, "handledAs": "raise"}
    ]
    assert f"[{said}]" in await caller.text("snapshot")


@pytest.mark.parametrize("origin", [None, "here"])
async def test_what_was_refused_can_be_granted(caller: Caller, origin: str | None) -> None:
    await caller.show(ASKS)
    await caller.ok("set_geolocation", latitude=1, longitude=2)
    assert (await ask(caller, "geo"))["code"] == "page_asked"
    assert "geo 1" in await caller.text("snapshot")
    given = {} if origin is None else {"origin": caller.site.url("/page")}
    await caller.ok("grant_permissions", permissions=["geolocation"], **given)
    state = await caller.ok("permission_state", permissions=["geolocation"])
    assert "granted" in str(state)
    (asked,) = (await ask(caller, "geo"))["permissionRequests"]
    assert asked["handledAs"] == "allow"
    await caller.ok("wait_for", text="here")
    await caller.ok("reload")
    await ask(caller, "geo")
    await caller.ok("wait_for", text="here")


async def test_a_grant_to_one_origin_leaves_the_refusals_of_others(caller: Caller) -> None:
    await caller.show(ASKS)
    await ask(caller, "geo")
    elsewhere = caller.site.other.url("/")
    await caller.ok("grant_permissions", permissions=["geolocation"], origin=elsewhere)
    assert "denied" in str(await caller.ok("permission_state", permissions=["geolocation"]))


async def test_what_is_told_of_notifications_is_what_the_page_gets(caller: Caller) -> None:
    await caller.ok("set_permission_policy", mode="allow")
    await caller.ok("set_notification_policy", mode="deny")
    await caller.show(ASKS)
    (asked,) = (await ask(caller, "note"))["permissionRequests"]
    assert asked["handledAs"] == "deny"
    assert "[note denied]" in await caller.text("snapshot")
    await caller.ok("set_notification_policy", mode="allow")
    (asked,) = (await ask(caller, "note"))["permissionRequests"]
    assert asked["handledAs"] == "allow"
    assert "[note granted]" in await caller.text("snapshot")


async def test_each_mode(mighty: Caller) -> None:
    await mighty.ok(
        "open_session",
        permissionPolicy={"mode": "deny", "perPermission": {"screen-wake-lock": "allow"}},
    )
    config = (await mighty.ok("get_config"))["config"]
    assert config["permissionPolicy"] == {
        "mode": "deny",
        "perPermission": {"screen-wake-lock": "allow"},
    }
    await mighty.show(ASKS)
    done = await ask(mighty, "lock")
    assert (done["ok"], done["permissionRequests"][0]["handledAs"]) == (True, "allow")
    done = await ask(mighty, "note")
    assert (done["ok"], done["permissionRequests"][0]["handledAs"]) == (True, "deny")
    # Of two that are asked for at once, the stricter decides.
    await mighty.ok("set_permission_policy", mode="raise", perPermission={"camera": "allow"})
    body = await ask(mighty, "see")
    assert [each["handledAs"] for each in body["permissionRequests"]] == ["raise", "raise"]
    assert "1 more times" in body["error"]
    await mighty.ok("grant_permissions", permissions=["microphone"])
    done = await ask(mighty, "see")
    assert [each["handledAs"] for each in done["permissionRequests"]] == ["allow", "allow"]
    assert "[awake]" in await mighty.text("snapshot")


@pytest.mark.parametrize("decision", ["approve", "deny"])
async def test_a_person_decides(caller: Caller, decision: Any) -> None:
    await caller.ok("open_session", permissionPolicy="ask-human", notificationPolicy="allow")
    await caller.show(ASKS)
    done = await ask(caller, "note")
    assert done["permissionRequests"][0]["handledAs"] == "ask-human"
    operator = replace(caller.principal, id="operator", role=Role.OPERATOR)
    approvals = caller.kernel.approvals
    [question] = approvals.listed(operator, "pending")
    assert (question.facts["tool"], question.facts["prompt"]) == ("permission", "notifications")
    await approvals.answer(operator, question.id, decision)
    said = "granted" if decision == "approve" else "denied"
    await caller.ok("wait_for", text=f"[note {said}]")
    state = await caller.ok("permission_state", permissions=["notifications"])
    assert state["states"] == {"notifications": said}


NOTIFIES = """<script>const show = () => new Notification('Buy now', { body: 'cheap', tag: 't' })</script>
<button onclick=show()>Show</button>"""


@pytest.mark.parametrize("mode", ["raise", "allow", "deny"])
async def test_notifications(caller: Caller, mode: str) -> None:
    done = await caller.ok("set_notification_policy", mode=mode)
    assert done == {"ok": True, "mode": mode, "policy": {"mode": mode}}
    await caller.ok("grant_permissions", permissions=["notifications"])
    await caller.show(NOTIFIES)
    body = await ask(caller, "Show")
    assert body["ok"] == (mode != "raise")
    [told] = body["notifications"]
    assert told.pop("timestamp") > 0
    assert told == {
        "title": "Buy now",
        "body": "cheap",
        "tag": "t",
        "origin": caller.site.url("").rstrip("/"),
        "handledAs": mode,
    }
    assert str(body).count("Buy now") == 1
    assert (await caller.reply("snapshot")).ok


async def test_frames_popups_and_a_flood(caller: Caller) -> None:
    """Another origin's frame is told as such; a popup nobody has used speaks by its opener."""
    inner = caller.site.other.page("/inner", ASKS)
    caller.site.page("/popup", "<script>Notification.requestPermission()</script>")
    await caller.show(
        f"<iframe allow='geolocation' src='{inner}'></iframe>"
        "<button onclick=\"window.open('/popup')\">Pop</button><button onclick=flood()>Flood</button>"
        "<script>const flood = () => { for (let i = 0; i < 500; i++)"
        " Notification.requestPermission() }</script>"
    )
    session = caller.kernel.sessions.find(caller.principal, "default")
    body = await ask(caller, "geo")
    assert body["permissionRequests"][0]["origin"] == caller.site.other.url("").rstrip("/")
    assert (await caller.reply("snapshot")).ok
    replies = [await caller.reply("click", selector="role=button[name=Pop]")]
    await until(lambda: len(session.tabs) == 2)
    await until(lambda: bool(session.tabs[1].recorder._now.asked_for))
    replies.append(await caller.reply("find", query="Pop"))
    [body] = [each.data or {} for each in replies if not each.ok]
    assert "notifications" in str(body)
    body = await ask(caller, "Flood")
    assert body["code"] == "page_asked"
    assert len(body["permissionRequests"]) <= 10
    # Reading goes on, and whoever insists is not kept from acting.
    await caller.reply("click", selector="role=button[name=Pop]")
    assert (await caller.reply("click", selector="role=button[name=Pop]")).error is None


async def test_a_page_cannot_answer_itself(caller: Caller) -> None:
    """Whatever it finds and calls, nothing is granted and nothing is forged but a report."""
    caller.site.page(
        "/sly",
        """<p id=out></p><script>
        const before = new Set(Object.getOwnPropertyNames(globalThis));
        const strange = [...before].filter((name) => /^s[0-9a-f]{16}$/.test(name));
        const own = Function.prototype.toString;
        addEventListener('focusin', (e) => { document.title += e.type });
        for (let i = 0; i < 50; i++) document.dispatchEvent(new FocusEvent(`${i}`, { relatedTarget: document.createElement('input') }));
        Notification.requestPermission = async () => 'granted';
        (async () => {
          const asked = await Notification.requestPermission();
          const real = document.createElement('iframe');
          document.body.append(real);
          const inner = await real.contentWindow.Notification.requestPermission();
          const state = (await navigator.permissions.query({ name: 'notifications' })).state;
          out.textContent = JSON.stringify({ strange: strange.length, asked, inner, state });
        })();
        </script>""",
    )
    await caller.reply("navigate", url=caller.site.url("/sly"))
    await caller.reply("wait_for", text='"asked":"granted"')
    shown = (await caller.reply("snapshot")).text
    assert '"strange":0' in shown
    assert '"inner":"denied"' in shown
    assert '"state":"denied"' in shown
