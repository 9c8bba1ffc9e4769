from __future__ import annotations

from tests.cli.commands import Home


async def test_sessions_are_listed_and_closed(home: Home) -> None:
    async with home.server():
        assert (await home.run("sessions", "list", cold=True)).out == ""
        opened = (await home.run("call", "open_session", "session=work", "--json")).data
        listed = await home.run("sessions", "list")
        assert listed.out.split("\t")[:4] == [opened["session_id"], "work", "bwrap", "0"]
        closed = await home.run("sessions", "close", opened["session_id"], "--json")
        assert closed.data["session"] == "work"
        assert (await home.run("sessions", "list", "--json")).data["sessions"] == []
        again = await home.run("sessions", "close", "work")
        assert again.code == 4
        assert "session work is gone" in again.err


async def test_without_a_server_there_are_none(home: Home) -> None:
    for arguments in (["list"], ["close", "x"]):
        done = await home.run("sessions", *arguments)
        assert done.code == 7
        assert "stockade serve" in done.err
    assert not home.workspace.exists()
