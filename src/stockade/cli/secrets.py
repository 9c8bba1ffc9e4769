"""`stockade secrets`: values that agents use by name and never see."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stockade.cli import options, output
from stockade.errors import InvalidArgument, SetupError

if TYPE_CHECKING:
    from stockade.cli.remote import Server

__all__ = ["app"]

app = typer.Typer(help="Keep secrets that agents use by name and never see.", no_args_is_help=True)

_Name = Annotated[str, typer.Argument(help="What agents call it: LETTERS_AND_1.", metavar="NAME")]


@app.command("set")
def set_(
    name: _Name,
    origins: Annotated[
        list[str],
        typer.Option(
            "--origin",
            help="A site it may be filled in at, as in https://example.com; several times.",
            metavar="ORIGIN",
        ),
    ],
    fields: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            help="The name or label of a field it is for, beside those for passwords and codes; "
            "several times.",
            metavar="FIELD",
        ),
    ] = None,
    totp: Annotated[
        bool,
        typer.Option(
            "--totp", help="The value is the seed of one-time codes; the code is filled in."
        ),
    ] = False,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Keep a secret. Its value is asked for, or read from standard input; never an argument."""
    value = _value()
    told = _server(workspace).put_secret(name, value, origins, fields or (), totp=totp)
    if json:
        output.print_json(told)
        return
    where = ", ".join(told["secret"]["origins"])
    output.note(f"<{name}> can be filled in at {where}")


@app.command("list")
def list_(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """List the names, and where each may be filled in."""
    found = _server(workspace).secrets()
    if json:
        output.print_json({"secrets": found})
        return
    output.print_table(
        ("name", "origins"), [(each["name"], ", ".join(each["origins"])) for each in found]
    )


@app.command()
def remove(name: _Name, workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """Let nobody use a secret any more."""
    told = _server(workspace).remove_secret(name)
    if json:
        output.print_json(told)
        return
    output.note(f"<{name}> is gone")


def _value() -> str:
    if sys.stdin.isatty():
        value: str = typer.prompt("Value", hide_input=True, confirmation_prompt=True)
        return value
    value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    if not value:
        raise InvalidArgument("there is no value on standard input", hint="Pipe it in.")
    return value


def _server(workspace: Path | None) -> Server:
    from stockade.cli.remote import Server

    found = Server.find(options.settings(workspace=workspace).workspace)
    if found is None:
        raise SetupError("no server runs on this workspace", hint="Start one: stockade serve")
    return found
