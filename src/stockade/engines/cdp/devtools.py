"""Chromium's own protocol, for instruments that no other engine has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stockade.engines.cdp.connection import Session
from stockade.engines.port import DEADLINE

__all__ = ["ChromiumDevTools"]


class ChromiumDevTools:
    """A conversation with one target."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def send(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float = DEADLINE
    ) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        return await self._session.send(method, params, timeout=timeout)

    def on(self, method: str, handler: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Call `handler` with every such event until the returned function is called."""
        return self._session.on(method, handler, dict)
