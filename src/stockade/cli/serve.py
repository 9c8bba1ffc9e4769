"""`stockade serve`: the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stockade.cli import options, output

if TYPE_CHECKING:
    from stockade.config import Settings
    from stockade.server import Ready

__all__ = ["serve"]


def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="The address to listen on.", metavar="ADDRESS")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", help="The port; 0 takes a free one.", metavar="NUMBER")
    ] = None,
    capabilities: options.Capabilities = None,
    toolsets: options.Toolsets = None,
    allowed_origins: options.Origins = None,
    blocked_origins: options.BlockedOrigins = None,
    isolation: options.Isolation = None,
    no_auth: Annotated[
        bool,
        typer.Option(
            "--no-auth", help="Callers without a token are agents; on loopback addresses only."
        ),
    ] = False,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Run the server until it is told to stop."""
    from stockade import server

    settings = options.settings(
        host=host,
        port=port,
        capabilities=capabilities,
        toolsets=toolsets,
        allowed_origins=allowed_origins,
        blocked_origins=blocked_origins,
        isolation=isolation,
        workspace=workspace,
    )

    def ready(now: Ready) -> None:
        if json:
            _tell_programs(now, settings)
        else:
            _tell_people(now, settings, no_auth=no_auth)

    server.run(settings, no_auth=no_auth, ready=ready)


def _tell_programs(now: Ready, settings: Settings) -> None:
    import os

    from stockade.cli.posture import posture, warnings
    from stockade.config import environment, unknown_variables

    output.print_json(
        {
            "url": now.url,
            "mcp_url": f"{now.url}/mcp",
            "login_url": now.login_url,
            "token_file": str(now.token_file),
            "pid": os.getpid(),
            "posture": posture(settings),
            "warnings": warnings(settings),
            "unused": unknown_variables(environment()),
        }
    )


def _tell_people(now: Ready, settings: Settings, *, no_auth: bool) -> None:
    from stockade.cli.clients import CLIENTS, snippet, stdio_entry
    from stockade.cli.posture import line, warnings
    from stockade.config import environment, unknown_variables

    place = None if options.is_default(settings) else settings.workspace.resolve()
    token = f"a token: `stockade keys create NAME` makes one; the admin's is in {now.token_file}"
    output.say(f"Stockade is ready at {now.url}", "bold green")
    output.say(f"Log in once with   {now.login_url}")
    output.say()
    output.say("An MCP client that starts its servers takes this (`stockade init` writes it):")
    output.say(snippet(CLIENTS[0], stdio_entry(place)), "cyan")
    output.say(f"Over HTTP it takes {now.url}/mcp with {'no token' if no_auth else token}")
    output.say()
    output.say(f"Posture: {line(settings)}")
    if no_auth:
        output.say(
            "WARNING no token is asked for: every program on this machine is an agent",
            "bold yellow",
        )
    for warning in warnings(settings):
        output.say(f"WARNING {warning}", "bold yellow")
    for unused in unknown_variables(environment()):
        output.say(f"Note: {unused}")
