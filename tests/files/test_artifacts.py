"""Kept files: who may have them, how much of them, and what a browser may have put in their place."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from stockade.engines.events import Download, DownloadChanged
from stockade.errors import (
    ArtifactNotFound,
    CapabilityDisabled,
    InvalidArgument,
    QuotaExceeded,
    SessionNotFound,
    SetupError,
    StockadeError,
)
from stockade.files import artifacts as module
from stockade.files.artifacts import Artifacts, prune
from stockade.policy.principal import Principal, Role
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.files.conftest import ALICE
from tests.support.expecting import expecting
from tests.support.levels import only_beside
from tests.support.site import Site

QUOTA = 1000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "artifacts"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "saved"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def artifacts(root: Path, saved: Path, sessions: Sessions) -> Artifacts:
    artifacts = Artifacts(root, lambda: saved, quota=QUOTA)
    sessions.on_end.append(artifacts.forget)
    return artifacts


def files_in(root: Path) -> list[str]:
    return sorted(each.name for each in root.rglob("*") if not each.is_dir())


# --- keeping ----------------------------------------------------------------------------------


def test_bytes_are_kept_where_nobody_else_looks(
    artifacts: Artifacts, session: Session, root: Path
) -> None:
    former = os.umask(0)
    try:
        kept = artifacts.keep(session, "screenshot", "shot.png", b"picture", "image/png")
    finally:
        os.umask(former)
    assert kept.path.read_bytes() == b"picture"
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.path.parent.stat().st_mode) == 0o700
    assert kept.path == root / session.id / kept.id
    assert (kept.size, kept.mime_type, kept.session) == (7, "image/png", session.id)
    assert kept.uri == f"stockade://{session.id}/screenshots/{kept.id}"


def test_a_name_is_for_display(artifacts: Artifacts, session: Session) -> None:
    kept = artifacts.keep(session, "download", "../../\u202eetc/passwd\n", b"x")
    assert kept.name == "_.._etc_passwd_"
    assert kept.path.name == kept.id
    assert "passwd" not in kept.uri


@pytest.mark.parametrize(
    ("name", "stated", "shown"),
    [
        ("a.png", "", "image/png"),
        ("a.bin", "image/webp", "image/webp"),
        ("a.txt", "", "text/plain"),
        ("a.csv", "", "text/csv"),
        ("a.json", "", "application/json"),
        ("a.pdf", "", "application/pdf"),
        ("a.html", "", "application/octet-stream"),
        ("a.png", "text/html", "application/octet-stream"),
        ("a.svg", "", "application/octet-stream"),
        ("a.xml", "", "application/octet-stream"),
        ("a.js", "", "application/octet-stream"),
        ("a.xhtml", "", "application/octet-stream"),
        ("a.txt.gz", "", "application/octet-stream"),
        ("a.txt", "text/plain; charset=utf-8\r\nx: y", "application/octet-stream"),
        ("a", "", "application/octet-stream"),
    ],
)
def test_no_type_that_a_client_would_run(
    artifacts: Artifacts, session: Session, name: str, stated: str, shown: str
) -> None:
    assert artifacts.keep(session, "download", name, b"x", stated).mime_type == shown


def test_a_directory_that_others_may_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "open").chmod(0o755)
    with pytest.raises(SetupError):
        Artifacts(tmp_path / "open", lambda: tmp_path, quota=QUOTA)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_directory_of_another_is_refused(root: Path) -> None:
    os.chown(root, 61001, 61001)
    with pytest.raises(SetupError):
        Artifacts(root, lambda: root, quota=QUOTA)


# --- quotas -----------------------------------------------------------------------------------


def test_downloads_stop_at_the_quota_and_leave_nothing(
    artifacts: Artifacts, session: Session, root: Path
) -> None:
    kept = [artifacts.keep(session, "download", "a", b"x" * 600)]
    with pytest.raises(QuotaExceeded):
        artifacts.keep(session, "download", "b", b"x" * 401)
    assert files_in(root) == [kept[0].id]
    kept.append(artifacts.keep(session, "download", "c", b"x" * 400))
    assert artifacts.of(session) == kept


def test_each_kind_and_each_session_has_its_own_quota(
    artifacts: Artifacts, session: Session, sessions: Sessions
) -> None:
    artifacts.keep(session, "download", "a", b"x" * QUOTA)
    artifacts.keep(session, "screenshot", "b", b"x" * QUOTA)
    artifacts.keep(sessions.open(ALICE, "other"), "download", "c", b"x" * QUOTA)


def test_old_pictures_make_room_for_new_ones(
    artifacts: Artifacts, session: Session, root: Path
) -> None:
    download = artifacts.keep(session, "download", "d", b"x")
    kept = [artifacts.keep(session, "screenshot", "p", b"x" * 300) for _ in range(5)]
    assert artifacts.of(session) == [download, *kept[-3:]]
    assert files_in(root) == sorted(each.id for each in (download, *kept[-3:]))


def test_a_picture_that_never_fits_costs_no_other(artifacts: Artifacts, session: Session) -> None:
    kept = artifacts.keep(session, "screenshot", "p", b"x" * 300)
    with pytest.raises(QuotaExceeded):
        artifacts.keep(session, "screenshot", "p", b"x" * (QUOTA + 1))
    assert artifacts.of(session) == [kept]


def test_there_are_only_so_many_pictures(
    artifacts: Artifacts, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_PICTURES", 3)
    kept = [artifacts.keep(session, "screenshot", "p", b"") for _ in range(7)]
    assert artifacts.of(session) == kept[-3:]


def test_there_are_only_so_many_downloads(
    artifacts: Artifacts, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_DOWNLOADS", 3)
    kept = [artifacts.keep(session, "download", "d", b"") for _ in range(3)]
    with pytest.raises(QuotaExceeded):
        artifacts.keep(session, "download", "d", b"")
    assert artifacts.of(session) == kept


async def test_many_at_once_stay_within_the_quota(
    artifacts: Artifacts, session: Session, root: Path
) -> None:
    async def keep() -> int:
        try:
            kept = await asyncio.to_thread(artifacts.keep, session, "download", "d", b"x" * 90)
        except QuotaExceeded:
            return 0
        return kept.size

    assert sum(await asyncio.gather(*(keep() for _ in range(40)))) == 990
    assert len(files_in(root)) == 11


# --- finding ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sees"),
    [
        ({}, True),
        ({"name": "another name"}, True),
        ({"role": Role.OPERATOR, "id": "op", "client": ""}, True),
        ({"id": "bob"}, False),
        ({"client": "two"}, False),
        ({"tenant": "other"}, False),
        ({"tenant": "other", "role": Role.ADMIN}, False),
    ],
)
def test_a_file_is_for_those_who_see_its_session(
    artifacts: Artifacts,
    session: Session,
    sessions: Sessions,
    changes: dict[str, str],
    sees: bool,
) -> None:
    kept = artifacts.keep(session, "screenshot", "a", b"x")
    asking: Principal = replace(ALICE, **changes)  # type: ignore[arg-type]
    if sees:
        assert artifacts.find(sessions, asking, kept.uri) is kept
    else:
        with pytest.raises(ArtifactNotFound) as theirs:
            artifacts.find(sessions, asking, kept.uri)
        with pytest.raises(ArtifactNotFound) as nobodys:
            artifacts.find(sessions, asking, "stockade://ses_0/downloads/0")
        assert theirs.value.as_dict() == nobodys.value.as_dict()


@pytest.mark.parametrize(
    "twist",
    [
        lambda _: "",
        lambda uri: uri.removeprefix("stockade://"),
        lambda uri: uri.replace("stockade", "STOCKADE"),
        lambda uri: uri.replace("downloads", "screenshots"),
        lambda uri: uri.replace("/downloads/", "/downloads//"),
        lambda uri: uri.replace("/downloads/", "/downloads/../downloads/"),
        lambda uri: uri.replace("/downloads/", "/downloads/%2e%2e/downloads/"),
        lambda uri: uri.rpartition("/downloads")[0] + "/../..",
        lambda uri: uri.rpartition("/")[0] + "/..",
        lambda uri: uri.rpartition("/")[0] + "/",
        lambda uri: uri + "/",
        lambda uri: uri + "\0",
        lambda uri: uri + "?x",
        lambda uri: uri + "\n",
        lambda _: "stockade://../../etc/passwd",
        lambda _: "file:///etc/passwd",
        lambda _: "/etc/passwd",
        lambda _: "\ud800",
        lambda uri: uri * 10_000,
    ],
)
def test_only_the_exact_address_leads_to_a_file(
    artifacts: Artifacts, session: Session, sessions: Sessions, twist: Callable[[str], str]
) -> None:
    kept = artifacts.keep(session, "download", "a", b"x")
    with pytest.raises(ArtifactNotFound):
        artifacts.find(sessions, ALICE, twist(kept.uri))


# --- the end ----------------------------------------------------------------------------------


async def test_files_end_with_their_session(
    artifacts: Artifacts, session: Session, sessions: Sessions, root: Path
) -> None:
    kept = artifacts.keep(session, "download", "a", b"x" * QUOTA)
    other = artifacts.keep(sessions.open(ALICE, "other"), "download", "b", b"x")
    await sessions.close(session)
    assert files_in(root) == [other.id]
    assert artifacts.of(session) == []
    with pytest.raises(ArtifactNotFound):
        artifacts.find(sessions, ALICE, kept.uri)


async def test_nothing_is_kept_for_a_session_that_has_ended(
    artifacts: Artifacts, session: Session, sessions: Sessions, root: Path
) -> None:
    await sessions.close(session)
    with pytest.raises(SessionNotFound):
        artifacts.keep(session, "screenshot", "p", b"x")
    assert list(root.iterdir()) == []
    assert artifacts.of(session) == []


# --- downloads --------------------------------------------------------------------------------


async def downloaded(session: Session, site: Site) -> Download:
    """A download that the session's browser has finished."""
    site.page("/", "<a href='/download?name=a%20report.csv&size=700'>get</a>")
    tab = await session.new_tab()
    await tab.page.navigate(site.url())
    context = session.context
    assert context is not None
    async with expecting(
        context.events, DownloadChanged, where=lambda event: event.download.state == "completed"
    ) as done:
        await tab.page.main_frame.call("() => document.querySelector('a').click()")
    return done.result().download


def spool(session: Session) -> Path:
    assert session.downloads is not None
    return session.downloads


@only_beside
async def test_a_download_is_taken_over(
    artifacts: Artifacts, session: Session, sessions: Sessions, site: Site
) -> None:
    download = await downloaded(session, site)
    path = spool(session) / download.id
    content = path.read_bytes()
    kept = artifacts.keep(session, "download", download.filename, path)
    assert kept.path.read_bytes() == content
    assert (kept.name, kept.mime_type, kept.size) == ("a report.csv", "text/csv", 700)
    status = kept.path.stat()
    assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (os.geteuid(), 0o600)
    with pytest.raises(CapabilityDisabled):
        artifacts.find(sessions, ALICE, kept.uri)


def _link(path: Path, secret: Path) -> None:
    path.symlink_to(secret)


def _pipe(path: Path, secret: Path) -> None:
    os.mkfifo(path)


def _directory(path: Path, secret: Path) -> None:
    path.mkdir()


def _nothing(path: Path, secret: Path) -> None:
    pass


def _second_name(path: Path, secret: Path) -> None:
    path.hardlink_to(secret)


@only_beside
@pytest.mark.parametrize("plant", [_link, _pipe, _directory, _nothing, _second_name])
async def test_what_a_browser_plants_is_neither_followed_nor_waited_for(
    artifacts: Artifacts,
    session: Session,
    site: Site,
    root: Path,
    tmp_path: Path,
    plant: Callable[[Path, Path], None],
) -> None:
    if plant is _second_name and os.geteuid() != 0:
        pytest.skip("a browser under our own uid may read what we may")
    download = await downloaded(session, site)
    path = spool(session) / download.id
    secret = spool(session).with_name(f"of-the-server-{os.getpid()}")
    secret.write_text("the server's own")
    path.unlink()
    try:
        plant(path, secret)
        with pytest.raises(StockadeError) as caught:
            artifacts.keep(session, "download", "a", path)
    finally:
        secret.unlink()
    assert caught.value.code in {"artifact_not_found", "download_failed"}
    assert str(tmp_path) not in str(caught.value.as_dict())
    assert files_in(root) == []


@only_beside
async def test_a_directory_that_a_browser_replaced_leads_nowhere(
    artifacts: Artifacts, session: Session, site: Site, root: Path, tmp_path: Path
) -> None:
    download = await downloaded(session, site)
    directory = spool(session)
    content = (directory / download.id).read_bytes()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / download.id).write_text("the server's own")
    aside = directory.with_name("aside")
    directory.rename(aside)
    directory.symlink_to(elsewhere)
    try:
        kept = artifacts.keep(session, "download", "a", directory / download.id)
        assert kept.path.read_bytes() == content
    finally:
        directory.unlink()
        aside.rename(directory)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "..", "sub/x", "a\0b", "unheard-of"])
async def test_a_path_to_anywhere_else_is_no_download(
    artifacts: Artifacts, session: Session, site: Site, root: Path, name: str
) -> None:
    await session.new_tab()
    with pytest.raises(ArtifactNotFound):
        artifacts.keep(session, "download", "a", spool(session) / name)
    assert files_in(root) == []


def test_without_a_browser_there_are_no_downloads(artifacts: Artifacts, session: Session) -> None:
    with pytest.raises(ArtifactNotFound):
        artifacts.keep(session, "download", "a", Path("/etc/passwd"))


# --- saving -----------------------------------------------------------------------------------


def test_a_saved_file_is_where_its_name_says(artifacts: Artifacts, session: Session) -> None:
    kept = artifacts.save(session, "reports/a.json", b"{}")
    assert kept.path == artifacts.folder(session) / "reports" / "a.json"
    assert kept.path.read_bytes() == b"{}"
    assert (kept.kind, kept.name, kept.mime_type) == ("file", "reports/a.json", "application/json")
    for place, mode in (
        (kept.path, 0o600),
        (kept.path.parent, 0o700),
        (artifacts.folder(session), 0o700),
    ):
        assert stat.S_IMODE(place.stat().st_mode) == mode
    for name in ("reports/a.json", str(kept.path), kept.uri, kept.id):
        assert artifacts.named(session, name) == kept


def test_a_second_one_takes_the_place_of_the_first(artifacts: Artifacts, session: Session) -> None:
    first = artifacts.save(session, "a.txt", b"x" * 400)
    second = artifacts.save(session, "a.txt", BytesIO(b"y" * 500))
    assert artifacts.of(session) == [second]
    assert artifacts.named(session, "a.txt").path.read_bytes() == b"y" * 500
    with pytest.raises(ArtifactNotFound):
        artifacts.named(session, first.uri)
    # What was replaced is counted no longer.
    artifacts.save(session, "b.txt", b"z" * 500)


def test_a_file_that_does_not_fit_leaves_the_former_one(
    artifacts: Artifacts, session: Session
) -> None:
    artifacts.save(session, "a.txt", b"x" * 600)
    with pytest.raises(QuotaExceeded):
        artifacts.save(session, "a.txt", b"y" * 600)
    assert artifacts.named(session, "a.txt").path.read_bytes() == b"x" * 600
    assert files_in(artifacts.folder(session)) == ["a.txt"]


def test_files_and_folders_do_not_take_each_others_names(
    artifacts: Artifacts, session: Session
) -> None:
    artifacts.save(session, "a/b.txt", b"x")
    for name in ("a", "a/b.txt/c"):
        with pytest.raises(InvalidArgument):
            artifacts.save(session, name, b"x")


def test_others_have_folders_of_their_own(
    artifacts: Artifacts, session: Session, sessions: Sessions
) -> None:
    kept = artifacts.save(session, "a.txt", b"x")
    other = sessions.open(ALICE, "other")
    for name in ("a.txt", kept.uri, kept.id):
        with pytest.raises(ArtifactNotFound):
            artifacts.named(other, name)
    with pytest.raises((ArtifactNotFound, InvalidArgument)):
        artifacts.named(other, str(kept.path))


def test_pictures_are_named_by_address_alone(artifacts: Artifacts, session: Session) -> None:
    kept = artifacts.keep(session, "screenshot", "a.png", b"x")
    assert artifacts.named(session, kept.uri) == kept
    with pytest.raises(ArtifactNotFound):
        artifacts.named(session, "a.png")


def test_what_is_discarded_is_gone_and_not_counted(artifacts: Artifacts, session: Session) -> None:
    kept = artifacts.save(session, "a.txt", b"x" * 900)
    artifacts.discard(session, kept)
    artifacts.discard(session, kept)
    assert not kept.path.exists()
    artifacts.save(session, "b.txt", b"x" * 900)


async def test_saved_files_outlive_their_session_until_they_are_old(
    artifacts: Artifacts, session: Session, sessions: Sessions, saved: Path
) -> None:
    kept = artifacts.save(session, "dir/a.txt", b"x")
    await sessions.close(session)
    assert kept.path.read_bytes() == b"x"
    with pytest.raises(SessionNotFound):
        artifacts.save(session, "b.txt", b"x")
    prune(saved, 1)
    assert kept.path.exists()
    for each in (kept.path, kept.path.parent, artifacts.folder(session)):
        os.utime(each, (0, time.time() - 2 * 86_400))
    prune(saved, 1)
    assert not artifacts.folder(session).exists()


def test_one_new_file_keeps_its_folder(artifacts: Artifacts, session: Session, saved: Path) -> None:
    old = artifacts.save(session, "old.txt", b"x")
    artifacts.save(session, "new.txt", b"x")
    os.utime(old.path, (0, 0))
    os.utime(artifacts.folder(session), (0, 0))
    prune(saved, 1)
    assert old.path.exists()


def test_a_name_that_nothing_has(artifacts: Artifacts, session: Session) -> None:
    assert artifacts.unused_name(session, "a/trace.json") == "a/trace.json"
    for name in ("a/trace.json", "a/trace-2.json"):
        artifacts.save(session, name, b"x")
    assert artifacts.unused_name(session, "a/trace.json") == "a/trace-3.json"
