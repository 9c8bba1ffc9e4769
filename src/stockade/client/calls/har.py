"""Calls of the tools in `har`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class HarStarted(Beside):
    """A recording runs."""

    ok: bool
    recording: bool
    mode: str
    content: str
    path: str
    urlFilter: NotRequired[str]
    warning: NotRequired[str]


class HarStopped(Beside):
    """A recording has become a file."""

    ok: bool
    wasActive: bool
    path: str
    uri: str
    bytes: int
    entries: int
    har: NotRequired[dict[str, Any]]
    attachments: NotRequired[int]
    dropped: NotRequired[int]


class HarCalls(Calls):
    """Methods that call tools."""

    async def start_har(
        self,
        *,
        path: str | None = None,
        mode: Literal['full', 'minimal'] | None = None,
        content: Literal['embed', 'attach', 'omit'] | None = None,
        url_filter: str | None = None,
    ) -> HarStarted:
        """Record the traffic of all tabs as a HAR archive, until stop_har."""
        answer = await self._call("start_har", {}, {"path": path, "mode": mode, "content": content, "urlFilter": url_filter}, in_tab=False)
        return cast("HarStarted", answer)

    async def stop_har(
        self,
        *,
        inline: bool | None = None,
    ) -> HarStopped:
        """End the recording and keep it as a file; small ones come inline. It is untrusted."""
        answer = await self._call("stop_har", {}, {"inline": inline}, in_tab=False)
        return cast("HarStopped", answer)
