"""A kernel in this process: no server, no port."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from typing import Any

from stockade.client.answer import Answer, Image
from stockade.config import Settings
from stockade.errors import InternalError
from stockade.kernel.arguments import InSession
from stockade.kernel.codes import error_of
from stockade.kernel.dispatch import Kernel
from stockade.kernel.leaving import LARGEST_MASKED, content_of, to_be_masked
from stockade.kernel.results import Reply
from stockade.policy.principal import Principal
from stockade.server import base_policy, running_kernel

__all__ = ["Embedded"]

_PATIENCE = 3600.0


class Embedded:
    """A kernel that lives as long as its client."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._running: Kernel | None = None
        self._principal = Principal(
            "local",
            policy=base_policy(settings),
            client=secrets.token_hex(8),
            name="embedded",
            nearby=True,
        )

    @property
    def _kernel(self) -> Kernel:
        if self._running is None:
            raise InternalError("the client is not open", hint="Use it with `async with`.")
        return self._running

    async def open(self) -> None:
        """Start the kernel; a browser starts with the first call that needs one."""
        self._running = await self._stack.enter_async_context(running_kernel(self._settings))

    async def close(self) -> None:
        """End the kernel with all of its sessions and browsers."""
        self._running = None
        await self._stack.aclose()

    async def call(self, session: str | None, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool."""
        given = dict(arguments)
        known = self._kernel.registry
        if (
            session is not None
            and known.knows(tool)
            and issubclass(known.find(tool).arguments, InSession)
        ):
            given["session"] = session
        reply = await self._kernel.call(self._principal, tool, given)
        if reply.error is not None:
            # As it was told: the error itself has not been masked.
            raise error_of(reply.data or {})
        return _answer(reply)

    async def read(self, uri: str) -> bytes:
        """The content of a file, without secrets if it is text."""
        kernel = self._kernel
        found = kernel.artifacts.find(kernel.sessions, self._principal, uri)
        masker = kernel.masker_of(self._principal)
        largest = LARGEST_MASKED if await to_be_masked(masker, found) else found.size
        return await content_of(masker, found, largest)

    async def events(self, session: str | None) -> AsyncIterator[Mapping[str, Any]]:
        """What happens from now on."""
        kernel = self._kernel
        meant = await kernel.sessions.reach(self._principal, session) if session else None
        with kernel.news.listen(self._principal, meant) as listener:
            while not listener.ended:
                gap, notices = await listener.take(_PATIENCE)
                if gap:
                    yield {"type": "gap"}
                for notice in notices:
                    yield notice.facts


def _answer(reply: Reply) -> Answer:
    images = tuple(Image(each.data, each.mime_type) for each in reply.images)
    return Answer(reply.data, reply.text, images, reply.links)
