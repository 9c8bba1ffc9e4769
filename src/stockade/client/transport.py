"""How a client reaches a kernel."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol

from stockade.client.answer import Answer

__all__ = ["Calls", "Transport"]

_REF = re.compile(r"(?:f\d{1,9})?e\d{1,9}")


class Transport(Protocol):
    """A way to a kernel, wherever it runs. What goes wrong is raised as a `StockadeError`."""

    async def open(self) -> None:
        """Be ready to call."""

    async def close(self) -> None:
        """End; whatever belongs to the transport ends with it."""

    async def call(self, session: str | None, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool in a session, or outside of any."""

    async def read(self, uri: str) -> bytes:
        """The content of a file that a result named."""

    def events(self, session: str | None) -> AsyncIterator[Mapping[str, Any]]:
        """What happens from now on, in one session or in all that the caller may see."""


class Calls:
    """What the methods of tools are built on."""

    def __init__(self, transport: Transport, session: str | None, tab: str | None = None) -> None:
        self._transport = transport
        self._session = session
        self._tab = tab

    async def _call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        options: Mapping[str, Any] | None = None,
        *,
        in_tab: bool,
        target: str | None = None,
    ) -> Any:
        """Call a tool; options that are None are left to their defaults.

        A target that reads like a ref is one, anything else is a selector.
        """
        given = dict(arguments)
        given |= {key: value for key, value in (options or {}).items() if value is not None}
        if target is not None:
            given["ref" if _REF.fullmatch(target) else "selector"] = target
        if in_tab and self._tab is not None:
            given["tab"] = self._tab
        answer = await self._transport.call(self._session, tool, given)
        return answer.result()
