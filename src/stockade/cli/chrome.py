"""`stockade chrome`: a browser with a debugging port, for sessions that attach to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stockade.cli import options, output
from stockade.errors import Conflict, SetupError

if TYPE_CHECKING:
    from stockade.config import Settings
    from stockade.engines.cdp.standing import Standing
    from stockade.scratch import Scratch
    from stockade.workspace import Workspace

__all__ = ["app"]

app = typer.Typer(
    help="Start, stop and look at a browser that sessions attach to.", no_args_is_help=True
)

_RECORD = "chrome.json"
_WINDOWS = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR")
_OPEN = (
    "every program of this machine can drive that browser while it runs: log in to nothing in it "
    "that matters"
)


@app.command()
def start(
    port: Annotated[
        int,
        typer.Option("--port", help="The debugging port; 0 takes a free one.", min=0, max=65535),
    ] = 9222,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Without the same-origin rule.")
    ] = False,
    headless: Annotated[
        bool, typer.Option("--headless", help="Without a window, as where there is no screen.")
    ] = False,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Start a browser with a debugging port on loopback and a profile of its own."""
    settings, place = _place(workspace)
    running = _found(place)
    if running is not None:
        raise Conflict(
            f"a browser runs already, at {running.address}",
            hint="Stop it first: stockade chrome stop",
        )
    _check_free(port)
    standing = _started(settings, place, port=port, insecure=insecure, headless=headless)
    if json:
        output.print_json(_shown(standing))
    else:
        _tell(standing)
    for warning in _warnings(standing):
        output.note(f"WARNING {warning}", "bold yellow")


@app.command()
def stop(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """Stop the browser that `start` started."""
    from stockade.scratch import sweep

    _, place = _place(workspace)
    running = _found(place)
    if running is not None:
        running.stop()
        # A throw-away profile is nobody's from now on.
        sweep(Path(running.profile).parent)
    place.remove(_RECORD)
    if json:
        output.print_json({"stopped": running is not None})
    else:
        output.say("the browser is stopped" if running is not None else "no browser runs")


@app.command()
def status(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """Say whether it runs, and where; the exit code is 1 if it does not."""
    _, place = _place(workspace)
    running = _found(place)
    if json:
        output.print_json(_shown(running))
    elif running is not None:
        _tell(running)
    else:
        output.say("no browser runs")
    if running is None:
        raise typer.Exit(1)


def _place(workspace: Path | None) -> tuple[Settings, Workspace]:
    from stockade.workspace import Workspace

    settings = options.settings(workspace=workspace)
    return settings, Workspace.open(settings.workspace)


def _found(place: Workspace) -> Standing | None:
    """The browser that was started here, if it still runs."""
    import json

    from stockade.engines.cdp.standing import Standing

    try:
        standing = Standing.told(json.loads(place.read(_RECORD) or b"{}"))
    except (ValueError, KeyError, TypeError):
        return None
    return standing if standing.alive else None


def _check_free(port: int) -> None:
    import socket

    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            raise SetupError(
                f"port {port} is taken", hint="Choose another with --port, or 0 for a free one."
            ) from None


def _started(
    settings: Settings, place: Workspace, *, port: int, insecure: bool, headless: bool
) -> Standing:
    import asyncio
    import json
    import os

    from stockade.config import environment
    from stockade.engines.cdp.launch import find_full_binary, is_headless_shell
    from stockade.engines.cdp.standing import start

    binary = settings.chromium
    if binary is None or is_headless_shell(binary):
        binary = find_full_binary()
    screen = {name: value for name in _WINDOWS if (value := environment().get(name))}
    window = not headless and bool(screen.keys() & {"DISPLAY", "WAYLAND_DISPLAY"})
    # As root it runs as somebody else, who keeps nothing here; the profile goes with it then.
    scratch = _throw_away(settings, place) if os.geteuid() == 0 else None
    profile = scratch.path if scratch is not None else place.directory("chrome")
    try:
        standing = asyncio.run(
            start(
                binary,
                profile,
                port=port,
                uid=settings.browser_uid,
                insecure=insecure,
                headless=not window,
                environment=screen if window else {},
                hold=scratch.descriptor if scratch is not None else None,
            )
        )
    except BaseException:
        if scratch is not None:
            scratch.remove()
        raise
    place.write(_RECORD, json.dumps(standing.facts).encode())
    return standing


def _throw_away(settings: Settings, place: Workspace) -> Scratch:
    import asyncio

    from stockade.scratch import Scratch, reaches

    under = place.scratch()
    reached = asyncio.run(reaches(settings.browser_uid, under))
    return Scratch(settings.browser_uid, under if reached else None)


def _shown(standing: Standing | None) -> dict[str, Any]:
    if standing is None:
        return {"running": False}
    return {"running": True, "address": standing.address, **standing.facts}


def _tell(standing: Standing) -> None:
    output.say(f"A browser listens at {standing.address} (pid {standing.pid})", "bold green")
    output.say("To let agents attach to it, start the server with")
    output.say(f"  STOCKADE_ATTACH_CDP={standing.address}", "cyan")
    output.say("  STOCKADE_CAPABILITIES=default,byob-attach", "cyan")


def _warnings(standing: Standing) -> list[str]:
    from stockade.policy.capabilities import INSECURE

    return [_OPEN, *([f"--insecure: {INSECURE}"] if standing.insecure else [])]
