"""The application: its commands, and how a failure ends it."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from stockade.cli import (
    approvals,
    call,
    chrome,
    doctor,
    init,
    keys,
    mcp,
    output,
    secrets,
    serve,
    sessions,
)
from stockade.errors import SetupError, StockadeError

__all__ = ["app", "run"]

app = typer.Typer(
    name="stockade",
    help="A browser server for AI agents, with every session inside its own wall.",
    no_args_is_help=True,
    # Plain help starts in half the time, and a traceback must not show values of variables.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"stockade {version('stockade')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """A browser server for AI agents, with every session inside its own wall."""


app.command("serve")(serve.serve)
app.command("mcp")(mcp.mcp)
app.command("call", add_help_option=False)(call.call)
app.command("init")(init.init)
app.command("doctor")(doctor.doctor)
app.add_typer(keys.app, name="keys")
app.add_typer(chrome.app, name="chrome")
app.add_typer(sessions.app, name="sessions")
app.add_typer(approvals.app, name="approvals")
app.add_typer(secrets.app, name="secrets")


def run() -> None:
    """Run the command line; what goes wrong is one line, a hint and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Page text may hold characters that the terminal has not, or half of one.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="stockade")
    except StockadeError as failure:
        sys.exit(_reported(failure))
    except OSError as failure:
        where = f": {failure.filename}" if failure.filename else ""
        sys.exit(_reported(SetupError(f"{failure.strerror or failure}{where}")))


def _reported(failure: StockadeError) -> int:
    from stockade.kernel.codes import code_of, error_body

    if output.json_wanted():
        output.print_json(error_body(failure))
    else:
        output.error(failure.message, failure.hint)
    return code_of(failure).exit
