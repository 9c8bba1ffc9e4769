"""Health: whether the server works, found out by asking each browser, and its metrics."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from typing_extensions import TypedDict

from stockade.engines.port import Browser
from stockade.errors import DeadlineExceeded, EngineError
from stockade.kernel.codes import error_body
from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Role
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.statuses import documented
from stockade.telemetry.metrics import State

__all__ = ["Health", "Pulse", "routes", "state_of"]

_PATIENCE = 2.0
_FRESH = 0.5
"""How long an answer serves everyone: anyone may ask, and browsers have other work."""


class Healthy(TypedDict):
    """Everything answers."""

    ok: bool
    version: str
    engine: str
    browsers: int
    sessions: int
    uptime: float


_TEXT = {"type": "string"}
_SILENT: dict[str, Any] = {
    "description": "A browser does not answer, or the server is stopping.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}


@dataclass(frozen=True)
class Pulse:
    """What one look found."""

    browsers: int
    silent: int
    """Browsers that run and do not answer."""
    sessions: int
    engine: str
    uptime: float

    @property
    def ok(self) -> bool:
        """Whether everything answers."""
        return not self.silent


@dataclass
class Health:
    """Looks at the server."""

    kernel: Kernel
    version: str
    _started: float = field(default_factory=time.monotonic)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _seen: tuple[float, Pulse] | None = None

    async def pulse(self) -> Pulse:
        """Make a round trip to every browser that runs."""
        async with self._looking:
            now = time.monotonic()
            if self._seen is None or now - self._seen[0] > _FRESH:
                found = await self._look()
                self._seen = (time.monotonic(), found)
            return self._seen[1]

    async def _look(self) -> Pulse:
        browsers = self.kernel.sessions.browsers.alive
        answered = await asyncio.gather(*map(_answers, browsers))
        products = [each.product for each, well in zip(browsers, answered, strict=True) if well]
        return Pulse(
            browsers=len(browsers),
            silent=answered.count(False),
            sessions=len(self.kernel.sessions.all()),
            engine=products[0] if products else "chromium",
            uptime=round(time.monotonic() - self._started, 1),
        )


async def _answers(browser: Browser) -> bool:
    try:
        await browser.ping(timeout=_PATIENCE)
    except (EngineError, DeadlineExceeded):
        # One that has just been closed is no failure.
        return not browser.alive
    return True


def state_of(kernel: Kernel) -> State:
    """What the metrics say of this moment."""
    sessions = kernel.sessions.all()
    return State(
        sessions=len(sessions),
        tabs=sum(len(each.tabs) for each in sessions),
        browsers=len(kernel.sessions.browsers.alive),
        launches=kernel.sessions.browsers.launched,
    )


def routes(health: Health) -> APIRouter:
    """The routes of this surface."""
    router = APIRouter(tags=["server"])
    metrics = health.kernel.metrics
    metrics.look = lambda: state_of(health.kernel)

    @router.get(
        "/health",
        summary="Whether the server and its browsers answer",
        responses={**documented(Healthy), 503: _SILENT},
        openapi_extra={"security": []},
    )
    async def get_health() -> Response:
        pulse = await health.pulse()
        facts: dict[str, Any] = {
            "version": health.version,
            "engine": pulse.engine,
            "browsers": pulse.browsers,
            "sessions": pulse.sessions,
            "uptime": pulse.uptime,
        }
        if pulse.ok:
            return answer({"ok": True, **facts})
        error = EngineError(
            f"{pulse.silent} of {pulse.browsers} browsers do not answer",
            hint="Close the sessions that hang, or restart the server.",
            **facts,
        )
        return answer(error_body(error), 503)

    @router.get(
        "/metrics",
        summary="Metrics in Prometheus' text format",
        response_class=Response,
        responses={
            200: {"description": "The metrics.", "content": {"text/plain": {"schema": _TEXT}}},
            **documented(None),
        },
    )
    async def get_metrics(request: Request) -> Response:
        caller(request).require(Role.OPERATOR, "reading metrics")
        return Response(metrics.text(), media_type=metrics.content_type)

    return router
