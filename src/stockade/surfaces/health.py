"""Health: whether the server works, found out by asking each browser, and its metrics."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from typing_extensions import TypedDict

from stockade.engines.cdp.launch import missing_browser
from stockade.engines.port import Browser
from stockade.errors import DeadlineExceeded, EngineError, Missing
from stockade.kernel.codes import error_body
from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Role
from stockade.sessions.memory import Own
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.statuses import documented
from stockade.telemetry.metrics import Egress, State

__all__ = ["Health", "Pulse", "routes", "state_of"]

_PATIENCE = 2.0
_FRESH = 0.5
"""How long an answer serves everyone: anyone may ask, and browsers have other work."""


class MemoryUse(TypedDict):
    """What the server's own process takes, in millions of bytes."""

    rssMb: int
    heapUsedMb: int
    """What the program holds, without the code it shares with others."""
    nativeMemMb: int
    """The rest."""


class Healthy(TypedDict):
    """Everything answers."""

    ok: bool
    version: str
    engine: str
    """What really runs, by its own word; `chromium` while nothing does."""
    running: bool
    """The same as `browserRunning`, as other clients of the tab API ask for it."""
    browserConnected: bool
    browserRunning: bool
    recovering: bool
    activeTabs: int
    activeSessions: int
    consecutiveFailures: int
    memory: MemoryUse
    browsers: int
    uptime: float


_TEXT = {"type": "string"}
_SILENT: dict[str, Any] = {
    "description": "A browser does not answer or was lost, or the server is stopping.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
_MEGA = 1_000_000


@dataclass(frozen=True)
class Pulse:
    """What one look found."""

    browsers: int
    silent: int
    """Browsers that run and do not answer."""
    sessions: int
    tabs: int
    engine: str
    uptime: float
    ending: bool
    """Whether a browser is being ended because it does not work."""
    loss: str
    """Why there is no browser although nobody meant to end it."""
    failures: int
    memory: Own
    cut_off: bool = False
    """Whether nothing gets out, because the egress process is gone."""
    missing: str = ""
    """Why no browser can be started at all."""

    @property
    def ok(self) -> bool:
        """Whether everything answers."""
        return not self.trouble

    @property
    def recovering(self) -> bool:
        """Whether a browser is about to be restarted."""
        return self.silent > 0 or self.ending

    @property
    def trouble(self) -> str:
        """What is wrong, in a sentence; empty when nothing is."""
        if self.silent:
            return f"{self.silent} of {self.browsers} browsers do not answer"
        if self.cut_off:
            return "nothing gets out: the egress process is being restarted"
        if self.ending:
            return "a browser is being restarted"
        return self.missing or self.loss

    @property
    def facts(self) -> dict[str, Any]:
        """All of it but whether it is good."""
        resident, heap = self.memory.resident // _MEGA, self.memory.private // _MEGA
        return {
            "engine": self.engine,
            "running": self.browsers > 0,
            "browserConnected": self.browsers > self.silent,
            "browserRunning": self.browsers > 0,
            "recovering": self.recovering,
            "activeTabs": self.tabs,
            "activeSessions": self.sessions,
            "consecutiveFailures": self.failures,
            "memory": {"rssMb": resident, "heapUsedMb": heap, "nativeMemMb": resident - heap},
            "browsers": self.browsers,
            "uptime": self.uptime,
        }


@dataclass
class Health:
    """Looks at the server."""

    kernel: Kernel
    version: str
    _started: float = field(default_factory=time.monotonic)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _seen: tuple[float, Pulse] | None = None

    async def pulse(self) -> Pulse:
        """Make a round trip to every browser that runs; none is started for it."""
        async with self._looking:
            now = time.monotonic()
            if self._seen is None or now - self._seen[0] > _FRESH:
                found = await self._look()
                self._seen = (time.monotonic(), found)
            return self._seen[1]

    async def _look(self) -> Pulse:
        browsers, asked = self.kernel.sessions.browsers, self.kernel.sessions.browsers.alive
        answered = await asyncio.gather(*map(_answers, asked))
        silent = [each for each, well in zip(asked, answered, strict=True) if not well]
        for each in silent:
            # So that it is restarted even if nobody calls.
            browsers.silent(each)
        running = browsers.alive
        sessions = self.kernel.sessions.all()
        products = [each.product for each in running if each not in silent]
        return Pulse(
            browsers=len(running),
            silent=len([each for each in silent if each in running]),
            sessions=len(sessions),
            tabs=sum(len(each.tabs) for each in sessions),
            engine=products[0] if products else "chromium",
            uptime=round(time.monotonic() - self._started, 1),
            ending=browsers.recovering,
            # Where another runs, browsers can be had, and the session concerned will be told.
            loss="" if running else browsers.loss,
            failures=browsers.failures,
            memory=browsers.memory.own(),
            cut_off=bool(self.kernel.sessions.gateway.trouble),
            missing="" if running else missing_browser(self.kernel.settings.chromium),
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
    gateway = kernel.sessions.gateway
    traffic = gateway.traffic
    return State(
        sessions=len(sessions),
        tabs=sum(len(each.tabs) for each in sessions),
        browsers=len(kernel.sessions.browsers.alive),
        launches=kernel.sessions.browsers.launched,
        restarts=kernel.sessions.browsers.restarted,
        egress=Egress(
            dict(gateway.denied),
            traffic.requests,
            traffic.sent,
            traffic.received,
            gateway.restarts,
        ),
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
        facts = {"version": health.version, **pulse.facts}
        if pulse.ok:
            return answer({"ok": True, **facts})
        error = EngineError(
            pulse.trouble,
            hint="`stockade doctor` says more."
            if pulse.missing
            else "It is restarted when a call needs it, or when it stays silent.",
            reason=pulse.trouble,
            **facts,
        )
        return answer(error_body(error), 503)

    @router.get(
        "/metrics",
        summary="Metrics in Prometheus' text format",
        response_class=Response,
        responses={
            200: {"description": "The metrics.", "content": {"text/plain": {"schema": _TEXT}}},
            **documented(None, {404}),
        },
    )
    async def get_metrics(request: Request) -> Response:
        settings = health.kernel.settings
        if not settings.public_metrics:
            principal = caller(request)
            if settings.compat and not principal.has_role(Role.OPERATOR):
                raise Missing("metrics are off", hint="STOCKADE_PUBLIC_METRICS=true turns them on.")
            principal.require(Role.OPERATOR, "reading metrics")
        await health.kernel.sessions.gateway.count()
        return Response(await metrics.read(), media_type=metrics.content_type)

    return router
