"""What is found on machines of every kind, and what is done so that groups can have limits."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from stockade.jails.cgroups import directories, hierarchies
from stockade.jails.cgroups.dialects import V1, V2
from stockade.jails.cgroups.directories import members
from stockade.processes import spawn
from tests.jails.cgroups.machines import PROC, Simulated, corner, proc_of, real

ALL = {"memory", "tasks", "cpu"}
STRANGER = 4_000_000


def made(place: Path) -> Path:
    """A directory that looks like a group of the first version."""
    place.mkdir(parents=True)
    (place / "cgroup.procs").write_text("")
    return place


# --- the first version --------------------------------------------------------------------------


def test_the_first_version_with_the_second_beside_it(tmp_path: Path) -> None:
    memory, pids, cpu = (made(tmp_path / each) for each in ("memory", "pids", "cpu,cpuacct"))
    unified = made(tmp_path / "unified")
    for name in ("cgroup.controllers", "cgroup.subtree_control"):
        (unified / name).write_text("hugetlb\n")
    proc = proc_of(
        tmp_path,
        [
            "31 23 0:28 / / rw - tmpfs tmpfs rw,mode=755",
            f"32 31 0:29 / {cpu} rw,relatime shared:3 - cgroup cgroup rw,cpu,cpuacct",
            f"35 31 0:32 / {memory} rw - cgroup cgroup rw,memory",
            f"39 31 0:36 / {pids} rw - cgroup cgroup rw,pids",
            f"40 31 0:37 / {tmp_path} rw - cgroup cgroup rw,xattr,name=systemd",
            f"41 31 0:38 / {unified} rw - cgroup2 cgroup2 rw",
        ],
        ["4:memory:/a/b", "3:cpu,cpuacct:/", "2:pids:/", "1:name=systemd:/x", "0::/"],
    )
    found, missing = hierarchies.look(proc)
    assert missing == {}
    assert [(each.dialect, each.place, set(each.keeps)) for each in found] == [
        (V2, unified, set()),
        (V1, cpu, {"cpu"}),
        (V1, memory, {"memory"}),
        (V1, pids, {"tasks"}),
    ]


def test_a_container_sees_its_own_group_at_the_top(tmp_path: Path) -> None:
    place = made(tmp_path / "with a space")
    mount = f"35 31 0:32 /docker/ab {tmp_path}/with\\040a\\040space rw - cgroup cgroup rw,memory"
    proc = proc_of(tmp_path, [mount], ["4:memory:/docker/ab"])
    found, missing = hierarchies.look(proc)
    assert [each.place for each in found] == [place]
    assert set(missing) == {"tasks", "cpu"}
    assert "no control groups are mounted" in missing["cpu"]


def test_a_mount_that_shows_other_groups_than_ours(tmp_path: Path) -> None:
    place = made(tmp_path / "memory")
    mount = f"35 31 0:32 /elsewhere {place} rw - cgroup cgroup rw,memory"
    found, _ = hierarchies.look(proc_of(tmp_path, [mount], ["4:memory:/here"]))
    assert [each.place for each in found] == [place]


def test_without_control_groups_there_is_nothing(tmp_path: Path) -> None:
    found, missing = hierarchies.look(proc_of(tmp_path, [], ["0::/"]))
    assert found == []
    assert set(missing) == ALL


# --- the second version -------------------------------------------------------------------------


def test_at_the_top_everything_is_handed_on(simulated: Simulated) -> None:
    (simulated.root / "cgroup.procs").write_text("1\n")
    (hierarchy,), missing = hierarchies.look(simulated.proc("/system.slice/stockade.service"))
    assert (hierarchy.place, set(hierarchy.keeps), missing) == (simulated.root, ALL, {})
    assert not (simulated.root / "cgroup.subtree_control").read_text()
    own = simulated.root / "stockade-1-1"
    hierarchy.hand_on()
    directories.make(own)
    hierarchy.hand_on(own)
    for group in (simulated.root, own):
        assert (group / "cgroup.subtree_control").read_text() == "cpu memory pids"
    assert members(simulated.root) == {1}


def test_a_server_that_sits_in_its_group_makes_room(simulated: Simulated) -> None:
    (simulated.root / "cgroup.subtree_control").write_text("memory pids")
    box = simulated.group("box", os.getpid(), os.getppid())
    hierarchies.Hierarchy(V2, box, frozenset({"memory", "tasks"})).hand_on()
    assert members(box) == set()
    assert members(box / "supervisor") == {os.getpid(), os.getppid()}
    assert (box / "cgroup.subtree_control").read_text() == "memory pids"


@pytest.fixture
def unprivileged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write everywhere; a user may where the mode says so."""

    def access(path: str | Path, mode: int) -> bool:
        return Path(path).exists() and (
            not mode & os.W_OK or bool(Path(path).stat().st_mode & 0o200)
        )

    monkeypatch.setattr(os, "access", access)


@pytest.mark.usefixtures("unprivileged")
def test_a_user_has_the_topmost_group_that_is_theirs(simulated: Simulated) -> None:
    for sealed in ("user.slice", "user.slice/user-7.slice"):
        simulated.group(sealed, hands_on="cpu memory pids", sealed=True)
    simulated.root.chmod(0o555)
    manager = simulated.group("user.slice/user-7.slice/user@7.service", hands_on="memory pids")
    (manager / "cgroup.controllers").write_text("memory pids")
    scope = "user.slice/user-7.slice/user@7.service/app.slice/run-1.scope"
    simulated.group("user.slice/user-7.slice/user@7.service/app.slice")
    simulated.group(scope, os.getpid())
    (hierarchy,), missing = hierarchies.look(simulated.proc(f"/{scope}"))
    assert (hierarchy.place, set(hierarchy.keeps)) == (manager, {"memory", "tasks"})
    assert list(missing) == ["cpu"]
    assert "Delegate=cpu memory pids" in missing["cpu"]


@pytest.mark.usefixtures("unprivileged")
@pytest.mark.parametrize(
    ("inside", "kept"), [((os.getpid(), os.getppid()), ALL), ((os.getpid(), STRANGER), set[str]())]
)
def test_a_group_is_divided_only_where_all_in_it_are_ours(
    simulated: Simulated, inside: tuple[int, ...], kept: set[str]
) -> None:
    simulated.root.chmod(0o555)
    (simulated.root / "cgroup.subtree_control").write_text("cpu memory pids")
    scope = simulated.group("run-1.scope", *inside)
    (hierarchy,), missing = hierarchies.look(simulated.proc("/run-1.scope"))
    assert (hierarchy.place, set(hierarchy.keeps)) == (scope, kept)
    assert set(missing) == ALL - kept
    assert all("not the server's" in why for why in missing.values())


@pytest.mark.usefixtures("unprivileged")
def test_a_user_without_a_group_is_told_what_to_do(simulated: Simulated) -> None:
    simulated.root.chmod(0o555)
    simulated.group("session-3.scope", os.getpid(), sealed=True)
    found, missing = hierarchies.look(simulated.proc("/session-3.scope"))
    assert found == []
    assert set(missing) == ALL
    assert all("systemd-run --user --scope" in why for why in missing.values())


# --- this machine -------------------------------------------------------------------------------


@pytest.mark.skipif(not real(), reason="this machine does not let us make control groups")
def test_this_machine_keeps_every_limit() -> None:
    found, missing = hierarchies.look(PROC)
    assert missing == {}
    assert {what for each in found for what in each.keeps} == ALL


SERVER = """
import sys, os
from pathlib import Path
from stockade.jails.cgroups import dialects, hierarchies
dialects.CONTROLLERS["memory"] = sys.argv[2]
place = Path(sys.argv[1])
sys.stdin.read()
hierarchy = hierarchies.Hierarchy(dialects.V2, place, frozenset({"memory"}))
below = place / "below"
hierarchy.hand_on()
below.mkdir()
hierarchy.hand_on(below)
"""


async def test_the_kernel_agrees_with_how_room_is_made(tmp_path: Path) -> None:
    # Any controller of the second version will do: the rule is the same for all.
    found, _ = hierarchies.look(PROC)
    tops = [each.place for each in found if each.dialect is V2]
    offered = [word for each in tops for word in (each / "cgroup.controllers").read_text().split()]
    if not offered:
        pytest.skip("no controller of the second version can be had here")
    handed_on = tops[0] / "cgroup.subtree_control"
    controller = offered[0]
    before = handed_on.read_text().split()
    handed_on.write_text(f"+{controller}")
    with corner(tmp_path) as proc:
        mounts = (proc / "self/mountinfo").read_text().splitlines()
        (place,) = [Path(line.split()[4]) for line in mounts if "cgroup2" in line]
        here, there = os.pipe()
        server = spawn(
            [sys.executable, "-c", SERVER, str(place), controller],
            environment={},
            descriptors={0: here},
        )
        os.close(here)
        (place / "cgroup.procs").write_text(str(server.pid))
        with pytest.raises(OSError):
            (place / "cgroup.subtree_control").write_text(f"+{controller}")
        os.close(there)
        code = await server.end(10)
        shown = [
            (place / each / "cgroup.controllers").read_text().split() for each in (".", "below")
        ]
        for each in ("below", "supervisor"):
            (place / each).rmdir()
    if controller not in before:
        handed_on.write_text(f"-{controller}")
    assert code == 0, server.error_output
    assert shown == [[controller], [controller]]
