from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib.metadata import version

import pytest

from tests.cli.commands import Home

HEAVY = {
    "alembic",
    "fastapi",
    "httpx",
    "mcp",
    "pydantic",
    "pydantic_settings",
    "rich",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
}


# Whatever is more than a flag of its own, typer reads with pydantic.
OURS = HEAVY - {"pydantic"}


async def imported(home: Home, *arguments: str, **environment: str) -> set[str]:
    """The top-level packages that a command imports."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-X", "importtime", "-m", "stockade", *arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=home.environment(**environment),
    )
    _, err = await process.communicate()
    lines = [line for line in err.decode().splitlines() if line.startswith("import time:")]
    assert len(lines) > 50
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


async def test_the_version(home: Home) -> None:
    done = await home.run("--version")
    assert (done.code, done.out) == (0, f"stockade {version('stockade')}\n")


@pytest.mark.parametrize("option", ["--version", "--help"])
async def test_what_only_informs_imports_next_to_nothing(home: Home, option: str) -> None:
    found = await imported(home, option)
    assert "typer" in found
    assert not found & {*HEAVY, "asyncio"}


@pytest.mark.parametrize(
    "arguments",
    [["--show-completion"], ["keys", "--help"], ["call", "--help"], ["mcp", "--help"]],
    ids=" ".join,
)
async def test_help_of_a_command_imports_little(home: Home, arguments: list[str]) -> None:
    found = await imported(home, *arguments)
    assert "typer" in found
    assert not found & {*OURS, "asyncio"}


async def test_completing_a_command_imports_next_to_nothing(home: Home) -> None:
    found = await imported(
        home, _STOCKADE_COMPLETE="complete_bash", COMP_WORDS="stockade se", COMP_CWORD="1"
    )
    assert "typer" in found
    assert not found & {*OURS, "asyncio"}


async def test_help_names_every_command(home: Home) -> None:
    done = await home.run()
    assert done.code in {0, 2}
    for name in ("serve", "mcp", "call", "init", "doctor", "keys", "sessions"):
        assert f"\n  {name} " in done.out + done.err
    assert (await home.run("-h")).out == (await home.run("--help")).out


async def test_an_unknown_command_is_told_the_nearest(home: Home) -> None:
    done = await home.run("sevre")
    assert done.code == 2
    assert "Did you mean 'serve'?" in done.err
    assert done.out == ""


async def test_a_wrong_option_is_a_usage_error(home: Home) -> None:
    done = await home.run("serve", "--prot", "1")
    assert done.code == 2
    assert "--port" in done.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
async def test_the_completion_script_can_be_shown(home: Home, shell: str) -> None:
    done = await home.run("--show-completion", SHELL=f"/bin/{shell}")
    assert done.code == 0
    assert "_STOCKADE_COMPLETE" in done.out


async def test_a_failure_is_one_line_a_hint_and_a_code(home: Home) -> None:
    done = await home.run("sessions", "list", STOCKADE_PORT="many")
    assert done.code == 2
    first, second = done.err.splitlines()
    assert first.startswith("stockade: port: ")
    assert "STOCKADE_PORT" in second
    assert done.out == ""


async def test_a_failure_is_json_where_json_was_asked_for(home: Home) -> None:
    done = await home.run("sessions", "list", "--json", STOCKADE_PORT="many")
    assert done.code == 2
    assert done.data["ok"] is False
    assert done.data["code"] == "bad_setting"
    assert done.err == ""


async def test_an_error_of_the_system_is_no_traceback(home: Home) -> None:
    (home.path / "file").write_text("")
    done = await home.run("call", "screenshot", "--image", str(home.path / "file" / "a.png"))
    assert done.code == 7
    assert "Not a directory" in done.err
