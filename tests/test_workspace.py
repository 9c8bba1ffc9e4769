"""The workspace is private, is taken by one server at a time, and has one key."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument, SetupError, WorkspaceInUse
from stockade.workspace import Workspace
from tests.support.leaks import descriptors
from tests.support.soak import Soak

ANOTHER = 61003
ROOT = os.geteuid() == 0
only_root = pytest.mark.skipif(not ROOT, reason="only root can make files of another user")

TAKE = """
import sys
from pathlib import Path
from stockade.errors import WorkspaceInUse
from stockade.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
try:
    workspace.lock()
except WorkspaceInUse as error:
    print("refused:", error, flush=True)
else:
    print("taken", flush=True)
sys.stdin.read()
"""
PARENT = """
import subprocess, sys
from pathlib import Path
from stockade.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
workspace.lock()
subprocess.run(["/bin/cat"], close_fds=False)
"""
KEY = """
import sys
from pathlib import Path
from stockade.workspace import Workspace
print("ready", flush=True)
sys.stdin.readline()
print(Workspace.open(Path(sys.argv[1])).key.hex(), flush=True)
"""
WRITE = """
import sys
from pathlib import Path
from stockade.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    for letter in (b"a", b"b"):
        workspace.write("file", letter * 100_000)
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "ws")
    yield workspace
    workspace.unlock()


@contextmanager
def running(code: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, with the workspace's path as its argument."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def fill(path: Path) -> None:
    (path / "stockade.toml").touch()


# --- the directory --------------------------------------------------------------------------------


def test_it_is_made_with_its_parents_and_private(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        Workspace.open(tmp_path / "a" / "b")
    finally:
        os.umask(umask)
    assert mode(tmp_path / "a" / "b") == 0o700


@pytest.mark.parametrize("before", [0o755, 0o777, 0o750, 0o701, 0o000, 0o2770])
def test_one_with_another_mode_is_made_private(tmp_path: Path, before: int) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "ws"
    path.mkdir()
    fill(path)
    path.chmod(before)
    Workspace.open(path)
    assert mode(path) == 0o700


def test_an_empty_directory_will_do(tmp_path: Path) -> None:
    path = tmp_path / "ws"
    path.mkdir(mode=0o755)
    Workspace.open(path)
    assert mode(path) == 0o700


def test_a_directory_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "home"
    path.mkdir()
    path.chmod(0o755)
    (path / "letters").touch()
    with pytest.raises(SetupError, match="not ours"):
        Workspace.open(path)
    assert mode(path) == 0o755


@pytest.mark.parametrize("path", ["/", "/usr", "/etc"])
def test_the_system_is_left_as_it_is(path: str) -> None:
    before = mode(Path(path))
    with pytest.raises(SetupError):
        Workspace.open(Path(path))
    assert mode(Path(path)) == before


def test_a_file_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "ws").touch()
    with pytest.raises(SetupError, match="cannot be used") as caught:
        Workspace.open(tmp_path / "ws")
    assert "STOCKADE_WORKSPACE" in caught.value.hint


@only_root
def test_one_of_another_user_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ws"
    path.mkdir(mode=0o700)
    os.chown(path, ANOTHER, ANOTHER)
    with pytest.raises(SetupError, match="another user"):
        Workspace.open(path)


@only_root
def test_files_that_others_left_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ws"
    path.mkdir()
    path.chmod(0o777)
    fill(path)
    os.chown(path / "stockade.toml", ANOTHER, ANOTHER)
    with pytest.raises(SetupError, match="they left"):
        Workspace.open(path)
    assert mode(path) == 0o777


# --- links on the way -----------------------------------------------------------------------------


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A directory whose parents only we can write."""
    tmp_path.chmod(0o700)
    return tmp_path


def test_a_link_to_a_place_of_ours_is_followed(closed: Path) -> None:
    (closed / "far").mkdir()
    (closed / "link").symlink_to("far")
    workspace = Workspace.open(closed / "link" / "ws")
    workspace.write("file", b"x")
    assert (closed / "far" / "ws" / "file").read_bytes() == b"x"
    assert mode(closed / "far" / "ws") == 0o700


@pytest.mark.parametrize("target", ["open/ws", "../{name}/open/ws", "{path}/open/ws"])
def test_a_link_to_a_place_others_can_write_is_refused(closed: Path, target: str) -> None:
    (closed / "open" / "ws").mkdir(parents=True)
    (closed / "open").chmod(0o777)
    (closed / "link").symlink_to(target.format(name=closed.name, path=closed))
    with pytest.raises(SetupError, match="others can write"):
        Workspace.open(closed / "link")
    assert not list((closed / "open" / "ws").iterdir())


def test_a_link_in_a_place_others_can_write_is_refused(closed: Path) -> None:
    (closed / "ws").mkdir()
    (closed / "open").mkdir()
    (closed / "open" / "link").symlink_to(closed / "ws")
    (closed / "open").chmod(0o777)
    (closed / "first").symlink_to("open/link")
    for way in (closed / "open" / "link", closed / "first", closed / "first" / "new"):
        with pytest.raises(SetupError, match="others can write"):
            Workspace.open(way)
    assert not list((closed / "ws").iterdir())


def test_where_only_owners_can_replace_things_a_link_is_followed(closed: Path) -> None:
    (closed / "shared" / "ws").mkdir(parents=True)
    (closed / "shared").chmod(0o1777)
    (closed / "link").symlink_to("shared/ws")
    Workspace.open(closed / "link")
    assert mode(closed / "shared" / "ws") == 0o700


@only_root
def test_a_link_of_another_user_is_refused(closed: Path) -> None:
    (closed / "ws").mkdir()
    (closed / "shared").mkdir()
    (closed / "shared").chmod(0o1777)
    (closed / "shared" / "link").symlink_to(closed / "ws")
    os.chown(closed / "shared" / "link", ANOTHER, ANOTHER, follow_symlinks=False)
    with pytest.raises(SetupError, match="others can write"):
        Workspace.open(closed / "shared" / "link")


@only_root
@pytest.mark.parametrize(("owner", "group", "bits"), [(ANOTHER, 0, 0o755), (0, ANOTHER, 0o775)])
def test_a_link_to_below_anothers_directory_is_refused(
    closed: Path, owner: int, group: int, bits: int
) -> None:
    (closed / "theirs" / "ws").mkdir(parents=True)
    os.chown(closed / "theirs", owner, group)
    (closed / "theirs").chmod(bits)
    (closed / "link").symlink_to("theirs/ws")
    with pytest.raises(SetupError, match="others can write"):
        Workspace.open(closed / "link")


def test_links_in_a_circle_end(closed: Path) -> None:
    (closed / "a").symlink_to("b")
    (closed / "b").symlink_to("a")
    with pytest.raises(SetupError, match="cannot be used"):
        Workspace.open(closed / "a")


def test_a_link_to_nothing_is_refused(closed: Path) -> None:
    (closed / "a").symlink_to("nothing")
    with pytest.raises(SetupError, match="cannot be used"):
        Workspace.open(closed / "a")


# --- files ----------------------------------------------------------------------------------------


def test_files_are_private_whatever_was_there(workspace: Workspace) -> None:
    path = workspace.path / "file"
    path.write_bytes(b"old")
    path.chmod(0o666)
    umask = os.umask(0)
    try:
        assert workspace.write("file", b"new") == path
        assert workspace.directory("a", "b") == workspace.path / "a" / "b"
        assert len(workspace.key) == 32
        workspace.lock()
    finally:
        os.umask(umask)
    assert workspace.read("file") == b"new"
    assert {mode(workspace.path / name) for name in ("file", "key", "lock")} == {0o600}
    assert {mode(workspace.path / name) for name in ("a", "a/b")} == {0o700}


def test_writing_over_a_link_leaves_what_it_points_to(workspace: Workspace) -> None:
    target = workspace.path / "target"
    target.write_bytes(b"kept")
    (workspace.path / "file").symlink_to(target)
    with pytest.raises(SetupError):
        workspace.read("file")
    workspace.write("file", b"new")
    assert target.read_bytes() == b"kept"
    assert workspace.read("file") == b"new"


def test_what_is_not_there_reads_as_nothing(workspace: Workspace) -> None:
    assert workspace.read("file") is None
    workspace.remove("file")
    workspace.write("file", b"")
    assert workspace.read("file") == b""
    workspace.remove("file")
    assert workspace.read("file") is None


def test_a_pipe_in_place_of_a_file_is_refused_at_once(workspace: Workspace) -> None:
    os.mkfifo(workspace.path / "key")
    with pytest.raises(SetupError, match="not a file of ours"):
        _ = workspace.key


def test_a_directory_in_place_of_a_file_is_refused(workspace: Workspace) -> None:
    workspace.directory("key")
    before = descriptors()
    with pytest.raises(SetupError, match="not a file of ours"):
        _ = workspace.key
    assert descriptors() == before


@only_root
def test_a_file_of_another_user_is_refused(workspace: Workspace) -> None:
    path = workspace.write("admin.token", b"x")
    os.chown(path, ANOTHER, ANOTHER)
    with pytest.raises(SetupError, match="not a file of ours"):
        workspace.read("admin.token")


def test_a_reader_never_sees_half_a_file(workspace: Workspace, soak: Soak) -> None:
    whole = {b"a" * 100_000, b"b" * 100_000}
    with running(WRITE, workspace.path) as writer:
        assert said(writer) == "ready"
        while workspace.read("file") is None:
            pass
        for _ in range(soak.rounds(20_000)):
            assert workspace.read("file") in whole


def test_a_writer_that_is_killed_leaves_the_file_whole(workspace: Workspace, soak: Soak) -> None:
    workspace.write("file", b"a" * 100_000)
    for _ in range(soak.rounds(40)):
        with running(WRITE, workspace.path) as writer:
            assert said(writer) == "ready"
            writer.kill()
        assert workspace.read("file") in {b"a" * 100_000, b"b" * 100_000}


def test_a_failed_write_leaves_what_was_there(workspace: Workspace) -> None:
    (workspace.path / "folder" / "x").mkdir(parents=True)
    with pytest.raises(SetupError):
        workspace.write("folder", b"x")
    assert [entry.name for entry in workspace.path.iterdir()] == ["folder"]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\0", "a" * 300])
def test_names_stay_inside(workspace: Workspace, name: str) -> None:
    for use in (
        workspace.read,
        workspace.remove,
        workspace.directory,
        lambda name: workspace.write(name, b""),
    ):
        with pytest.raises(InvalidArgument):
            use(name)


@given(st.lists(st.text(min_size=1, max_size=60), max_size=3))
def test_any_directory_lies_inside_or_is_refused(parts: list[str]) -> None:
    made: list[Path] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "mkdir", lambda path, **_: made.append(path))
        try:
            path = Workspace(Path("/ws")).directory(*parts)
        except InvalidArgument:
            return
    assert path.parts[:2] == ("/", "ws")
    assert ".." not in path.parts
    assert len(path.parts) == 2 + len(parts) == 2 + len(made)


# --- the key --------------------------------------------------------------------------------------


def test_the_key_stays(workspace: Workspace) -> None:
    assert workspace.key == workspace.key == Workspace.open(workspace.path).key
    assert [entry.name for entry in workspace.path.iterdir()] == ["key"]


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_a_damaged_key_is_neither_used_nor_replaced(workspace: Workspace, content: bytes) -> None:
    workspace.write("key", content)
    with pytest.raises(SetupError, match="damaged"):
        _ = workspace.key
    assert workspace.read("key") == content


def test_the_key_is_made_once_by_several_processes(tmp_path: Path, soak: Soak) -> None:
    for number in range(soak.rounds(40)):
        path = tmp_path / str(number)
        with ExitStack() as stack:
            processes = [stack.enter_context(running(KEY, path)) for _ in range(6)]
            assert {said(process) for process in processes} == {"ready"}
            for process in processes:
                assert process.stdin is not None
                process.stdin.write("\n")
                process.stdin.flush()
            keys = {said(process) for process in processes}
        assert keys == {Workspace.open(path).key.hex()}
        assert [entry.name for entry in path.iterdir()] == ["key"]


# --- the lock -------------------------------------------------------------------------------------


def test_only_one_process_can_take_it(workspace: Workspace) -> None:
    assert not workspace.locked_by_another
    with running(TAKE, workspace.path) as holder:
        assert said(holder) == "taken"
        assert workspace.locked_by_another
        with pytest.raises(WorkspaceInUse, match=rf"\(pid {holder.pid}\)"):
            workspace.lock()
        with running(TAKE, workspace.path) as third:
            assert said(third).startswith("refused")
        assert workspace.locked_by_another


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_it_is_free_after_its_holder_dies(workspace: Workspace, number: signal.Signals) -> None:
    with running(TAKE, workspace.path) as holder:
        assert said(holder) == "taken"
        holder.send_signal(number)
        holder.wait()
        assert not workspace.locked_by_another
        workspace.lock()
    with running(TAKE, workspace.path) as next_one:
        assert (
            said(next_one) == f"refused: another server uses {workspace.path} (pid {os.getpid()})"
        )


def test_a_child_of_the_holder_does_not_keep_it(workspace: Workspace) -> None:
    with running(PARENT, workspace.path) as holder:
        assert holder.stdin is not None
        holder.stdin.write("the child runs\n")
        holder.stdin.flush()
        assert said(holder) == "the child runs"
        holder.kill()
        holder.wait()
        assert not workspace.locked_by_another


def test_a_copy_of_its_descriptor_does_not_keep_it(workspace: Workspace) -> None:
    """Such as a child has for a moment, between its start and its own program."""
    workspace.lock()
    copy = os.dup(workspace._lock)
    workspace.unlock()
    assert not workspace.locked_by_another
    os.close(copy)


def test_taking_it_twice_is_taking_it_once(workspace: Workspace) -> None:
    workspace.lock()
    workspace.lock()
    assert not workspace.locked_by_another
    workspace.unlock()
    workspace.unlock()
    assert not Workspace.open(workspace.path).locked_by_another
    workspace.lock()


def test_two_servers_in_one_process_are_two(workspace: Workspace) -> None:
    other = Workspace.open(workspace.path)
    workspace.lock()
    assert other.locked_by_another
    with pytest.raises(WorkspaceInUse):
        other.lock()
    workspace.unlock()
    other.lock()
    other.unlock()


def test_a_look_does_not_keep_a_server_from_starting(workspace: Workspace, soak: Soak) -> None:
    looker = Workspace.open(workspace.path)
    looker.lock()
    looker.unlock()
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            _ = looker.locked_by_another

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(soak.rounds(2000)):
            workspace.lock()
            workspace.unlock()
    finally:
        done.set()
        for thread in threads:
            thread.join()


def test_an_unreadable_holder_is_not_quoted(workspace: Workspace) -> None:
    (workspace.path / "lock").write_bytes(b"\xff\x1b[31m not a pid")
    with (workspace.path / "lock").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(WorkspaceInUse) as caught:
            workspace.lock()
    assert caught.value.message == f"another server uses {workspace.path}"


def test_a_lock_that_is_a_link_is_refused(workspace: Workspace) -> None:
    (workspace.path / "lock").symlink_to("elsewhere")
    with pytest.raises(SetupError, match="cannot be used"):
        workspace.lock()
    assert not (workspace.path / "elsewhere").exists()
