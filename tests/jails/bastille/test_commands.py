"""Every command line, compared with what is kept in `commands.golden`.

After a change that is meant: `STOCKADE_GOLDEN=write pytest tests/jails/bastille/test_commands.py`,
and read the difference.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.bastille.hostd import CREATE, DESTROY, FORCE_UNMOUNT, REAP
from stockade.jails.bastille.names import Clone
from tests.jails.bastille.simulator import Fault
from tests.jails.bastille.world import World

GOLDEN = Path(__file__).with_name("commands.golden")
_READING = {"list", "name", "-p", "-g", "show", "/bin/cat"}


def written(world: World, title: str, since: int = 0) -> str:
    lines, step = [f"# {title}"], ""
    for at, argv, stdin in world.simulator.said[since:]:
        if at != step:
            step = at
            lines.append(f"\n[{step}]")
        lines.append(shlex.join(argv))
        if stdin:
            lines += [f"  | {line}" for line in stdin.decode().splitlines()]
    return "\n".join(lines)


async def every_command() -> str:
    parts = []
    world = World()
    clone = await world.create(snapshot="good")
    parts.append(written(world, "A clone of a named snapshot"))

    since = len(world.simulator.said)
    world.browse(clone)
    await world.hostd.call(DESTROY, clone=clone.name)
    parts.append(written(world, "Its end", since))

    world = World()
    await world.worst()
    parts.append(written(world, "A clone of the template as it is"))
    since = len(world.simulator.said)
    await world.hostd.call(DESTROY, clone="browsertask001")
    parts.append(written(world, "Its end, with everything in the way", since))

    world = World()
    await world.create(2)
    world.simulator.broken = lambda argv: "stop" in argv
    since = len(world.simulator.said)
    await world.hostd.call(REAP, clone="browsertask002")
    parts.append(written(world, "The end of an orphan that Bastille cannot stop", since))

    since = len(world.simulator.said)
    await world.hostd.call(REAP, clone="browsertask003")
    parts.append(written(world, "The end of one that is not there", since))

    world = World()
    await world.create(snapshot="good")
    start = world.numbers(CREATE, "start")[0]
    world = World()
    world.simulator.fault = Fault(start, "in")
    with pytest.raises(LaunchFailed):
        await world.create(snapshot="good")
    parts.append(written(world, "A start that fails half-way", start))

    world = World()
    clone = await world.create()
    world.bring(clone, held=True)
    del world.simulator.host.jails[clone.name]
    since = len(world.simulator.said)
    await world.hostd.call(FORCE_UNMOUNT, clone=clone.name)
    parts.append(written(world, "A forced unmount", since))

    commands = world.hostd.work(CREATE, Clone(1)).commands
    browser = ["/usr/local/share/chromium/chrome", "--remote-debugging-pipe"]
    argv, stdin = commands.keep_pid(Clone(1), 5000)
    entering = shlex.join(commands.enter(Clone(1), browser))
    parts.append(f"# A browser\n\n{entering}\n{shlex.join(argv)}\n  | {stdin.decode().strip()}")
    return "\n\n\n".join(parts) + "\n"


async def test_command_lines_are_as_kept() -> None:
    found = await every_command()
    if os.environ.get("STOCKADE_GOLDEN") == "write":
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")


async def test_no_command_is_broad() -> None:
    """No shell, no process by its name, no reload of the filter, no dataset but a clone's."""
    world = World()
    await world.worst()
    await world.hostd.call(DESTROY, clone="browsertask001")
    for argv in world.commands():
        programs = {Path(each).name for each in argv if each.startswith("/")}
        assert not programs & {"sh", "bash", "csh", "su", "pkill", "killall", "env"}, argv
        if argv[0] == "/sbin/pfctl":
            assert not {"-f", "-F", "-d", "-e"} & set(argv), argv
            assert "flush" not in argv
            assert "replace" not in argv
        if argv[:2] == ("/sbin/zfs", "destroy"):
            assert "browsertask001" in argv[-1], argv
        if not _READING & set(argv) and argv != ("/usr/bin/rctl",):
            assert re.search(r"browsertask001|bt001|epair1001|192\.168\.72\.101", str(argv)), argv
