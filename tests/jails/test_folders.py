"""Folders of a jail: whatever lies in them, nothing outside is reached through them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from stockade.jails.folders import Folder

SEEN = Path("/tmp/seen")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    found = Folder(os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY), SEEN, os.geteuid())
    yield found
    found.remove()


def test_a_file_is_read_and_nothing_else(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "near").symlink_to("file")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe")
    with os.fdopen(folder.open_file("file"), "rb") as file:
        assert file.read() == b"content"
    for name in ("link", "near", "inner", "pipe", "inner/file", "../file", "..", ".", "", "none"):
        with pytest.raises(OSError):
            folder.open_file(name)
    for name in ("file", "file", "../file", "inner/file"):
        folder.discard(name)
    assert not (tmp_path / "file").exists()
    assert (tmp_path / "inner" / "file").exists()


def test_what_is_put_there_has_the_name_and_is_whole(folder: Folder, tmp_path: Path) -> None:
    assert folder.put("a/b/c.txt", BytesIO(b"x" * 3_000_000)) == SEEN / "a/b/c.txt"
    assert (tmp_path / "a/b/c.txt").stat().st_size == 3_000_000
    with pytest.raises(FileExistsError):
        folder.put("a/b/c.txt", BytesIO(b"other"))
    for name in ("../up", "a/../../up", "/up", "a//b", ""):
        with pytest.raises(OSError):
            folder.put(name, BytesIO(b"no"))
    assert folder.take_back("a/b/c.txt") == 3_000_000
    assert folder.take_back("a/b/c.txt") == 0
    assert folder.room > 1_000_000


def test_a_link_in_the_place_of_a_folder_leads_nowhere(folder: Folder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "a").symlink_to(elsewhere)
    with pytest.raises(OSError):
        folder.put("a/file", BytesIO(b"no"))
    assert list(elsewhere.iterdir()) == []


def test_what_breaks_off_leaves_nothing(folder: Folder, tmp_path: Path) -> None:
    class Breaks:
        def read(self, _most: int = -1, /) -> bytes:
            raise EOFError

    with pytest.raises(EOFError):
        folder.put("file", Breaks())
    assert not (tmp_path / "file").exists()
    folder.remove()
    folder.remove()
    folder.discard("file")
