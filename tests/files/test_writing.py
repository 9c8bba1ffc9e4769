"""Writing files of a session."""

from __future__ import annotations

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO, RawIOBase
from pathlib import Path

import pytest

from stockade.errors import QuotaExceeded, SessionNotFound
from stockade.files.quota import Quota
from stockade.files.writing import while_open, write_new
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session


class Endless(RawIOBase):
    """A file that always has more, as one that somebody else keeps writing to."""

    def __init__(self) -> None:
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        self.given += size
        return b"x" * size


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_is_written_for_us_alone(tmp_path: Path) -> None:
    quota = Quota(3_000_000, "files")
    content = os.urandom(2_500_000)
    former = os.umask(0)
    try:
        size = write_new(tmp_path / "a", BytesIO(content), quota, "s")
    finally:
        os.umask(former)
    assert (tmp_path / "a").read_bytes() == content
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    assert size == quota.used("s") == 2_500_000


def test_a_source_that_grows_is_read_no_further_than_the_quota(tmp_path: Path) -> None:
    quota = Quota(5_000_000, "files")
    source = Endless()
    with pytest.raises(QuotaExceeded):
        write_new(tmp_path / "a", source, quota, "s")  # type: ignore[arg-type]
    assert source.given < 8_000_000
    assert quota.used("s") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_room_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    quota = Quota(5_000_000, "files")
    with largest_file(100_000), pytest.raises(QuotaExceeded) as caught:
        write_new(tmp_path / "a", BytesIO(b"x" * 200_000), quota, "s")
    assert "no room" in caught.value.message
    assert str(tmp_path) not in str(caught.value.as_dict())
    assert quota.used("s") == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "link", "dangling link"])
def test_what_is_there_is_never_written_to(tmp_path: Path, kind: str) -> None:
    other = tmp_path / "other"
    if kind != "dangling link":
        other.write_text("kept")
    place = other if kind == "file" else tmp_path / "link"
    if kind != "file":
        place.symlink_to(other)
    with pytest.raises(FileExistsError):
        write_new(place, BytesIO(b"new"), Quota(100, "files"), "s")
    assert other.exists() == (kind != "dangling link")
    assert not other.exists() or other.read_text() == "kept"
    assert place.is_symlink() == (kind != "file")


async def test_a_session_that_ends_meanwhile(sessions: Sessions, session: Session) -> None:
    forgotten: list[Session] = []
    with ExitStack() as work:
        work.enter_context(pytest.raises(SessionNotFound))
        work.enter_context(while_open(session, forgotten.append))
        await sessions.close(session)
        raise FileNotFoundError
    assert forgotten == [session]


def test_a_session_that_goes_on(session: Session) -> None:
    forgotten: list[Session] = []
    with while_open(session, forgotten.append):
        pass
    with pytest.raises(FileNotFoundError), while_open(session, forgotten.append):
        raise FileNotFoundError
    assert forgotten == []
