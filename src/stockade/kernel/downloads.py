"""Downloads that a page began, taken over as they end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from stockade.engines.events import Download
from stockade.errors import ArtifactNotFound, DeadlineExceeded, InvalidArgument, StockadeError
from stockade.files.artifacts import Artifact
from stockade.kernel.action_result import Downloaded
from stockade.kernel.call import Call
from stockade.kernel.releases import released
from stockade.kernel.results import Link
from stockade.kernel.saving import shown_path
from stockade.sessions.session import Session
from stockade.sessions.work import Job

__all__ = ["Captured", "captured", "collect", "fetch", "file_of", "known_download", "link_to"]

_PATIENCE = 3.0
"""How long an action waits for what it downloads; a large file is fetched later by its id."""


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
    await released(call, id, wait=wait)
    if id in mine.taken:
        return mine.taken[id]
    path = await session.finished_download(id, timeout=min(patience, call.left))

    async def keep() -> Artifact:
        try:
            kept = await asyncio.to_thread(
                call.kernel.artifacts.keep, session, "download", name, path
            )
            mine.taken[id] = kept
        finally:
            del mine.keeping[id]
        return kept

    if id in mine.taken:
        return mine.taken[id]
    if id not in mine.keeping:
        mine.keeping[id] = session.work.start(keep)
    return await mine.keeping[id].result()


async def collect(
    call: Call, downloads: Iterable[Download]
) -> tuple[list[Downloaded], tuple[Link, ...]]:
    """What was downloaded; small files are there at once, large ones go on."""
    rows: list[Downloaded] = []
    links: list[Link] = []
    keeps = captured(call.session).on
    for download in downloads:
        row = Downloaded(id=download.id, suggested_filename=download.filename, state=download.state)
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
        return artifacts.named(call.session, name)
    except (ArtifactNotFound, InvalidArgument):
        context = call.session.context
        for each in reversed(context.downloads if context is not None else ()):
            if name in {each.id, each.filename, each.url}:
                return await fetch(call, each.id, each.filename, patience=call.left)
        for artifact in reversed(artifacts.of(call.session)):
            if artifact.name == name:
                return artifact
        raise
