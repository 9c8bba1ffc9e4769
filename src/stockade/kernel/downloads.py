"""Downloads that a page began, taken over as they end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from stockade.engines.events import Download
from stockade.errors import (
    ArtifactNotFound,
    DeadlineExceeded,
    FileWithheld,
    InvalidArgument,
    StockadeError,
)
from stockade.files.artifacts import Artifact, check_download
from stockade.kernel.action_result import Downloaded
from stockade.kernel.call import Call
from stockade.kernel.releases import released
from stockade.kernel.results import Link
from stockade.kernel.saving import shown_path
from stockade.masking.files import Sealed, masked_file
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session
from stockade.sessions.taint import Taint
from stockade.sessions.work import Job
from stockade.urls import origin_of

__all__ = ["Captured", "captured", "collect", "fetch", "file_of", "known_download", "link_to"]

_PATIENCE = 3.0
"""How long an action waits for what it downloads; a large file is fetched later by its id."""


_OFF = "the capability file-io is off: the page sent a file, and its content cannot be had"


@dataclass(eq=False)
class Captured:
    """The downloads of a session that were taken over; a part of the session."""

    on: bool = True
    """Whether what an action downloads is kept without being asked for."""
    taken: dict[str, Artifact] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    """Ids that a caller has cleared away."""
    keeping: dict[str, Job[Artifact]] = field(default_factory=dict)
    """Those being taken over now, for all who want them."""


def captured(session: Session) -> Captured:
    """What a session has of its downloads."""
    return session.parts.of(Captured, Captured)


def link_to(artifact: Artifact) -> Link:
    """How a reply points at a kept file."""
    return Link(artifact.uri, artifact.name, artifact.mime_type, artifact.size)


def known_download(session: Session, id: str) -> Download:
    """The download of that id."""
    context = session.context
    for each in context.downloads if context is not None else ():
        if each.id == id:
            return each
    raise ArtifactNotFound("this session has no such download")


async def fetch(call: Call, id: str, name: str, *, patience: float, wait: bool = True) -> Artifact:
    """The kept file of a download, taken over once, when the browser has all of it.

    Where a person has to agree, `wait` says whether to wait for them.
    """
    session, mine = call.session, captured(call.session)
    check_download(call.principal, session)
    await released(call, id, wait=wait)
    if id in mine.taken:
        return mine.taken[id]
    path = await session.finished_download(id, timeout=min(patience, call.left))

    async def keep() -> Artifact:
        try:
            kept = await asyncio.to_thread(_kept, call, id, name, path)
            mine.taken[id] = kept
        finally:
            del mine.keeping[id]
        return kept

    if id in mine.taken:
        return mine.taken[id]
    if id not in mine.keeping:
        mine.keeping[id] = session.work.start(keep)
    return await mine.keeping[id].result()


def _kept(call: Call, id: str, name: str, path: Path) -> Artifact:
    """A copy that the browser cannot change, without secrets; what it is called does not matter."""
    artifacts, session = call.kernel.artifacts, call.session
    kept = artifacts.keep(session, "download", name, path)
    if call.masker.idle:
        return kept
    try:
        content = kept.path.read_bytes()
        masked = _masked(call, id, content)
    except BaseException:
        artifacts.discard(session, kept)
        raise
    if masked is content:
        return kept
    artifacts.discard(session, kept)
    return artifacts.keep(session, "download", name, masked)


def _masked(call: Call, id: str, content: bytes) -> bytes:
    try:
        return masked_file(call.masker, content)
    except Sealed:
        taint = call.session.parts.get(Taint)
        sender = origin_of(known_download(call.session, id).url.removeprefix("blob:"))
        if taint is not None and (sender == "null" or sender in taint.origins):
            raise FileWithheld(
                "a secret was filled in where this file comes from, and what is packed into it "
                "cannot be looked through"
            ) from None
        return content


async def collect(
    call: Call, downloads: Iterable[Download]
) -> tuple[list[Downloaded], tuple[Link, ...]]:
    """What was downloaded; small files are there at once, large ones go on."""
    rows: list[Downloaded] = []
    links: list[Link] = []
    keeps = captured(call.session).on
    may = all(
        Capability.FILE_IO in each.capabilities for each in (call.principal.policy, call.policy)
    )
    for download in downloads:
        row = Downloaded(id=download.id, suggested_filename=download.filename, state=download.state)
        if not may:
            rows.append(row.model_copy(update={"size_bytes": download.received, "problem": _OFF}))
            continue
        if not keeps:
            rows.append(row.model_copy(update={"size_bytes": download.received}))
            continue
        try:
            artifact = await fetch(
                call, download.id, download.filename, patience=_PATIENCE, wait=False
            )
        except DeadlineExceeded:
            rows.append(row.model_copy(update={"size_bytes": download.received}))
        except StockadeError as error:
            rows.append(row.model_copy(update={"state": download.state, "problem": error.message}))
        else:
            links.append(link_to(artifact))
            told = {
                "state": download.state,
                "mime_type": artifact.mime_type,
                "size_bytes": artifact.size,
                "uri": artifact.uri,
                "path": shown_path(call, artifact),
            }
            rows.append(row.model_copy(update=told))
    return rows, tuple(links)


async def file_of(call: Call, name: str) -> Artifact:
    """A file of the session by its name, path or address; a download by its id or name too."""
    artifacts = call.kernel.artifacts
    try:
        return artifacts.readable(call.principal, call.session, name)
    except (ArtifactNotFound, InvalidArgument):
        context = call.session.context
        for each in reversed(context.downloads if context is not None else ()):
            if name in {each.id, each.filename, each.url}:
                return await fetch(call, each.id, each.filename, patience=call.left)
        for artifact in reversed(artifacts.of(call.session)):
            if artifact.name == name:
                check_download(call.principal, call.session, artifact)
                return artifact
        raise
