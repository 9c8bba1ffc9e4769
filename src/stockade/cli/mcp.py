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
    allow: options.Allow = None,
    dev: options.Dev = False,
    isolation: options.Isolation = None,
    workspace: options.WorkspacePath = None,
) -> None:
    """Speak MCP on standard input and output.

    Uses the server that runs on the workspace; without one it brings its own browsers, which end
    with it.
    """
    from stockade.workspace import Workspace

    settings = options.settings(
        allow=allow,
        dev=dev,
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
    # A directory that others could have put a socket into is refused here.
    Workspace.open(settings.workspace)
    asked = {"--isolation": isolation, "--allow": allow, "--dev": dev}
    for option in (name for name, given in asked.items() if given):
        output.note(f"stockade: the running server decides about {option}")
    _joined(settings)


_WISHES = ("toolsets", "capabilities", "allowed_origins", "blocked_origins")


def _joined(settings: Settings) -> None:
    """Pass everything to the server and back; what was set here can only narrow what it allows."""
    import asyncio

    from stockade.surfaces.mcp.bridge import join

    stated = settings.model_fields_set
    wishes = {name: list(getattr(settings, name)) for name in _WISHES if name in stated}
    code = asyncio.run(join(settings.workspace / "mcp.sock", wishes))
    if code:
        raise typer.Exit(code)


def _alone(settings: Settings) -> None:
    """Serve from this process until the client or a signal ends it."""
    from stockade.cli.local import local_principal
    from stockade.cli.posture import line, warnings
    from stockade.cli.running import run
    from stockade.server import running_kernel
    from stockade.surfaces.mcp.stdio import serve_stdio
    from stockade.telemetry import logs

    for warning in warnings(settings):
        output.note(f"WARNING {warning}", "bold yellow")

    # A client may never read what we say on the side, and a full pipe would stop us.
    level = settings.log_level if "log_level" in settings.model_fields_set else "warning"

    async def served() -> None:
        async with running_kernel(settings) as kernel:
            output.note(f"stockade: {line(kernel.settings)}")
            logs.configure(settings.log_format, level, mask=kernel.masker.value)
            shown = kernel.registry.chosen(settings.toolsets)
            await serve_stdio(kernel, local_principal(settings), shown)

    run(served)
