"""Permissions as the browser's own state."""

from __future__ import annotations

from stockade.engines.port import Context
from stockade.sessions.granted import Granted
from stockade.sessions.options import Rule
from stockade.sessions.permissions import KNOWN, POLICED, Permissions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.sessions.ground import main
from tests.sessions.test_tabs import at
from tests.support.site import Site

NAMES = ["camera", "geolocation", "notifications"]
STATES = """async names => Object.fromEntries(await Promise.all(names.map(
  async name => [name, (await navigator.permissions.query({ name })).state])))"""


async def states(tab: Tab) -> dict[str, str]:
    found: dict[str, str] = await main(tab, STATES, NAMES)
    return found


async def test_a_rule_is_set_and_forgotten(session: Session, site: Site) -> None:
    permissions = Permissions(session)
    session.after_start.append(lambda context: permissions.begin(context, timeout=5))
    tab = await at(session, site)
    before = await states(tab)
    assert set(before.values()) == {"prompt"}
    await permissions.set(Rule("deny", {"camera": "allow", "geolocation": "raise"}), timeout=5)
    assert list((await states(tab)).values()) == ["granted", "prompt", "denied"]
    session.parts.of(Granted, Granted).add(("geolocation",), None)
    await permissions.set(Rule(), notify=False, timeout=5)
    assert list((await states(tab)).values()) == ["prompt", "granted", "denied"]


async def test_every_name_can_be_set(session: Session) -> None:
    context: Context = await session.started()
    for name in KNOWN:
        await context.set_permission(name, "denied")
    assert set(POLICED) < set(KNOWN)


async def test_what_was_decided_holds_for_its_origin(session: Session, site: Site) -> None:
    permissions = Permissions(session)
    tab = await at(session, site)
    here, other = site.url("").rstrip("/"), site.other.url("").rstrip("/")
    assert permissions.mode_of(["camera"], here) == "raise"
    await permissions.decide(["camera"], "granted", (here, "null"))
    assert permissions.mode_of(["camera"], here) == "allow"
    assert permissions.mode_of(["camera", "geolocation"], here) == "raise"
    assert permissions.mode_of(["camera"], here, other) == "raise"
    assert (await states(tab))["camera"] == "granted"
    await permissions.decide(["camera"], "denied", (here,))
    assert (await states(tab))["camera"] == "denied"
