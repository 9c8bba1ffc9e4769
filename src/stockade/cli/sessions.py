"""`stockade sessions`: the sessions that are open on the running server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stockade.cli import completion, options, output
from stockade.errors import SetupError

if TYPE_CHECKING:
    from stockade.cli.remote import Server

__all__ = ["app"]

app = typer.Typer(help="List and close the sessions of the running server.", no_args_is_help=True)


@app.command("list")
def list_(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """List the open sessions of every client."""
    found = _server(workspace).sessions()
    if json:
        output.print_json({"sessions": found})
        return
    output.print_table(
        ("id", "name", "isolation", "tabs", "opened", "address"),
        [
            (
                str(each.get("session_id", "")),
                str(each.get("id", "")),
                str(each.get("isolation", "")),
                str(each.get("pages", "")),
                str(each.get("openedAt", "")),
                str(each.get("url") or ""),
            )
            for each in found
        ],
    )


@app.command()
def close(
    session: Annotated[
        str,
        typer.Argument(help="The name or the id of a session.", autocompletion=completion.sessions),
    ],
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Close a session with its tabs, cookies and storage."""
    told = _server(workspace).close(session)
    if json:
        output.print_json(told)
    else:
        output.say(f"session {session} is closed")


def _server(workspace: Path | None) -> Server:
    from stockade.cli.remote import Server

    server = Server.find(options.settings(workspace=workspace).workspace)
    if server is None:
        raise SetupError("no server runs on this workspace", hint="Start one: stockade serve")
    return server
