"""Artifacts: the files of a session, fetched by their address.

Pictures and downloads end with their session. What a tool was told to save has a name, is found
again by it, and stays in the workspace for some days.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from mimetypes import MimeTypes
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import BinaryIO, Literal

from stockade.errors import (
    ArtifactNotFound,
    InvalidArgument,
    QuotaExceeded,
    SessionNotFound,
    SetupError,
)
from stockade.files.names import relative_name, tidy_name
from stockade.files.quota import Quota
from stockade.files.writing import while_open, write_new
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session

__all__ = ["Artifact", "Artifacts", "check_download", "prune"]

Kind = Literal["screenshot", "download", "file"]
_MOST_PICTURES = 200
_MOST_DOWNLOADS = 1000

_TYPES = MimeTypes(filenames=())
"""The same table on every machine."""
_UNKNOWN = "application/octet-stream"
_SCHEME = "stockade://"
_INERT = frozenset(
    {"image/png", "image/jpeg", "image/webp", "image/gif", "text/plain", "text/csv"}
    | {"application/json", "application/pdf", "application/zip", "video/webm", "text/markdown"}
)
"""Types that no client would run; anything else is told apart by its name alone."""


@dataclass(frozen=True)
class Artifact:
    """One kept file."""

    id: str
    kind: Kind
    name: str
    """For display; the file itself has a name that nobody chose."""
    mime_type: str
    size: int
    path: Path
    session: str
    made_at: float

    @property
    def uri(self) -> str:
        """How clients name it."""
        return f"{_SCHEME}{self.session}/{self.kind}s/{self.id}"


class Artifacts:
    """The kept files of every session, in a directory that only the server reads."""

    def __init__(
        self, root: Path, saved: Callable[[], Path], *, quota: int, days: float = 7
    ) -> None:
        self._root = _private(root)
        self._open_saved = saved
        self._days = days
        self._quotas: dict[Kind, Quota] = {
            "screenshot": Quota(quota, "screenshots"),
            "download": Quota(quota, "downloads"),
            "file": Quota(quota, "files"),
        }
        self._kept: dict[str, dict[str, Artifact]] = {}
        self._changing = Lock()

    def keep(
        self, session: Session, kind: Kind, name: str, content: bytes | Path, mime_type: str = ""
    ) -> Artifact:
        """Keep bytes, or take over a file from where the session's browser writes downloads.

        A large file takes as long as it takes to copy it: call this in a thread.
        """
        directory = self._root / session.id
        named = secrets.token_hex(6)
        path = directory / named
        with while_open(session, self.forget):
            directory.mkdir(mode=0o700, exist_ok=True)
            self._make_room(session, kind, len(content) if isinstance(content, bytes) else 0)
            with _opened(session, content) as source:
                size = write_new(path, source, self._quotas[kind], session.id)
            shown = tidy_name(name)
            kept = Artifact(
                named, kind, shown, _type_of(shown, mime_type), size, path, session.id, time.time()
            )
            with self._changing:
                self._kept.setdefault(session.id, {})[named] = kept
        return kept

    def save(
        self, session: Session, name: str, content: bytes | BinaryIO, mime_type: str = ""
    ) -> Artifact:
        """Keep a file under a name of the session's own, in place of the one that had it before.

        A large file takes as long as it takes to write it: call this in a thread.
        """
        folder = self.folder(session)
        shown = relative_name(name, folder)
        path = folder / shown
        quota = self._quotas["file"]
        if session.closed:
            raise SessionNotFound(f"session {session.name} is closed")
        with while_open(session, self.forget):
            try:
                self._make_folder(path.parent)
                if path.is_dir():
                    raise InvalidArgument("a folder has that name already")
            except (FileExistsError, NotADirectoryError):
                raise InvalidArgument("a file has the name of that folder already") from None
            draft = path.with_name(f".{secrets.token_hex(6)}")
            source = BytesIO(content) if isinstance(content, bytes) else content
            size = write_new(draft, source, quota, session.id)
            draft.replace(path)
            kept = Artifact(
                secrets.token_hex(6),
                "file",
                shown,
                _type_of(shown, mime_type),
                size,
                path,
                session.id,
                time.time(),
            )
            with self._changing:
                mine = self._kept.setdefault(session.id, {})
                former = next((each for each in mine.values() if each.path == path), None)
                if former is not None:
                    del mine[former.id]
                mine[kept.id] = kept
            if former is not None:
                quota.give_back(session.id, former.size)
        return kept

    def _make_folder(self, path: Path) -> None:
        """A folder for saved files; `parents=True` would leave those above open to others."""
        missing = [each for each in (path, *path.parents) if each.is_relative_to(self._saved)]
        for each in reversed(missing):
            each.mkdir(mode=0o700, exist_ok=True)

    def folder(self, session: Session) -> Path:
        """Where the saved files of a session are."""
        return self._owned(session.owner) / f"{session.name}.{session.id[-8:]}"

    def _owned(self, owner: Principal) -> Path:
        return self._saved / tidy_name(f"{owner.tenant}.{owner.id}")

    def recalled(self, owner: Principal, name: str) -> Path:
        """A file that an earlier session of the same key saved: the newest of that name or path.

        Nobody but the server writes there, so that a path of plain names leads nowhere else.
        """
        mine = self._owned(owner)
        shown = relative_name(name, mine)
        whole = mine / shown
        parts = [each / shown for each in mine.glob("*")]
        found = [each for each in (whole, *parts) if each.is_file() and not each.is_symlink()]
        if not found:
            raise ArtifactNotFound("no session of yours has saved such a file")
        return max(found, key=lambda each: each.stat().st_mtime)

    def unused_name(self, session: Session, wanted: str) -> str:
        """That name, or the first like it that no file of the session has."""
        taken = {each.name for each in self.of(session)}
        plain = PurePosixPath(wanted)
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = str(plain.with_name(f"{plain.stem}-{number}{plain.suffix}"))
        return name

    def readable(self, principal: Principal, session: Session, name: str) -> Artifact:
        """The file of that name, path or address, if the caller may have what is in it."""
        artifact = self.named(session, name)
        check_download(principal, session, artifact)
        return artifact

    def named(self, session: Session, name: str) -> Artifact:
        """The file of that name, path or address."""
        mine = self.of(session)
        for artifact in reversed(mine):
            if name in {artifact.uri, artifact.id, str(artifact.path)}:
                return artifact
        is_address = name.startswith(_SCHEME)
        shown = "" if is_address else relative_name(name, self.folder(session))
        for artifact in reversed(mine):
            if artifact.kind == "file" and artifact.name == shown:
                return artifact
        raise ArtifactNotFound("this session has no such file", hint="`artifact_list` shows them.")

    def discard(self, session: Session, artifact: Artifact) -> None:
        """Delete one file of a session."""
        with self._changing:
            gone = self._kept.get(session.id, {}).pop(artifact.id, None)
        if gone is not None:
            gone.path.unlink(missing_ok=True)
            self._quotas[gone.kind].give_back(session.id, gone.size)

    @cached_property
    def _saved(self) -> Path:
        """Where saved files are: made when the first is, and tidied then."""
        path = _private(self._open_saved())
        prune(path, self._days)
        return path

    def _make_room(self, session: Session, kind: Kind, size: int) -> None:
        """Delete the oldest pictures for a new one; downloads stay."""
        mine = [each for each in self.of(session) if each.kind == kind]
        quota = self._quotas[kind]
        if kind == "download":
            if len(mine) >= _MOST_DOWNLOADS:
                raise QuotaExceeded(f"this session has {_MOST_DOWNLOADS} downloads")
            return
        while mine and (
            len(mine) >= _MOST_PICTURES or quota.used(session.id) + size > quota.limit >= size
        ):
            self.discard(session, mine.pop(0))

    def of(self, session: Session) -> list[Artifact]:
        """What a session has, oldest first."""
        with self._changing:
            return list(self._kept.get(session.id, {}).values())

    def find(self, sessions: Sessions, principal: Principal, uri: str) -> Artifact:
        """The artifact of that address, if the caller may see its session, and have it."""
        # Compared as a whole: an address that is never taken apart cannot lead elsewhere.
        for session in sessions.visible_to(principal):
            for artifact in self.of(session):
                if artifact.uri == uri:
                    check_download(principal, session, artifact)
                    return artifact
        raise ArtifactNotFound("there is no such file", hint="It may have ended with its session.")

    def forget(self, session: Session) -> None:
        """Delete everything of a session but what it saved, which only has no address any more."""
        with self._changing:
            self._kept.pop(session.id, None)
        shutil.rmtree(self._root / session.id, ignore_errors=True)
        for quota in self._quotas.values():
            quota.forget(session.id)


def check_download(
    principal: Principal, session: Session, artifact: Artifact | None = None
) -> None:
    """Refuse what a page sent to whoever lacks the capability for it."""
    if artifact is None or artifact.kind == "download":
        for policy in (principal.policy, session.policy):
            policy.require(Capability.FILE_IO, "the content of a download")


def prune(saved: Path, days: float) -> None:
    """Delete what sessions saved longer ago than that."""
    oldest = time.time() - days * 86_400
    for folder in saved.glob("*/*"):
        newest = max((each.stat().st_mtime for each in (folder, *folder.rglob("*"))), default=0)
        if newest < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def _private(directory: Path) -> Path:
    status = directory.stat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise SetupError("the directory for artifacts is open to others")
    return directory


def _opened(session: Session, content: bytes | Path) -> BinaryIO:
    """What there is to keep; a path may lead to what the browser left and nowhere else."""
    if isinstance(content, bytes):
        return BytesIO(content)
    if content.parent != session.downloads:
        raise ArtifactNotFound("this session has no such download")
    return session.open_download(content.name)


def _type_of(name: str, stated: str) -> str:
    guessed, encoding = _TYPES.guess_type(name)
    claimed = stated or (guessed if encoding is None else None)
    return claimed if claimed in _INERT else _UNKNOWN
