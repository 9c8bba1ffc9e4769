"""`stockade init`: tell an MCP client about this server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from stockade.cli import completion, options, output
from stockade.cli.clients import CLIENTS, Places, client, snippet, stdio_entry
from stockade.cli.installed import Installation
from stockade.errors import InvalidArgument

__all__ = ["init"]


def init(
    clients: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CLIENT]...",
            help="Which clients; without any, all that are known are listed.",
            autocompletion=completion.clients,
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Add the entry to the client's own file.")
    ] = False,
    print_: Annotated[
        bool, typer.Option("--print", help="Print what to paste (this is the default).")
    ] = False,
    workspace: options.WorkspacePath = None,
    toolsets: options.Toolsets = None,
    json: output.Json = False,
) -> None:
    """Tell an MCP client about this server.

    Prints the entry to paste, or adds it to the client's own file with --write.
    The file keeps everything else that is in it, comments included; what was there before is kept
    beside it. A file that cannot be read is not touched.
    """
    from stockade.cli.merging import merge
    from stockade.config import environment

    if write and not clients:
        raise InvalidArgument(
            "--write needs the name of a client", hint="As in: stockade init claude-code --write"
        )
    chosen = [client(name) for name in clients or []]
    settings = options.settings(workspace=workspace)
    places = Places(Path.cwd(), Path.home(), environment())
    here = Installation(environment=places.environment)
    stdio = stdio_entry(
        None if options.is_default(settings) else settings.workspace.resolve(),
        ("--toolsets", toolsets) if toolsets else (),
        installation=here,
    )
    if not here.lasts and stdio["command"].startswith(str(here.executable.parent)):
        output.note(f"WARNING {here.executable.parent} is a cache: install it elsewhere", "yellow")
    if not chosen:
        _list(places, stdio, json=json)
        return
    told = []
    for each in chosen:
        path = each.place(places)
        row: dict[str, Any] = {"client": each.name, "file": str(path), "entry": each.entry(stdio)}
        if write:
            merged = merge(each, path, stdio)
            row |= {"outcome": merged.outcome, "backup": str(merged.backup or "") or None}
            if not json:
                kept = f"; the old one is {merged.backup.name}" if merged.backup else ""
                output.say(f"{each.title}: {merged.path} {merged.outcome}{kept}", "green")
        if (print_ or not write) and not json:
            output.say(f"{each.title}: {path}", "bold")
            output.say(snippet(each, stdio))
        told.append(row)
    if json:
        output.print_json({"clients": told})


def _list(places: Places, stdio: dict[str, Any], *, json: bool) -> None:
    """Every client there is, and the entry most of them take."""
    if json:
        output.print_json(
            {
                "clients": [
                    {"client": each.name, "file": str(each.place(places))} for each in CLIENTS
                ],
                "entry": stdio,
            }
        )
        return
    output.print_table(
        ("client", "", "file"),
        [(each.name, each.title, str(each.place(places))) for each in CLIENTS],
    )
    output.say(snippet(CLIENTS[0], stdio))
    output.note("`stockade init CLIENT --write` adds it to the client's file.")
