from __future__ import annotations

from importlib.metadata import version

import pytest

from tests.cli.commands import Done, Home

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


async def test_the_version(home: Home) -> None:
    done = await home.run("--version", cold=True)
    assert (done.code, done.out) == (0, f"stockade {version('stockade')}\n")


@pytest.mark.parametrize("option", ["--version", "--help"])
async def test_what_only_informs_imports_next_to_nothing(home: Home, option: str) -> None:
    assert not await home.imports(option) & {*HEAVY, "asyncio"}


@pytest.mark.parametrize(
    "arguments",
    [["--show-completion"], ["keys", "--help"], ["call", "--help"], ["mcp", "--help"]],
    ids=" ".join,
)
async def test_help_of_a_command_imports_little(home: Home, arguments: list[str]) -> None:
    assert not await home.imports(*arguments) & {*OURS, "asyncio"}


async def test_completing_a_command_imports_next_to_nothing(home: Home) -> None:
    found = await home.imports(
        _STOCKADE_COMPLETE="complete_bash", COMP_WORDS="stockade se", COMP_CWORD="1"
    )
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
    assert "Did you mean 'serve'" in done.err
    assert done.out == ""


async def test_a_wrong_option_is_a_usage_error(home: Home) -> None:
    done = await home.run("serve", "--prot", "1")
    assert done.code == 2
    assert "--port" in done.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
async def test_completion_is_shown_and_installed(home: Home, shell: str) -> None:
    async def run(option: str) -> Done:
        # Otherwise it would be for whatever shell these tests were started from.
        return await home.run(option, shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")

    shown = await run("--show-completion")
    assert shown.code == 0
    assert "_STOCKADE_COMPLETE" in shown.out
    installed = await run("--install-completion")
    assert installed.code == 0
    written = [path.read_text() for path in home.path.rglob("*") if path.is_file()]
    assert any("_STOCKADE_COMPLETE" in text for text in written)


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


async def test_a_terminal_that_lacks_a_character_is_no_failure(home: Home) -> None:
    done = await home.run("doctor", "--help", cold=True, PYTHONIOENCODING="ascii")
    assert done.code == 0
    told = await home.run("keys", "create", "böt", "--json", cold=True, PYTHONIOENCODING="ascii")
    assert told.data["name"] == "b?t"


async def test_a_reader_that_leaves_is_no_failure(home: Home) -> None:
    process = await home.start("call", "--list", "--json")
    assert process.stdout is not None
    process.stdout._transport.close()  # type: ignore[attr-defined]
    await process.wait()
    assert process.stderr is not None
    assert b"Traceback" not in await process.stderr.read()
