from __future__ import annotations

import os

from stockade.cli.checks.commands import attempt


async def test_what_a_command_says_is_heard() -> None:
    ended = await attempt("sh", "-c", "echo out; echo one >&2; echo two >&2; exit 3")
    assert ended is not None
    assert (ended.code, ended.output, ended.works) == (3, "out\n", False)
    assert ended.complaint == "two"


async def test_much_output_does_not_block() -> None:
    ended = await attempt("sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x")
    assert ended is not None
    assert ended.works
    assert len(ended.output) == 1_000_000


async def test_silence_is_told_by_the_code() -> None:
    ended = await attempt("false")
    assert ended is not None
    assert ended.complaint == "exit code 1"


async def test_a_command_that_is_not_there() -> None:
    assert await attempt("no-such-command-anywhere") is None


async def test_the_environment_is_not_passed_on() -> None:
    os.environ["STOCKADE_TEST_SECRET"] = "x"
    try:
        ended = await attempt("env")
    finally:
        del os.environ["STOCKADE_TEST_SECRET"]
    assert ended is not None
    assert "STOCKADE_TEST_SECRET" not in ended.output


async def test_a_command_can_have_fewer_rights() -> None:
    ended = await attempt("id", "-u", uid=61001)
    assert ended is not None
    assert ended.output.strip() == ("61001" if os.geteuid() == 0 else str(os.geteuid()))
