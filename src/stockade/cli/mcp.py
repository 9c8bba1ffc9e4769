"""`stockade mcp`: MCP on standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from stockade.cli import options, output

if TYPE_CHECKING:
    from stockade.config import Settings

__all__ = ["mcp"]


def mcp(
    toolsets: options.Toolsets = None,
    capabilities: options.Capabilities = None,
    allowed_origins: options.Origins = None,
    blocked_origins: options.BlockedOrigins = None,
    isolation: options.Isolation = None,
    workspace: options.WorkspacePath = None,
) -> None:
    """Speak MCP on standard input and output.

    Uses the server that runs on the workspace; without one it brings its own browsers, which end
    with it.
    """
    from stockade.workspace import Workspace

    settings = options.settings(
        toolsets=toolsets,
        capabilities=capabilities,
        allowed_origins=allowed_origins,
        blocked_origins=blocked_origins,
        isolation=isolation,
        workspace=workspace,
    )
    if not Workspace(settings.workspace).locked_by_another:
        _alone(settings)
        return
    given = {
        "--capabilities": capabilities,
        "--allowed-origins": allowed_origins,
        "--blocked-origins": blocked_origins,
        "--isolation": isolation,
    }
    if ignored := [name for name, value in given.items() if value is not None]:
        output.note(f"stockade: the running server decides about {', '.join(ignored)}")
    _joined(settings, settings.toolsets if toolsets is not None else None)


def _joined(settings: Settings, toolsets: tuple[str, ...] | None) -> None:
    """Pass everything to the server and back."""
    import asyncio

    from stockade.surfaces.mcp.bridge import join

    code = asyncio.run(join(settings.workspace / "mcp.sock", toolsets))
    if code:
        raise typer.Exit(code)


def _alone(settings: Settings) -> None:
    """Serve from this process until the client or a signal ends it."""
    from stockade.cli.local import local_principal
    from stockade.cli.posture import warnings
    from stockade.cli.running import run
    from stockade.server import running_kernel
    from stockade.surfaces.mcp.stdio import serve_stdio
    from stockade.telemetry import logs

    for warning in warnings(settings):
        output.note(f"WARNING {warning}", "bold yellow")

    async def served() -> None:
        async with running_kernel(settings) as kernel:
            logs.configure(settings.log_format, settings.log_level, mask=kernel.masker.value)
            shown = kernel.registry.chosen(settings.toolsets)
            await serve_stdio(kernel, local_principal(settings), shown)

    run(served)
