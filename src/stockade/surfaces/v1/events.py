"""Events: what happens in sessions, as a stream of server-sent events."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Depends, Header, Request
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from stockade.kernel.dispatch import Kernel
from stockade.kernel.news import KINDS, Listener, News, Notice
from stockade.policy.principal import Principal
from stockade.sessions.session import Session
from stockade.surfaces.access import caller
from stockade.surfaces.v1.accepting import EVENTS, events_only
from stockade.surfaces.v1.sessions import InPath
from stockade.surfaces.v1.statuses import LIST, ONE, documented

__all__ = ["EventStream", "routes", "written"]

_BEAT_SECONDS: Final = 15.0
_LONGEST_SECONDS: Final = 600.0
"""After which a stream ends, so that a client shows again that its token is good."""
_HELLO: Final = b"retry: 1000\n\n"
_BEAT: Final = b": beat\n\n"
_GAP: Final = b'event: gap\ndata: {"type":"gap"}\n\n'

LastEventId = Annotated[
    str | None,
    Header(description="The id of the last event that was heard of; those after it come first."),
]


def _stream(description: str) -> dict[int | str, dict[str, Any]]:
    kinds = ", ".join(f"`{each}`" for each in KINDS)
    return {
        200: {
            "description": f"{description} Kinds: {kinds}; `gap` where some were lost.",
            "content": {EVENTS: {"schema": {"type": "string"}}},
        }
    }


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["events"], dependencies=[Depends(events_only)])

    @router.get(
        "/events",
        summary="What happens in every session that the token may see",
        response_class=Response,
        responses={**_stream("A stream of events."), **documented(None, LIST)},
    )
    async def get_events(request: Request, last_event_id: LastEventId = None) -> Response:
        return EventStream(kernel.news, caller(request), None, last_event_id)

    @router.get(
        "/sessions/{session}/events",
        summary="What happens in a session",
        response_class=Response,
        responses={**_stream("A stream of events of one session."), **documented(None, ONE)},
    )
    async def get_session_events(
        request: Request, session: InPath, last_event_id: LastEventId = None
    ) -> Response:
        principal = caller(request)
        found = kernel.sessions.find(principal, session)
        return EventStream(kernel.news, principal, found, last_event_id)

    return router


class EventStream(Response):
    """Ends when the client leaves, the server stops, the session is over, or its time is up."""

    media_type = EVENTS

    def __init__(
        self, news: News, principal: Principal, session: Session | None, after: str | None
    ) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._listening = news.listen(principal, session, after=after)
        # Now, while a refusal can still be told.
        self._listener = self._listening.__enter__()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is to tell, as it comes."""
        try:
            start = {"status": self.status_code, "headers": self.raw_headers}
            await send({"type": "http.response.start", **start})
            if not scope.get("stockade.head"):
                await self._talk(receive, send)
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._listening.__exit__(None, None, None)

    async def _talk(self, receive: Receive, send: Send) -> None:
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                while (await receive())["type"] != "http.disconnect":
                    continue
                tasks.cancel_scope.cancel()

            tasks.start_soon(watch)
            until = time.monotonic() + _LONGEST_SECONDS
            await send({"type": "http.response.body", "body": _HELLO, "more_body": True})
            while (left := until - time.monotonic()) > 0:
                words = await _words(self._listener, min(_BEAT_SECONDS, left))
                await send({"type": "http.response.body", "body": words, "more_body": True})
                if self._listener.ended:
                    break
            tasks.cancel_scope.cancel()


async def _words(listener: Listener, patience: float) -> bytes:
    """What is to be said next; a stream that is silent for long is taken for dead."""
    gap, notices = await listener.take(patience)
    said = [_GAP] if gap else []
    said += map(written, notices)
    return b"".join(said) or _BEAT


def written(notice: Notice) -> bytes:
    """A notice as the format has it."""
    facts = json.dumps(notice.facts, ensure_ascii=False, separators=(",", ":"))
    return f"id: {notice.id}\nevent: {notice.kind}\ndata: {facts}\n\n".encode(errors="replace")
