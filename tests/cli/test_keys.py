from __future__ import annotations

import re
import stat

from stockade.store.database import Database
from stockade.store.keys import Keys
from tests.cli.commands import Home


async def test_a_key_opens_the_database_it_was_made_in(home: Home) -> None:
    made = await home.run("keys", "create", "bot", cold=True)
    token = made.out.strip()
    assert re.fullmatch(r"stk_\w+_[\w-]{43}", token)
    assert token not in made.err
    async with await Database.open(f"sqlite:///{home.workspace / 'stockade.db'}") as database:
        record = await Keys(database).authenticate(token)
    assert (record.name, record.role, record.tenant) == ("bot", "agent", "local")
    assert stat.S_IMODE(home.workspace.stat().st_mode) == 0o700


async def test_keys_are_listed_without_tokens(home: Home) -> None:
    made = await home.run("keys", "create", "bot", "--json")
    listed = await home.run("keys", "list")
    assert listed.out.split("\t")[:4] == [made.data["id"], "bot", "agent", "local"]
    assert made.data["token"] not in listed.out
    data = (await home.run("keys", "list", "--json")).data["keys"]
    assert [(each["id"], each["state"]) for each in data] == [(made.data["id"], "valid")]
    assert "token" not in data[0]
    assert (await home.run("keys", "list", "--tenant", "other", "--json")).data == {"keys": []}


async def test_a_key_can_have_less(home: Home) -> None:
    made = await home.run(
        *("keys", "create", "bot", "--role", "operator", "--days", "2", "--json"),
        *("--capabilities", "read,navigation", "--allowed-origins", "example.com"),
    )
    assert made.data["capabilities"] == ["navigation", "read"]
    assert made.data["origins"] == ["example.com"]
    assert made.data["role"] == "operator"
    assert made.data["expires_at"] > made.data["created_at"]


async def test_a_revoked_key_stays_listed(home: Home) -> None:
    made = await home.run("keys", "create", "bot", "--json")
    revoked = await home.run("keys", "revoke", made.data["id"])
    assert revoked.out == f"key {made.data['id']} is revoked\n"
    assert (await home.run("keys", "list", "--json")).data["keys"][0]["state"] == "revoked"
    again = await home.run("keys", "revoke", made.data["id"], "--json")
    assert again.data == {"ok": True, "id": made.data["id"]}


async def test_what_cannot_be_is_refused(home: Home) -> None:
    for arguments, code in (
        (["create", "bot", "--role", "king"], 2),
        (["create", "bot", "--capabilities", "everything"], 2),
        (["create", "bot", "--allowed-origins", "no origin"], 2),
        (["create", "bot", "--tenant", "nobody"], 4),
        (["revoke", "nope"], 4),
    ):
        done = await home.run("keys", *arguments)
        assert done.code == code, done
        assert done.err.startswith("stockade: ")
        assert done.out == ""
    assert (await home.run("keys", "list")).out == ""
