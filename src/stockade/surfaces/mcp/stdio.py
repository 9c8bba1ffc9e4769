"""MCP on the standard streams of this process."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Principal
from stockade.surfaces.mcp.caller import Caller
from stockade.surfaces.mcp.connection import serve
from stockade.surfaces.mcp.wire import Wire

__all__ = ["serve_stdio"]

_FIRST_FREE = 3


async def serve_stdio(kernel: Kernel, principal: Principal, toolsets: frozenset[str]) -> None:
    """Serve the client that started us, until its input ends or it no longer reads.

    It can be cancelled at any time. Either way the client's sessions are for whoever runs the
    kernel to close.
    """
    with _claimed() as (incoming, outgoing):
        await serve(kernel, Caller(principal, toolsets), Wire(incoming, outgoing))


@contextmanager
def _claimed() -> Iterator[tuple[int, int]]:
    """The standard streams for us alone: others read nothing, and print to the error stream."""
    incoming, outgoing = _moved(0), _moved(1)
    elsewhere = {0: os.open(os.devnull, os.O_RDONLY), 1: _moved(2)}
    for standard, other in elsewhere.items():
        os.dup2(other, standard)
        os.close(other)
    # What was printed before and is still on its way goes there too.
    sys.stdout.flush()
    try:
        yield incoming, outgoing
    finally:
        sys.stdout.flush()
        for standard, ours in {0: incoming, 1: outgoing}.items():
            os.set_blocking(ours, True)
            os.dup2(ours, standard)
            os.close(ours)


def _moved(descriptor: int) -> int:
    """A copy of a standard stream, out of the way of what is inherited."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
