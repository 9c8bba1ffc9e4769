from __future__ import annotations

from tests.cli.commands import Home

VALUE = "correct horse battery"


async def test_secrets_are_set_listed_and_removed(home: Home) -> None:
    async with home.server():
        given = ("secrets", "set", "PASSWORD", "--origin", "https://shop.test")
        made = await home.run(*given, "--origin", "*.shop.test", cold=True, input=f"{VALUE}\n")
        assert made.code == 0, made.err
        assert "https://shop.test, *.shop.test" in made.err
        listed = await home.run("secrets", "list")
        assert listed.out.split("\t")[0] == "PASSWORD"
        assert VALUE not in listed.out + made.out + made.err
        assert (await home.run("secrets", "remove", "PASSWORD")).code == 0
        assert (await home.run("secrets", "remove", "PASSWORD", "--json")).code == 4
    for path in home.workspace.rglob("*"):
        assert not path.is_file() or VALUE.encode() not in path.read_bytes()


async def test_without_a_server_there_is_nobody_to_keep_them(home: Home) -> None:
    done = await home.run("secrets", "list")
    assert done.code == 7
    assert "stockade serve" in done.err
