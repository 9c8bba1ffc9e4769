"""Files that a caller gives to the browser."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from stockade.engines.port import Page
from stockade.engines.values import LaunchOptions
from stockade.errors import QuotaExceeded, SessionNotFound
from stockade.files.uploads import Uploads
from stockade.policy.principal import Principal
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.support.levels import only_beside

QUOTA = 1000


@pytest.fixture
def uploads(sessions: Sessions) -> Uploads:
    uploads = Uploads(QUOTA, LaunchOptions.uid)
    sessions.on_end.append(uploads.forget)
    return uploads


def modes(path: Path) -> list[tuple[int, int, int]]:
    """Owner, group and mode of a file and of the two directories that are made for it."""
    found = [each.stat() for each in (path, path.parent, path.parent.parent)]
    return [(each.st_uid, each.st_gid, stat.S_IMODE(each.st_mode)) for each in found]


@only_beside
async def test_the_browser_reads_it_under_its_name(
    uploads: Uploads, session: Session, page: Page
) -> None:
    await page.set_content("<input type=file multiple>")
    paths = [
        str(uploads.place(session, "naïve list.txt", "größe".encode())),
        str(uploads.place(session, "naïve list.txt", b"\x00\xff")),
    ]
    field = await page.main_frame.call_handle("() => document.querySelector('input')")
    await field.set_files(paths)
    seen = await page.main_frame.call(
        """async () => Promise.all([...document.querySelector('input').files].map(
             async file => [file.name, [...new Uint8Array(await file.arrayBuffer())]]))"""
    )
    assert seen == [["naïve list.txt", list("größe".encode())], ["naïve list.txt", [0, 255]]]


def test_the_browser_can_read_and_not_change_it(uploads: Uploads, session: Session) -> None:
    former = os.umask(0)
    try:
        path = uploads.place(session, "a.txt", b"a")
    finally:
        os.umask(former)
    if os.geteuid() == 0:
        uid = LaunchOptions.uid
        assert modes(path) == [(0, uid, 0o640), (0, uid, 0o710), (0, uid, 0o710)]
    else:
        assert [mode for _, _, mode in modes(path)] == [0o600, 0o700, 0o700]


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/passwd", "a\x00b", "", "..", "\ud800", "x" * 999]
)
def test_a_name_leads_nowhere_else(uploads: Uploads, session: Session, name: str) -> None:
    first = uploads.place(session, "plain", b"a")
    path = uploads.place(session, name, b"content")
    assert path.read_bytes() == b"content"
    assert path.parent.parent == first.parent.parent
    assert path.resolve() == path


def test_what_would_be_too_much_is_refused_and_leaves_nothing(
    uploads: Uploads, session: Session, sessions: Sessions
) -> None:
    kept = uploads.place(session, "a", b"x" * 900)
    with pytest.raises(QuotaExceeded):
        uploads.place(session, "b", b"x" * 101)
    assert list(kept.parent.parent.iterdir()) == [kept.parent]
    uploads.place(session, "c", b"x" * 100)
    another = sessions.open(Principal("bob"), "default")
    uploads.place(another, "d", b"x" * QUOTA)


async def test_files_end_with_their_session(
    uploads: Uploads, session: Session, sessions: Sessions
) -> None:
    path = uploads.place(session, "a", b"x" * QUOTA)
    another = sessions.open(Principal("bob"), "default")
    stays = uploads.place(another, "b", b"b")
    await sessions.close(session)
    assert not path.parent.parent.exists()
    assert stays.exists()
    with pytest.raises(SessionNotFound):
        uploads.place(session, "late", b"a")
    assert uploads._places.keys() == {another.id}


def test_a_session_without_files_is_forgotten_too(uploads: Uploads, session: Session) -> None:
    uploads.forget(session)
    uploads.forget(session)


def test_what_no_page_was_given_takes_no_room(uploads: Uploads, session: Session) -> None:
    for _ in range(3):
        path = uploads.place(session, "a.txt", b"x" * (QUOTA * 2 // 3))
        uploads.discard(session, path)
        uploads.discard(session, path)
        assert not path.parent.exists()
