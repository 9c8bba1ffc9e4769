"""Metrics, for Prometheus to read."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """What is counted, each server with its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
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
        self.sessions = Gauge("stockade_sessions", "Open sessions.", registry=self._registry)
        self.tabs = Gauge("stockade_tabs", "Open tabs.", registry=self._registry)
        self.browsers = Gauge("stockade_browsers", "Running browsers.", registry=self._registry)
        self.launches = Counter(
            "stockade_browser_launches_total", "Browsers started.", registry=self._registry
        )
        self.requests = Counter(
            "stockade_http_requests_total",
            "HTTP requests.",
            ["route", "status"],
            registry=self._registry,
        )

    def text(self) -> bytes:
        """All of them, in Prometheus' text format."""
        return generate_latest(self._registry)
