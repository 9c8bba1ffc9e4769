"""Artifacts: the files of a session, fetched, put and deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal
from urllib.parse import quote

import anyio
from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import Busy
from stockade.files.artifacts import Artifact
from stockade.kernel.dispatch import Kernel, new_call_id
from stockade.kernel.instant import instant
from stockade.kernel.results import Reply, compact
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.calls import SCHEME, told
from stockade.surfaces.v1.files import file_answer
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.sessions import InPath
from stockade.surfaces.v1.statuses import LIST, ONE, documented
from stockade.surfaces.v1.uploads import Incoming

__all__ = ["routes"]

_MOST_UPLOADS = 8

Kind = Literal["screenshot", "download", "file"]
Name = Annotated[
    str,
    Path(
        description="The name of a file of the session, or its id; `/` may be written `%2F`.",
        min_length=1,
        max_length=1000,
    ),
]


class ArtifactRow(TypedDict):
    """A file of a session. The name of a download is text of a page, and not to be trusted."""

    id: str
    kind: Kind
    name: str
    mimeType: str
    bytes: int
    uri: str
    href: str
    madeAt: str


class ArtifactPage(TypedDict):
    """The files of a session, the oldest first."""

    ok: bool
    artifacts: list[ArtifactRow]
    next: str | None


class ArtifactShown(TypedDict):
    """One file of a session."""

    ok: bool
    artifact: ArtifactRow


class WantedArtifacts(Paged):
    """Which files are wanted."""

    kind: Kind | None = Field(None, description="Those of this kind alone.")


_BYTES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The bytes of the file.",
        "content": {"application/octet-stream": {}},
    },
    206: {
        "description": "The part that `Range` asked for.",
        "content": {"application/octet-stream": {}},
    },
    304: {"description": "As it was."},
    **documented(None, {404, 410, 416}),
}
_UPLOAD = {
    "requestBody": {
        "description": "The bytes of the file, as they are.",
        "required": False,
        "content": {"application/octet-stream": {}},
    }
}


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["artifacts"])
    json = [Depends(json_only)]
    limiter = anyio.CapacityLimiter(_MOST_UPLOADS)

    @router.get(
        "/sessions/{session}/artifacts",
        summary="The files of a session",
        dependencies=json,
        responses=documented(ArtifactPage, ONE),
    )
    async def get_artifacts(
        request: Request, session: InPath, wanted: Annotated[WantedArtifacts, Query()]
    ) -> Response:
        found = kernel.sessions.find(caller(request), session)
        kept = [each for each in kernel.artifacts.of(found) if wanted.kind in {None, each.kind}]
        page, following = paged("artifacts", sorted(kept, key=_place), _place, wanted)
        rows = [_row(each) for each in page]
        body = {"ok": True, "artifacts": rows, "next": following}
        return answer(kernel.masker_of(caller(request)).value(body))

    @router.get(
        "/artifacts/{session}/{kind}/{name}",
        summary="The bytes of a file, by the address that results give",
        response_class=Response,
        responses=_BYTES,
    )
    async def get_artifact(request: Request, session: str, kind: str, name: str) -> Response:
        uri = f"{SCHEME}{session}/{kind}/{name}"
        found = kernel.artifacts.find(kernel.sessions, caller(request), uri)
        return await file_answer(request, kernel.masker_of(caller(request)), found)

    @router.get(
        "/sessions/{session}/artifacts/{name:path}",
        summary="The bytes of a file, by its name",
        response_class=Response,
        responses=_BYTES,
    )
    async def get_named(request: Request, session: InPath, name: Name) -> Response:
        within = kernel.sessions.find(caller(request), session)
        found = kernel.artifacts.readable(caller(request), within, name)
        return await file_answer(request, kernel.masker_of(caller(request)), found)

    @router.put(
        "/sessions/{session}/artifacts/{name:path}",
        summary="Put a file into a session, in place of the one that has the name",
        dependencies=json,
        status_code=201,
        responses={
            200: {"model": ArtifactShown, "description": "It took the place of another."},
            **documented(ArtifactShown, LIST, {404}, status=201, located=True),
        },
        openapi_extra=_UPLOAD,
    )
    async def put_artifact(request: Request, session: InPath, name: Name) -> Response:
        replaced = False

        async def put(within: Session) -> Artifact:
            nonlocal replaced
            if limiter.available_tokens < 1:
                raise Busy("other files are on their way already")
            source = Incoming(request.receive, request.headers, kernel.settings.upload_quota)
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            replaced = any(
                each.kind == "file" and each.name == name for each in kernel.artifacts.of(within)
            )
            return await to_thread.run_sync(
                kernel.artifacts.save, within, name, source.buffered(), kind, limiter=limiter
            )

        within = await kernel.sessions.reach(caller(request), session)
        reply = await _noted(kernel, request, "put_artifact", within, put)
        where = {"location": _href(within.name, name)}
        return told(reply, 200) if replaced else told(reply, 201, where)

    @router.delete(
        "/sessions/{session}/artifacts/{name:path}",
        summary="Delete a file of a session",
        dependencies=json,
        responses=documented(ArtifactShown, ONE),
    )
    async def delete_artifact(request: Request, session: InPath, name: Name) -> Response:
        async def delete(within: Session) -> Artifact:
            found = kernel.artifacts.named(within, name)
            kernel.artifacts.discard(within, found)
            return found

        within = kernel.sessions.find(caller(request), session)
        return told(await _noted(kernel, request, "delete_artifact", within, delete))

    return router


async def _noted(
    kernel: Kernel,
    request: Request,
    what: str,
    session: Session,
    work: Callable[[Session], Awaitable[Artifact]],
) -> Reply:
    """Change the files of a session within the envelope of a call: no tool, but not unseen."""
    principal = caller(request)
    call = new_call_id()
    async with kernel.envelope.around(call, principal, what, None) as sealed:
        sealed.session, sealed.within = session.id, session
        for policy in (principal.policy, session.policy):
            policy.require(Capability.FILE_IO, what)
        session.touch()
        artifact = await work(session)
        data = sealed.masker.value({"ok": True, "artifact": _row(artifact)})
        sealed.reply = Reply(call, ok=True, text=compact(data), data=data)
    if sealed.reply is None:
        raise anyio.get_cancelled_exc_class()
    return sealed.reply


def _row(artifact: Artifact) -> dict[str, Any]:
    return {
        "id": artifact.id,
        "kind": artifact.kind,
        "name": artifact.name,
        "mimeType": artifact.mime_type,
        "bytes": artifact.size,
        "uri": artifact.uri,
        "href": f"/v1/artifacts/{artifact.uri.removeprefix(SCHEME)}",
        "madeAt": instant(artifact.made_at),
    }


def _place(artifact: Artifact) -> tuple[float, str]:
    return artifact.made_at, artifact.id


def _href(session: str, name: str) -> str:
    return f"/v1/sessions/{quote(session, safe='')}/artifacts/{quote(name)}"
