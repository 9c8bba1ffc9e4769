"""Uploads: content that a caller gives, as files that the session's browser can read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from stockade.errors import QuotaExceeded
from stockade.files.names import tidy_name
from stockade.files.quota import Quota
from stockade.files.writing import Counted, is_full, while_open, write_new
from stockade.jails.folders import Folder
from stockade.scratch import Scratch
from stockade.sessions.session import Session

__all__ = ["Uploads"]


class Uploads:
    """A directory per session that its browser may read and not change."""

    def __init__(self, quota: int, uid: int, under: Path | None = None) -> None:
        self._quota = Quota(quota, "uploads")
        self._uid = uid
        self._under = under
        self._places: dict[str, Scratch] = {}
        self._changing = Lock()

    def place(self, session: Session, name: str, content: bytes | BinaryIO) -> Path:
        """Write a file that a page will see under its name, made safe; where its browser finds it.

        In a thread: large files take a while.
        """
        source = BytesIO(content) if isinstance(content, bytes) else content
        with while_open(session, self.forget):
            if session.jail is not None:
                return self._hand_in(session, session.jail.uploads, tidy_name(name), source)
            # A directory for each file: two may have the same name.
            directory = self._place(session) / secrets.token_hex(6)
            directory.mkdir(mode=0o700)
            path = directory / tidy_name(name)
            try:
                write_new(path, source, self._quota, session.id)
            except BaseException:
                directory.rmdir()
                raise
            self._show(path, 0o640)
            self._show(directory, 0o710)
        return path

    def _hand_in(self, session: Session, folder: Folder, name: str, source: BinaryIO) -> Path:
        """Write it to what a jail may read."""
        counted = Counted(source, self._quota, session.id)
        try:
            return folder.put(f"{secrets.token_hex(6)}/{name}", counted)
        except BaseException as error:
            self._quota.give_back(session.id, counted.size)
            if is_full(error):
                raise QuotaExceeded(
                    "the session's jail has no room for that file",
                    hint="The operator can set STOCKADE_JAIL_DISK.",
                    limit="disk",
                ) from None
            raise

    def discard(self, session: Session, path: Path) -> None:
        """Delete a file that no page was given after all."""
        if session.jail is not None:
            name = "/".join(path.parts[-2:])
            self._quota.give_back(session.id, session.jail.uploads.take_back(name))
            return
        with suppress(FileNotFoundError):
            size = path.stat().st_size
            path.unlink()
            path.parent.rmdir()
            self._quota.give_back(session.id, size)

    def _place(self, session: Session) -> Path:
        with self._changing:
            if session.id not in self._places:
                # Ours rather than the browser's, which could put links where we write.
                scratch = self._places[session.id] = Scratch(under=self._under)
                self._show(scratch.path, 0o710)
            return self._places[session.id].path

    def _show(self, path: Path, mode: int) -> None:
        """Let the browser's uid, by its group of the same number, do what `mode` says."""
        if os.geteuid() == 0:
            os.chown(path, 0, self._uid)
            path.chmod(mode)

    def forget(self, session: Session) -> None:
        """Delete everything of a session."""
        with self._changing:
            scratch = self._places.pop(session.id, None)
        if scratch is not None:
            scratch.remove()
        self._quota.forget(session.id)
