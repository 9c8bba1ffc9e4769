"""A tab of a session, with every tool as a method."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from stockade.client.calls import TabCalls

__all__ = ["Tab"]


class Tab(TabCalls):
    """Where calls go: a session, and one tab of it or whichever is current.

    The first argument of a method that acts on an element is its ref or a selector.
    """

    @property
    def session(self) -> str:
        """The name of the session."""
        return self._session or ""

    @property
    def id(self) -> str | None:
        """The tab; none is the current one."""
        return self._tab

    def at(self, tab: str | None) -> Tab:
        """Another tab of the same session."""
        return Tab(self._transport, self._session, tab)

    async def new_tab(self, url: str | None = None) -> Tab:
        """Open one more tab, and go there."""
        rows = (await self.tabs(action="new", url=url))["tabs"]
        return self.at(next(row["tab"] for row in rows if row.get("current")))

    async def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Call a tool by its name, with arguments as they are on the wire."""
        return await self._call(tool, arguments or {}, in_tab=False)

    def events(self) -> AsyncIterator[Mapping[str, Any]]:
        """What happens in the session from now on."""
        return self._transport.events(self._session)

    async def close(self) -> None:
        """Close the session with all of its tabs."""
        await self._transport.call(None, "close_session", {"session": self.session})
