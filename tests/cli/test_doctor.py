from __future__ import annotations

from typing import Any

from tests.cli.commands import Done, Home

CHECKS = [
    "stockade",
    "python",
    "clock",
    "settings",
    "policy",
    "origins",
    "confirmations",
    "user",
    "jails",
    "cgroups",
    "fonts",
    "shared memory",
    "disk",
    "workspace",
    "scratch",
    "browser",
    "start",
    "sandbox",
    "egress",
    "resolver",
    "database",
    "server",
]


def states(done: Done) -> dict[str, str]:
    return {each["name"]: each["state"] for each in done.data["checks"]}


async def test_this_machine_is_well(home: Home) -> None:
    done = await home.run("doctor", "--json", cold=True, STOCKADE_PORT="0")
    assert done.code == 0
    assert done.data["ok"] is True
    assert list(states(done)) == CHECKS
    assert "problem" not in states(done).values()
    for name in ("start", "sandbox", "scratch", "egress"):
        assert states(done)[name] == "ok", name
    assert states(done)["origins"] == states(done)["confirmations"] == "warning"
    assert not home.workspace.exists()


async def test_an_open_tab_api_is_a_warning(home: Home) -> None:
    done = await home.run("doctor", "--json", STOCKADE_PORT="0", STOCKADE_COMPAT="1")
    (said,) = [each for each in done.data["checks"] if "compat is on" in each["said"]]
    assert said["state"] == "warning"


async def test_people_get_a_line_for_each_check(home: Home) -> None:
    done = await home.run("doctor", STOCKADE_PORT="0", STOCKADE_CAPABILTIES="x")
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["ok", "warning"]
    assert "is it STOCKADE_CAPABILITIES?" in done.out
    assert lines[-1].startswith("0 problems, ")


async def test_a_browser_that_is_not_there_is_a_problem(home: Home) -> None:
    done = await home.run(
        "doctor",
        "--json",
        STOCKADE_CHROMIUM="/bin/false",
        STOCKADE_PORT="0",
        STOCKADE_ADMIN_KEY="hush-hush-hush",
        STOCKADE_ALLOWED_ORIGINS="https://hush-hush-hush.example",
    )
    assert "hush" not in done.out, "what a setting keeps secret is in no line"
    assert done.code == 1
    assert done.data["ok"] is False
    assert states(done)["browser"] == "problem"
    assert "start" not in states(done)


async def test_settings_that_cannot_be_read_are_a_problem(home: Home) -> None:
    home.workspace.mkdir(mode=0o700)
    (home.workspace / "stockade.toml").write_text("port = ")
    done = await home.run("doctor", "--json")
    assert done.code == 1
    assert done.data["checks"][-1]["name"] == "settings"
    assert "stockade.toml" in done.data["checks"][-1]["said"]


async def test_a_running_server_is_asked(home: Home) -> None:
    async with home.server("--capabilities", "default,eval") as ready:
        done = await home.run("doctor", "--json", STOCKADE_CAPABILITIES="default,eval")
        found: dict[str, Any] = {each["name"]: each for each in done.data["checks"]}
        assert ready["url"] in found["server"]["said"]
        assert found["database"]["said"].endswith("keys: 1")
        assert found["policy"]["state"] == "warning"
        assert done.code == 0
