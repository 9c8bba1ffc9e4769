"""Without a server: a kernel in this process, for one call or one client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stockade.config import Settings
from stockade.kernel.results import Reply
from stockade.policy.principal import Principal
from stockade.server import base_policy, running_kernel

__all__ = ["call_once", "local_principal"]


def local_principal(settings: Settings) -> Principal:
    """Whoever runs this process, with what the settings allow."""
    return Principal("local", policy=base_policy(settings), name="command line", nearby=True)


async def call_once(settings: Settings, tool: str, arguments: Mapping[str, Any]) -> Reply:
    """Start what is needed, make one call, and end it all."""
    async with running_kernel(settings) as kernel:
        return await kernel.call(local_principal(settings), tool, arguments)
