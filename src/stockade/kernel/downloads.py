"""Downloads that a page began, taken over as they end."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from stockade.engines.events import Download, DownloadChanged
from stockade.errors import DeadlineExceeded, QuotaExceeded
from stockade.files.artifacts import Artifact
from stockade.kernel.action_result import Downloaded
from stockade.kernel.call import Call
from stockade.kernel.results import Link
from stockade.sessions.session import Session

__all__ = ["collect", "link_to"]

_PATIENCE = 3.0

_taken: WeakKeyDictionary[Session, dict[str, Artifact]] = WeakKeyDictionary()


def link_to(artifact: Artifact) -> Link:
    """How a reply points at a kept file."""
    return Link(artifact.uri, artifact.name, artifact.mime_type, artifact.size)


async def collect(
    call: Call, downloads: Iterable[Download]
) -> tuple[list[Downloaded], tuple[Link, ...]]:
    """What was downloaded; small files are there at once, large ones go on."""
    rows: list[Downloaded] = []
    links: list[Link] = []
    for download in downloads:
        await _ended(call, download)
        artifact = keep(call, download)
        if artifact is not None:
            links.append(link_to(artifact))
        rows.append(
            Downloaded(
                id=download.id,
                suggested_filename=download.filename,
                mime_type=artifact.mime_type if artifact is not None else None,
                size_bytes=artifact.size if artifact is not None else download.received,
                state=download.state,
                uri=artifact.uri if artifact is not None else None,
            )
        )
    return rows, tuple(links)


async def _ended(call: Call, download: Download) -> None:
    context = call.session.context
    if context is None or download.state != "running":
        return
    try:
        await context.events.wait(
            DownloadChanged,
            where=lambda event: event.download is download and download.state != "running",
            timeout=min(_PATIENCE, call.left),
        )
    except DeadlineExceeded:
        call.notes["download"] = "still running"


def keep(call: Call, download: Download) -> Artifact | None:
    """The kept file of a finished download, taken over if it has not been yet."""
    directory = call.session.downloads
    if download.state != "completed" or directory is None:
        return None
    taken = _taken.setdefault(call.session, {})
    if download.id in taken:
        return taken[download.id]
    try:
        artifact = call.kernel.artifacts.keep(
            call.session, "download", download.filename, directory / download.id
        )
    except QuotaExceeded:
        return None
    taken[download.id] = artifact
    return artifact
