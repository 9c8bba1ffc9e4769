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
    allow: options.Allow = None,
    dev: options.Dev = False,
    isolation: options.Isolation = None,
    no_auth: Annotated[
        bool,
        typer.Option(
            "--no-auth", help="Callers without a token are agents; on loopback addresses only."
        ),
    ] = False,
    compat: Annotated[
        bool,
        typer.Option(
            "--compat",
            help="Serve the tab API as camofox-browser does: open on loopback, its features on.",
        ),
    ] = False,
    log_format: Annotated[
        str | None,
        typer.Option(
            "--log-format",
            help="Log lines as json or text; with json, everything that is printed is JSON.",
            metavar="FORMAT",
        ),
    ] = None,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Run the server until it is told to stop."""
    from stockade import server

    settings = options.settings(
        allow=allow,
        dev=dev,
        host=host,
        port=port,
        capabilities=capabilities,
        toolsets=toolsets,
        allowed_origins=allowed_origins,
        blocked_origins=blocked_origins,
        isolation=isolation,
        compat=compat or None,
        log_format=log_format,
        workspace=workspace,
    )

    def ready(now: Ready) -> None:
        # So that both streams together can be read as one.
        if json or settings.log_format == "json":
            _tell_programs(now, now.settings, no_auth=no_auth)
        else:
            _tell_people(now, now.settings, no_auth=no_auth)
            if dev:
                _tell_of_dev(settings)

    server.run(settings, no_auth=no_auth, ready=ready)


def _tell_of_dev(settings: Settings) -> None:
    """Which ports `--dev` has opened."""
    places = [each for each in settings.egress_allow if each.startswith("localhost:")]
    output.say(f"--dev lets pages reach {', '.join(places) or 'nothing: no port listens here'}")


def _tell_programs(now: Ready, settings: Settings, *, no_auth: bool) -> None:
    import os

    from stockade.cli.posture import posture, unused, warnings
    from stockade.telemetry.logs import get_logger

    loud = [*([now.trouble] if now.trouble else []), *warnings(settings, no_auth=no_auth)]
    for warning in loud:
        # On the error stream, in the form of everything else there.
        get_logger("stockade.posture").warning(warning)
    output.print_json(
        {
            "url": now.url,
            "mcp_url": f"{now.url}/mcp",
            "login_url": now.login_url,
            "token_file": str(now.token_file),
            "pid": os.getpid(),
            "ready": not now.trouble,
            "compat": settings.by_compat if settings.compat else None,
            "posture": posture(settings),
            "warnings": loud,
            "unused": unused(settings),
        }
    )


def _tell_people(now: Ready, settings: Settings, *, no_auth: bool) -> None:
    from stockade.cli.clients import CLIENTS, snippet, stdio_entry
    from stockade.cli.installed import Installation
    from stockade.cli.posture import line, unused, warnings
    from stockade.config import environment

    place = None if options.is_default(settings) else settings.workspace.resolve()
    token = f"a token: `stockade keys create NAME` makes one; the admin's is in {now.token_file}"
    if now.trouble:
        output.say(f"Stockade listens at {now.url}, and no session can be opened", "bold red")
    else:
        output.say(f"Stockade is ready at {now.url}", "bold green")
    output.say(f"Log in once with   {now.login_url}")
    output.say()
    output.say("An MCP client that starts its servers takes this (`stockade init` writes it):")
    here = Installation(environment=environment())
    output.say(snippet(CLIENTS[0], stdio_entry(place, installation=here)), "cyan")
    output.say(f"Over HTTP it takes {now.url}/mcp with {'no token' if no_auth else token}")
    output.say()
    if settings.compat:
        _tell_of_compat(now, settings)
    output.say(f"Posture: {line(settings)}")
    if now.trouble:
        output.note(f"PROBLEM {now.trouble}", "bold red")
    for warning in warnings(settings, no_auth=no_auth):
        output.note(f"WARNING {warning}", "bold yellow")
    for note in unused(settings):
        output.say(f"Note: {note}")


def _tell_of_compat(now: Ready, settings: Settings) -> None:
    """What serving the tab API as its original does has turned on."""
    said = ", ".join(f"{name}={value}" for name, value in settings.by_compat.items())
    output.say(f"The tab API of camofox-browser is at {now.url}")
    output.say(f"--compat has set    {said or 'nothing: you have set all of it yourself'}")
    if settings.access_key:
        output.say("Its routes are open to who has the access key, or a token")
    elif not now.loopback:
        output.say("Its routes need a token: this server can be reached from other machines")
    output.say()
