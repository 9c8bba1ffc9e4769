"""The way in: a server's address, or a kernel of one's own."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from stockade.client.calls import ServerCalls
from stockade.client.remote import Remote
from stockade.client.tab import Tab
from stockade.client.transport import Transport
from stockade.errors import StockadeError

__all__ = ["DEFAULT_URL", "Stockade"]

DEFAULT_URL = "http://127.0.0.1:9377"


class Stockade(ServerCalls):
    """Use it with `async with`: what it opened ends with it."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport, None)
        self._opened: list[Tab] = []

    @classmethod
    def connect(cls, url: str = DEFAULT_URL, token: str | None = None) -> Self:
        """Use a running server."""
        return cls(Remote(url, token))

    @classmethod
    def embedded(cls, **settings: Any) -> Self:
        """Use no server: sessions and browsers live in this process, with these settings."""
        # What runs a browser is not loaded by those who only call one.
        from stockade.client.embedded import Embedded  # noqa: PLC0415
        from stockade.config import load  # noqa: PLC0415

        return cls(Embedded(load(**settings)))

    async def __aenter__(self) -> Self:
        try:
            await self._transport.open()
        except BaseException:
            await self._transport.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            for tab in self._opened:
                # It may have been closed already, or the server may be gone.
                with suppress(StockadeError):
                    await tab.close()
        finally:
            await self._transport.close()

    async def open(
        self, url: str | None = None, *, session: str | None = None, **options: Any
    ) -> Tab:
        """Open a session of its own, which ends with this client, and go to `url`.

        `options` are those of `open_session`.
        """
        name = session or f"sdk-{secrets.token_hex(4)}"
        await self.open_session(session=name, **options)
        tab = Tab(self._transport, name)
        self._opened.append(tab)
        if url is not None:
            await tab.navigate(url=url, mode="none")
        return tab

    def session(self, name: str = "default") -> Tab:
        """A session that is open already, or the default one; it stays when this client ends."""
        return Tab(self._transport, name)

    async def read(self, uri: str) -> bytes:
        """The content of a file that a result named."""
        return await self._transport.read(uri)

    def events(self) -> AsyncIterator[Mapping[str, Any]]:
        """What happens from now on in every session that this client may see."""
        return self._transport.events(None)
