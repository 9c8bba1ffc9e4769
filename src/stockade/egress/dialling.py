"""Dialling: the addresses that were judged, one after another until one answers."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, zip_longest
from typing import Any

from stockade.egress.failures import Failure
from stockade.egress.limits import DIAL_SECONDS
from stockade.egress.roots import trusted_roots
from stockade.egress.streams import Stream

__all__ = ["dial", "interleaved"]

_HEAD_START = 0.25
_MOST = 8
"""Addresses that are tried; all of them were judged."""


def interleaved(addresses: Sequence[str]) -> list[str]:
    """The families in turn, beginning with that of the first, each in the order of the answer."""
    first_is_v6 = ":" in addresses[0]
    same = [each for each in addresses if (":" in each) == first_is_v6]
    other = [each for each in addresses if (":" in each) != first_is_v6]
    return [each for each in chain.from_iterable(zip_longest(same, other)) if each is not None]


async def dial(
    addresses: Sequence[str], port: int, made: Callable[[], Stream], *, tls: str = ""
) -> tuple[Stream, str]:
    """A connection to the first that takes one, and which that is.

    With `tls` it is one over TLS, to whoever can show that this is its name.
    """
    over = _over_tls(tls) if tls else {}

    async def connect(address: str) -> Stream:
        _, stream = await asyncio.get_running_loop().create_connection(made, address, port, **over)
        return stream

    try:
        async with asyncio.timeout(DIAL_SECONDS):
            return await _first(interleaved(addresses)[:_MOST], connect)
    except TimeoutError:
        raise Failure("timeout", "the server does not answer") from None
    except ConnectionRefusedError:
        raise Failure("refused", "nobody listens there") from None
    except OSError:
        raise Failure("unreachable", "there is no way to that address") from None


def _over_tls(name: str) -> dict[str, Any]:
    # Only a proxy is spoken to so: what pages say in TLS is between them and their servers.
    context = ssl.create_default_context(cadata=trusted_roots() or None)
    return {"ssl": context, "server_hostname": name}


async def _first(
    addresses: list[str], connect: Callable[[str], Awaitable[Stream]]
) -> tuple[Stream, str]:
    """Each has a head start on the next, which begins at once when it fails."""
    if len(addresses) == 1:
        return await connect(addresses[0]), addresses[0]
    race = _Race(connect)
    try:
        async with asyncio.TaskGroup() as group:
            running: set[asyncio.Task[None]] = set()
            waiting = list(addresses)
            while race.winner is None and (waiting or running):
                if waiting:
                    running.add(group.create_task(race.run(waiting.pop(0))))
                _, running = await asyncio.wait(
                    running,
                    timeout=_HEAD_START if waiting else None,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            for task in running:
                task.cancel()
    except BaseException:
        if race.winner is not None:
            race.winner[0].abort()
        raise
    return race.result


class _Race:
    """Attempts to connect, of which one is wanted."""

    def __init__(self, connect: Callable[[str], Awaitable[Stream]]) -> None:
        self._connect = connect
        self._failed: list[OSError] = []
        self.winner: tuple[Stream, str] | None = None

    async def run(self, address: str) -> None:
        """One attempt."""
        try:
            stream = await self._connect(address)
        except OSError as error:
            self._failed.append(error)
            return
        if self.winner is None:
            self.winner = (stream, address)
        else:
            stream.abort()

    @property
    def result(self) -> tuple[Stream, str]:
        """The winner; or why there is none."""
        if self.winner is not None:
            return self.winner
        # Somebody who said no says more than a way that is not there.
        refused = [each for each in self._failed if isinstance(each, ConnectionRefusedError)]
        raise (refused or self._failed)[0]
