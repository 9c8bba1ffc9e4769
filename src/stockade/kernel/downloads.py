"""Downloads that a page began, taken over as they end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from stockade.engines.events import Download
from stockade.errors import DeadlineExceeded, StockadeError
from stockade.files.artifacts import Artifact
from stockade.kernel.action_result import Downloaded
from stockade.kernel.call import Call
from stockade.kernel.results import Link
from stockade.sessions.session import Session

__all__ = ["collect", "fetch", "link_to"]

_PATIENCE = 3.0
"""How long an action waits for what it downloads; a large file is fetched later by its id."""

_taken: WeakKeyDictionary[Session, dict[str, Artifact]] = WeakKeyDictionary()


def link_to(artifact: Artifact) -> Link:
    """How a reply points at a kept file."""
    return Link(artifact.uri, artifact.name, artifact.mime_type, artifact.size)


async def fetch(call: Call, id: str, name: str, *, patience: float) -> Artifact:
    """The kept file of a download, taken over once the browser has all of it."""
    taken = _taken.setdefault(call.session, {})
    if id not in taken:
        path = await call.session.finished_download(id, timeout=min(patience, call.left))
        taken[id] = await asyncio.to_thread(
            call.kernel.artifacts.keep, call.session, "download", name, path
        )
    return taken[id]


async def collect(
    call: Call, downloads: Iterable[Download]
) -> tuple[list[Downloaded], tuple[Link, ...]]:
    """What was downloaded; small files are there at once, large ones go on."""
    rows: list[Downloaded] = []
    links: list[Link] = []
    for download in downloads:
        row = Downloaded(id=download.id, suggested_filename=download.filename, state=download.state)
        try:
            artifact = await fetch(call, download.id, download.filename, patience=_PATIENCE)
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
            }
            rows.append(row.model_copy(update=told))
    return rows, tuple(links)
