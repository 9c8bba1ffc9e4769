"""`stockade call`: one tool call from the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stockade.cli import completion, options, output
from stockade.errors import InvalidArgument

if TYPE_CHECKING:
    from stockade.cli.outcome import Outcome
    from stockade.cli.remote import Server
    from stockade.config import Settings
    from stockade.kernel.registry import Registry
    from stockade.kernel.tool import Tool

__all__ = ["call"]


def call(
    context: typer.Context,
    tool: Annotated[
        str | None,
        typer.Argument(help="The name of a tool.", autocompletion=completion.tools),
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE", help="Its arguments; - reads JSON from the input."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            help="The session to work in (default: default).",
            metavar="NAME",
            autocompletion=completion.sessions,
        ),
    ] = None,
    args: Annotated[
        str | None, typer.Option("--args", help="The arguments as a JSON object.", metavar="JSON")
    ] = None,
    image: Annotated[
        Path | None,
        typer.Option("--image", help="Where to write the picture of the result.", metavar="FILE"),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the tools there are.")] = False,
    help_: Annotated[
        bool, typer.Option("-h", "--help", help="Show this, or what the named tool takes.")
    ] = False,
    allow: options.Allow = None,
    dev: options.Dev = False,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Call a tool and print what it gives.

    Uses the server that runs on the workspace; without one, a browser is started for this call
    alone. As in: stockade call navigate url=https://example.com
    """
    if list_ or (help_ and tool is not None):
        from stockade.tools import registry

        if list_:
            _list(registry(), json=json)
        else:
            _describe(registry().find(tool or ""), json=json)
    elif help_:
        typer.echo(context.get_help())
    elif tool is None:
        raise InvalidArgument("name a tool", hint="`stockade call --list` shows what there is.")
    else:
        settings = options.settings(allow=allow, dev=dev, workspace=workspace)
        outcome = _called(settings, tool, words or [], args, session)
        _show(settings, outcome, image, json=json)
        if outcome.exit:
            raise typer.Exit(outcome.exit)


def _called(
    settings: Settings, tool: str, words: list[str], args: str | None, session: str | None
) -> Outcome:
    from stockade.cli.arguments import parse_json
    from stockade.cli.remote import Server

    given = parse_json(args) if args is not None else {}
    if "-" in words:
        given |= parse_json(sys.stdin.read())
        words = [word for word in words if word != "-"]
    server = Server.find(settings.workspace)
    if server is not None:
        return _on_server(server, tool, words, given, session)
    output.note("stockade: no server runs on this workspace; this call has a browser of its own")
    return _alone(settings, tool, words, given, session)


def _on_server(
    server: Server, tool: str, words: list[str], given: dict[str, Any], session: str | None
) -> Outcome:
    from stockade.cli.arguments import parse_words
    from stockade.cli.outcome import Outcome

    schema = server.schema(tool) if words else None
    if schema is not None:
        given |= parse_words(tool, schema, words)
    # A tool that is not among ours is refused by the server, which knows why.
    named = session or str(given.pop("session", "default"))
    return Outcome.told(server.call(named, tool, given))


def _alone(
    settings: Settings, tool: str, words: list[str], given: dict[str, Any], session: str | None
) -> Outcome:
    from stockade.cli.arguments import parse_words
    from stockade.cli.describing import schema_of
    from stockade.cli.local import call_once
    from stockade.cli.outcome import Outcome
    from stockade.cli.running import run
    from stockade.telemetry import logs
    from stockade.tools import registry

    schema = schema_of(registry().find(tool))
    given |= parse_words(tool, schema, words)
    if session is not None and "session" in schema.get("properties", {}):
        given["session"] = session
    logs.configure(settings.log_format, "debug" if settings.log_level == "debug" else "warning")
    return Outcome.of(run(lambda: call_once(settings, tool, given)))


def _show(settings: Settings, outcome: Outcome, image: Path | None, *, json: bool) -> None:
    files = outcome.write_pictures(settings.workspace, image)
    if json:
        output.print_json(outcome.body | ({"images": files} if files else {}))
        return
    if outcome.exit and "error" in outcome.body:
        output.error(str(outcome.body["error"]), str(outcome.body.get("hint", "")))
    else:
        output.say(outcome.text)
    for file in files:
        output.say(file)


def _list(tools: Registry, *, json: bool) -> None:
    from stockade.cli.describing import first_sentence, schema_of

    if json:
        output.print_json(
            {
                "tools": [
                    {
                        "name": tool.name,
                        "toolset": tool.toolset,
                        "capability": tool.capability,
                        "description": tool.description,
                        "inputSchema": schema_of(tool),
                    }
                    for tool in tools
                ]
            }
        )
        return
    output.print_table(
        ("tool", "toolset", "capability", ""),
        [
            (tool.name, tool.toolset, tool.capability or "", first_sentence(tool.description))
            for tool in tools
        ],
    )


def _describe(tool: Tool, *, json: bool) -> None:
    from stockade.cli.describing import arguments_of, schema_of

    if json:
        output.print_json(
            {"name": tool.name, "description": tool.description, "inputSchema": schema_of(tool)}
        )
        return
    output.say(f"{tool.name}: {tool.description}")
    output.say()
    output.print_table(
        ("argument", "type", "default", ""),
        [
            (row.name, row.type, "required" if row.required else row.default, row.description)
            for row in arguments_of(tool)
        ],
    )
