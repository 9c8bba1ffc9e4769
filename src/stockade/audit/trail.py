"""The trail: a row before each effect and a row after each call."""

from __future__ import annotations

from typing import Any, Protocol

from stockade.telemetry.logs import get_logger

__all__ = ["LogTrail", "Trail"]


class Trail(Protocol):
    """Where rows go."""

    async def intent(self, row: dict[str, Any]) -> None:
        """Keep what is about to be done; an error here means that it is not done."""

    async def outcome(self, row: dict[str, Any]) -> None:
        """Keep how a call ended."""


class LogTrail:
    """Rows as log lines."""

    def __init__(self) -> None:
        self._log = get_logger("stockade.audit")

    async def intent(self, row: dict[str, Any]) -> None:
        """Write what is about to be done."""
        self._log.debug("intent", **row)

    async def outcome(self, row: dict[str, Any]) -> None:
        """Write how a call ended."""
        self._log.info("call", **row)
