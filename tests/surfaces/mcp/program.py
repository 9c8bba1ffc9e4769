"""A program that speaks MCP on its standard streams, as `stockade mcp` does."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from stockade.config import load
from stockade.policy.principal import Principal
from stockade.server import base_policy, running_kernel
from stockade.surfaces.mcp.stdio import serve_stdio


async def main(workspace: Path, *toolsets: str) -> None:
    settings = load(workspace=workspace)
    ours = asyncio.current_task()
    assert ours is not None
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, ours.cancel)
    async with running_kernel(settings) as kernel:
        asyncio.get_running_loop().call_soon(print, "this is no protocol")
        shown = kernel.registry.chosen(toolsets or settings.toolsets)
        await serve_stdio(kernel, Principal("local", policy=base_policy(settings)), shown)


if __name__ == "__main__":
    try:
        asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
    except asyncio.CancelledError:
        sys.exit(0)
