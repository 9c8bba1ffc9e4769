from __future__ import annotations

import pytest

from stockade.cli import output
from tests.cli.commands import Home


def test_what_a_terminal_would_obey_is_taken_out() -> None:
    assert output.safe("a\x1b[31mb\x07\x9b2J\rc\n\td") == "a�[31mb��2J�c\n\td"


def test_in_a_pipe_rows_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(("name", "text"), [("a", "one\ntwo"), ("b", "\x1b[1m")])
    assert capsys.readouterr().out == "a\tone two\nb\t�[1m\n"


def test_lines_go_where_they_belong(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("result", "bold")
    output.note("beside")
    output.error("wrong", "do this")
    output.error("same", "same")
    output.print_json({"ä": [1]})
    out, err = capsys.readouterr()
    assert out == 'result\n{"ä": [1]}\n'
    assert err == "beside\nstockade: wrong\n          do this\nstockade: same\n"


async def test_colours_are_for_terminals(home: Home) -> None:
    assert "\x1b[" not in (await home.run("sessions", "list")).err
    assert "\x1b[1;31m" in await home.run_on_terminal("sessions", "list")


async def test_no_colour_is_respected(home: Home) -> None:
    text = await home.run_on_terminal("sessions", "list", NO_COLOR="1")
    assert "no server runs" in text
    assert "31m" not in text


async def test_a_table_has_heads_where_people_look(home: Home) -> None:
    assert "toolset" in await home.run_on_terminal("call", "--list")
    assert "toolset" not in (await home.run("call", "--list")).out
