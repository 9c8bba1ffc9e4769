"""The sessions that a server had are known to the next one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stockade.config import load
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from stockade.sessions.roster import Roster
from stockade.workspace import Workspace
from tests.support.callers import Caller
from tests.support.levels import LEVEL
from tests.support.site import Site

KEY = Principal("key_1")
OTHERS = (Principal("key_1", client="stdio"), Principal("command", nearby=True))


async def test_a_restart_is_told_to_the_keys_whose_sessions_it_ended(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", "<title>Home</title>")
    settings = load(workspace=tmp_path / "workspace", isolation=LEVEL)
    everybody = (KEY, *OTHERS)
    async with running_kernel(settings) as kernel:
        for each in everybody:
            await Caller(kernel, each, site).ok("navigate", url=site.url("/"))
        who = Caller(kernel, KEY, site)
        await who.ok("open_session", session="work")
        await who.ok("navigate", url=site.url("/"), session="work")
        await who.ok("open_session", session="done")
        await who.ok("navigate", url=site.url("/"), session="done")
        await who.ok("close_session", session="done")
    async with running_kernel(settings) as kernel:
        who = Caller(kernel, KEY, site)
        told = await who.text("snapshot")
        assert "because the server was restarted" in told
        assert "warning" not in await who.text("snapshot")
        gone = await who.refused("snapshot", session="work")
        assert gone["error"] == "session work is gone: the server was restarted"
        assert "restarted" not in (await who.refused("snapshot", session="done"))["error"]
        for each in OTHERS:
            assert "warning" not in await replace(who, principal=each).text("snapshot")


async def test_what_cannot_be_read_is_as_if_there_were_none(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "workspace")
    assert await Roster(workspace).left_behind() == []
    workspace.write("sessions.json", b"{}")
    assert await Roster(workspace).left_behind() == []
