"""A step that fails says which it was, what was run, and what to do."""

from __future__ import annotations

import pytest

from stockade.errors import LaunchFailed
from stockade.jails.bastille import creation, destruction, work
from stockade.jails.bastille.names import Clone
from stockade.jails.bastille.runner import HostRunner
from tests.jails.bastille.world import World


async def test_a_failure_tells_everything() -> None:
    world = World()
    world.simulator.broken = lambda argv: "-a" in argv
    with pytest.raises(LaunchFailed) as failed:
        await world.create()
    error = failed.value
    assert error.message == (
        "browser-clone-create browsertask001: limits: /usr/bin/rctl ended with 1: "
        "/usr/bin/rctl: it is broken"
    )
    assert "kern.racct.enable" in error.hint
    assert error.details == {
        "operation": "browser-clone-create",
        "clone": "browsertask001",
        "step": "limits",
        "command": "/usr/bin/rctl -a jail:browsertask001:memoryuse:deny=1073741824",
        "output": "/usr/bin/rctl: it is broken",
    }


def test_every_step_of_creation_has_its_remedy() -> None:
    assert set(creation.STEPS) <= set(work._REMEDIES)
    assert set(work._REMEDIES) <= {*creation.STEPS, *destruction.STEPS, "browser"}


async def test_a_step_within_a_step_ends_with_it() -> None:
    noted: list[str] = []
    world = World()
    found = work.Work(
        "x", Clone(1), world.ground, world.simulator, lambda *told: noted.append(told[2])
    )
    async with found.step("outer"):
        async with found.step("inner"):
            assert found.failure("why").details["step"] == "inner"
        assert found.failure("why").details["step"] == "outer"
    assert noted == ["outer", "inner", "outer"]


async def test_a_program_that_is_not_there_fails_in_its_step() -> None:
    work_on = work.Work("x", Clone(1), World().ground, HostRunner(), lambda *_: None)
    async with work_on.step("limits"):
        with pytest.raises(LaunchFailed, match="does not exist") as failed:
            await work_on.run(("/nowhere/rctl",))
    assert failed.value.details["step"] == "limits"
