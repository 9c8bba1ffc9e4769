"""Metrics, for Prometheus to read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

__all__ = ["Egress", "Metrics", "State"]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


@dataclass(frozen=True)
class Egress:
    """What went out, and what did not."""

    denied: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By rule, and by whose traffic it was: that of pages or the browser's own."""
    requests: int = 0
    sent: int = 0
    received: int = 0
    """Bytes from servers."""
    restarts: int = 0
    """Times that the egress process was lost."""


@dataclass(frozen=True)
class State:
    """What is counted by looking, when somebody asks."""

    sessions: int = 0
    tabs: int = 0
    browsers: int = 0
    launches: int = 0
    """Browsers started since the server began."""
    restarts: int = 0
    """Those that ended though nobody meant them to, or had to be ended."""
    egress: Egress = field(default_factory=Egress)


class Metrics:
    """What is counted, each server with its own."""

    content_type: Final = CONTENT_TYPE_LATEST

    def __init__(self, version: str = "") -> None:
        self._registry = CollectorRegistry()
        self.look: Callable[[], State] = State
        """Asked at every scrape."""
        self.calls = Counter(
            "stockade_calls_total", "Tool calls.", ["tool", "outcome"], registry=self._registry
        )
        self.seconds = Histogram(
            "stockade_call_seconds",
            "How long tool calls took.",
            ["tool"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._requests = Counter(
            "stockade_http_requests_total",
            "HTTP requests.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._request_seconds = Histogram(
            "stockade_http_request_seconds",
            "How long HTTP requests took.",
            ["route"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.guesses = Counter(
            "stockade_secret_guesses_total",
            "Sessions that were stopped because parts of a secret were tried out.",
            registry=self._registry,
        )
        self.blocked = Histogram(
            "stockade_loop_blocked_seconds",
            "How long the event loop was kept, by work or by waiting for the machine.",
            ["kind"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        Gauge(
            "stockade_start_time_seconds",
            "When the server started.",
            registry=self._registry,
        ).set(time.time())
        Gauge(
            "stockade_build_info", "The version that runs.", ["version"], registry=self._registry
        ).labels(version).set(1)
        ProcessCollector(registry=self._registry)
        self._looked = _Looked()
        self._registry.register(self._looked)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one HTTP request; `route` is the template, never the path."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    async def read(self) -> bytes:
        """All of them, as text; written in a thread, since there may be thousands of lines."""
        self._looked.state = self.look()
        return await asyncio.to_thread(generate_latest, self._registry)

    def text(self) -> bytes:
        """All of them, in Prometheus' text format."""
        self._looked.state = self.look()
        return generate_latest(self._registry)


class _Looked(Collector):
    """Turns a look at the server into metrics."""

    def __init__(self) -> None:
        self.state = State()

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        state = self.state
        yield GaugeMetricFamily("stockade_sessions", "Open sessions.", state.sessions)
        yield GaugeMetricFamily("stockade_tabs", "Open tabs.", state.tabs)
        yield GaugeMetricFamily("stockade_browsers", "Running browsers.", state.browsers)
        yield CounterMetricFamily(
            "stockade_browser_launches_total", "Browsers started.", state.launches
        )
        yield CounterMetricFamily(
            "stockade_browser_restarts_total", "Browsers lost or ended as unfit.", state.restarts
        )
        yield from _egress(state.egress)


def _egress(state: Egress) -> Iterator[CounterMetricFamily]:
    denied = CounterMetricFamily(
        "stockade_egress_denied_total", "Requests that were refused.", labels=["rule", "traffic"]
    )
    for labels, count in sorted(state.denied.items()):
        denied.add_metric(labels, count)
    yield denied
    yield CounterMetricFamily(
        "stockade_egress_requests_total", "Requests that pages sent.", state.requests
    )
    size = CounterMetricFamily(
        "stockade_egress_bytes_total", "Bytes to and from servers.", labels=["direction"]
    )
    size.add_metric(["sent"], state.sent)
    size.add_metric(["received"], state.received)
    yield size
    yield CounterMetricFamily(
        "stockade_egress_restarts_total", "Times the egress process was lost.", state.restarts
    )
