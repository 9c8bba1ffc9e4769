"""Commands are run as they are, with what they are told and nothing else."""

from __future__ import annotations

import sys
import time

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.bastille.runner import HostRunner, Ran


async def test_what_a_command_says_and_how_it_ends() -> None:
    told = "import sys; print(sys.stdin.read()); print('why', file=sys.stderr); sys.exit(3)"
    ran = await HostRunner().run([sys.executable, "-c", told], b"$(reboot) `x`")
    assert ran == Ran(3, "$(reboot) `x`\n", "why")


async def test_without_input_there_is_none() -> None:
    assert await HostRunner().run(["/bin/cat"]) == Ran(0)


async def test_an_argument_is_an_argument() -> None:
    assert (
        await HostRunner().run(["/bin/echo", "a b; c > d", "$HOME"])
    ).out == "a b; c > d $HOME\n"


async def test_the_environment_is_a_path_alone() -> None:
    told = "import os; print(sorted(set(os.environ) - {'LC_CTYPE'}))"
    assert (await HostRunner().run([sys.executable, "-c", told])).out == "['PATH']\n"


async def test_one_that_does_not_end_is_ended() -> None:
    begun = time.monotonic()
    ran = await HostRunner(0.2).run([sys.executable, "-c", "import time; time.sleep(60)"])
    assert ran.code == 124
    assert time.monotonic() - begun < 10


async def test_one_that_is_not_there_is_told() -> None:
    with pytest.raises(LaunchFailed):
        await HostRunner().run(["/nowhere/zfs"])


async def test_what_would_not_fit_is_not_tried() -> None:
    with pytest.raises(ValueError, match="fit"):
        await HostRunner().run(["/bin/cat"], b"x" * 5000)
