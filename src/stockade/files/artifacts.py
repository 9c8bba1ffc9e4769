"""Artifacts: pictures and downloads of a session, kept while it lives, fetched by id."""

from __future__ import annotations

import mimetypes
import os
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from stockade.errors import ArtifactNotFound, QuotaExceeded
from stockade.policy.principal import Principal
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session

__all__ = ["Artifact", "Artifacts"]

Kind = Literal["screenshot", "download"]
_MOST_PICTURES = 200


@dataclass(frozen=True)
class Artifact:
    """One kept file."""

    id: str
    kind: Kind
    name: str
    mime_type: str
    size: int
    path: Path
    session: str
    made_at: float

    @property
    def uri(self) -> str:
        """How clients name it."""
        return f"stockade://{self.session}/{self.kind}s/{self.id}"


class Artifacts:
    """The kept files of every session, in a directory that only the server reads."""

    def __init__(self, root: Path, *, quota: int) -> None:
        self._root = root
        self._quota = quota
        self._kept: dict[str, dict[str, Artifact]] = {}

    def keep(
        self, session: Session, kind: Kind, name: str, content: bytes | Path, mime_type: str = ""
    ) -> Artifact:
        """Keep bytes, or take over a file."""
        kept = self._kept.setdefault(session.id, {})
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        used = sum(each.size for each in kept.values() if each.kind == kind)
        if used + size > self._quota:
            raise QuotaExceeded(
                f"the {kind}s of session {session.name} would take more than {self._quota} bytes"
            )
        directory = self._root / session.id
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        named = secrets.token_hex(6)
        path = directory / named
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            shutil.move(content, path)
            if os.geteuid() == 0:
                os.chown(path, 0, 0)
        path.chmod(0o600)
        guessed = mime_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
        artifact = Artifact(named, kind, name, guessed, size, path, session.id, time.time())
        kept[named] = artifact
        self._prune(kept)
        return artifact

    def _prune(self, kept: dict[str, Artifact]) -> None:
        pictures = [each for each in kept.values() if each.kind == "screenshot"]
        for old in pictures[:-_MOST_PICTURES]:
            old.path.unlink(missing_ok=True)
            del kept[old.id]

    def of(self, session: Session) -> list[Artifact]:
        """What a session has, oldest first."""
        return list(self._kept.get(session.id, {}).values())

    def find(self, sessions: Sessions, principal: Principal, uri: str) -> Artifact:
        """The artifact of that address, if the caller may see its session."""
        session_id, _, rest = uri.removeprefix("stockade://").partition("/")
        kind, _, named = rest.partition("/")
        visible = {each.id for each in sessions.visible_to(principal)}
        artifact = self._kept.get(session_id, {}).get(named)
        if session_id not in visible or artifact is None or f"{artifact.kind}s" != kind:
            raise ArtifactNotFound(
                "there is no such file", hint="It may have ended with its session."
            )
        return artifact

    def forget(self, session: Session) -> None:
        """Delete everything of a session."""
        self._kept.pop(session.id, None)
        shutil.rmtree(self._root / session.id, ignore_errors=True)
