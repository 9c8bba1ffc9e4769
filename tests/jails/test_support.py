from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from stockade.jails import support as module
from stockade.jails.support import attempt, support
from stockade.processes import output_of, unprivileged
from tests.support.browsers import writable_by_browser
from tests.support.pythons import readable_python

UID = 61001
ANOTHER = 61005
ROOT = Path(__file__).parents[2]
TOOLS = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

ASK = """
import asyncio, json, sys
from stockade.jails.support import attempt
found = asyncio.run(attempt(int(sys.argv[1])))
print(json.dumps([found.works, found.reason, found.remedy]))
"""
FILTERED = """
import ctypes, struct
# Load the number of the call; where it is the one, say EPERM; let the others pass.
code = [(0x20, 0, 0, 0), (0x15, 0, 1, {number}), (6, 0, 0, 0x50001), (6, 0, 0, 0x7FFF0000)]
steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in code))
program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(steps))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0
"""
"""A program that is to be run under a seccomp filter, as a container's does."""
PROFILED = """
import ctypes, json, sys

class Compared(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("how", ctypes.c_int), ("value", ctypes.c_uint64 * 2)]

ALLOW, NOT_EQUAL, NO_NEW_RIGHTS = 0x7FFF0000, 1, 3
profile = json.load(open({path!r}))
library = ctypes.CDLL("libseccomp.so.2")
library.seccomp_init.restype = ctypes.c_void_p
made = ctypes.c_void_p(library.seccomp_init(0x50000 | profile["defaultErrnoRet"]))
for rule in profile["syscalls"]:
    if {without!r} in rule["names"]:
        continue
    given = [Compared(each["index"], NOT_EQUAL, (each["value"], 0)) for each in rule.get("args", [])]
    for name in rule["names"]:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            compared = (Compared * len(given))(*given)
            assert not library.seccomp_rule_add_array(made, ALLOW, number, len(given), compared)
library.seccomp_load(made) and sys.exit("it cannot be loaded")
"""
"""The same with a profile as Docker reads it."""
NUMBERS = {
    "x86_64": {"unshare": 272, "mount": 165, "pivot_root": 155},
    "aarch64": {"unshare": 97, "mount": 40, "pivot_root": 41},
}
SOMEBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--keep-caps")
"""Has all rights in a user namespace, and is not its root."""


class Answer(NamedTuple):
    works: bool
    reason: str
    remedy: str


async def asked(*wrapper: str, script: str = ASK) -> Answer:
    """What a program that was started in another way finds out."""
    argv = [str(shutil.which(each) or each) if not at else each for at, each in enumerate(wrapper)]
    said = await output_of(
        [*argv, sys.executable, "-c", script, str(UID)], environment=TOOLS, most=4096
    )
    return Answer(*json.loads(said))


def after(*commands: str) -> tuple[str, ...]:
    """Shell commands that come first."""
    return ("sh", "-ec", " && ".join((*commands, 'exec "$@"')), "sh")


async def test_there_can_be_jails_here() -> None:
    found = await attempt(UID)
    assert found.works, (found.reason, found.remedy)
    assert (found.reason, found.remedy) == ("", "")
    assert found.version.startswith("bubblewrap ")
    assert int(found.facts.switches["user.max_user_namespaces"]) > 0


async def test_it_is_tried_once() -> None:
    assert await support(UID) is await support(UID)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
async def test_an_ordinary_user_needs_no_rights(tmp_path: Path) -> None:
    interpreter = readable_python(writable_by_browser(tmp_path / "python"))
    wrapped = unprivileged([str(interpreter), "-c", ASK, str(UID)], ANOTHER, within=ROOT / "tests")
    said = await output_of(wrapped, environment=TOOLS, most=4096)
    assert Answer(*json.loads(said)) == (True, "", "")


async def test_without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = await attempt(UID)
    assert not found.works
    assert found.reason == "bwrap is not installed"
    assert found.remedy == "Install the package bubblewrap."


async def test_on_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "freebsd14")
    assert (await attempt(UID)).reason == "namespaces are there on Linux alone"


@pytest.mark.parametrize("kind", ["user", "net", "mnt"])
async def test_the_kernel_allows_no_more_namespaces(kind: str) -> None:
    closed = f"/proc/sys/user/max_{kind}_namespaces"
    found = await asked(*SOMEBODY, *after(f"echo 0 > {closed}"))
    assert not found.works
    assert found.reason.startswith("no user, network and mount namespaces can be made: No space")
    assert found.remedy == f"sysctl -w user.max_{kind}_namespaces=15000"


async def test_the_browser_could_not_make_its_sandbox() -> None:
    # Three are for the launcher and bubblewrap.
    found = await asked(*SOMEBODY, *after("echo 3 > /proc/sys/user/max_user_namespaces"))
    assert not found.works
    assert "the browser's own sandbox needs one" in found.reason
    assert "user.max_user_namespaces" in found.remedy


async def test_root_that_may_not_become_another() -> None:
    found = await asked("unshare", "--user", "--map-root-user")
    assert found.reason == "root may not become another user here: Operation not permitted"
    assert "CAP_SETUID" in found.remedy


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("unshare", "no user, network and mount namespaces can be made"),
        ("mount", "nothing can be mounted in a mount namespace"),
        ("pivot_root", "bubblewrap makes no jail: pivot_root"),
    ],
)
async def test_a_filter_forbids_it(call: str, said: str) -> None:
    script = FILTERED.format(number=NUMBERS[platform.machine()][call]) + ASK
    found = await asked(script=script)
    assert not found.works
    assert found.reason.startswith(said)
    assert found.reason.endswith("Operation not permitted")
    assert "docs/jails/seccomp.json" in found.remedy


@pytest.mark.parametrize(("without", "works"), [("", True), ("unshare", False)])
async def test_the_profile_for_containers_is_enough(without: str, works: bool) -> None:
    profile = PROFILED.format(path=str(ROOT / "docs/jails/seccomp.json"), without=without)
    found = await asked(script=profile + ASK)
    assert found.works == works, found


async def test_parts_of_proc_are_hidden() -> None:
    hidden = ("--mount", *after("mount -t tmpfs none /proc/irq"))
    found = await asked(*SOMEBODY, *hidden)
    assert "mount proc" in found.reason
    assert "systempaths=unconfined" in found.remedy


@pytest.fixture
def programs() -> Iterator[Path]:
    """A directory of programs; not in /tmp, which a launcher hides."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


def _programs(folder: Path, bwrap: str) -> str:
    for name in ("unshare", "true"):
        (folder / name).symlink_to(str(shutil.which(name)))
    (folder / "bwrap").write_text(f"#!/bin/sh\n{bwrap}\n", encoding="utf-8")
    (folder / "bwrap").chmod(0o755)
    folder.chmod(0o755)
    return str(folder)


async def test_an_old_bubblewrap(monkeypatch: pytest.MonkeyPatch, programs: Path) -> None:
    script = "[ $1 = --version ] || { echo bwrap: Unknown option --size >&2; exit 1; }"
    monkeypatch.setenv("PATH", _programs(programs, script))
    found = await attempt(os.getuid())
    assert found.reason == "bubblewrap makes no jail: Unknown option --size"
    assert found.remedy == "Install bubblewrap 0.8 or newer."


async def test_a_jail_that_does_not_come_about_is_given_up(
    monkeypatch: pytest.MonkeyPatch, programs: Path
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.3)
    monkeypatch.setenv("PATH", _programs(programs, "exec /bin/sleep 60"))
    found = await attempt(os.getuid())
    assert found.reason == "no jail was made in 0.3 seconds"


async def test_a_launcher_that_dies_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert (await attempt(UID)).reason == "the launcher does not start: it ended with 1"
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert (await attempt(UID)).reason == "/no/such/python does not exist"
