"""`stockade approvals`: what agents wait for, and the answers."""

from __future__ import annotations

import json as json_module
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stockade.cli import options, output
from stockade.errors import SetupError

if TYPE_CHECKING:
    from stockade.cli.remote import Server

__all__ = ["app"]

app = typer.Typer(
    help="See what agents wait for a person with, and say yes or no.", no_args_is_help=True
)

_LOOK_SECONDS = 1.0

_Id = Annotated[str, typer.Argument(help="The id of a question.", metavar="ID")]
_Note = Annotated[str, typer.Option("--note", help="Told to the agent.", metavar="TEXT")]


@app.command("list")
def list_(
    every: Annotated[bool, typer.Option("--all", help="Also those that are decided.")] = False,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """List what waits for a person."""
    found = _server(workspace).approvals(None if every else "pending")
    if json:
        output.print_json({"approvals": found})
        return
    output.print_table(
        ("id", "state", "session", "what", "where", "left"), [_row(each) for each in found]
    )


@app.command()
def show(
    approval: _Id,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Write the picture here.", metavar="FILE")
    ] = None,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Show exactly what would happen."""
    told = _server(workspace).approval(approval)
    image = told.pop("image", None)
    if picture is not None and image is not None:
        import base64

        picture.write_bytes(base64.b64decode(image["data"]))
    if json:
        output.print_json(told)
        return
    _describe(told["approval"])


@app.command()
def approve(
    approval: _Id,
    note: _Note = "",
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Say yes, to exactly that and once."""
    _decide(workspace, approval, {"decision": "approve", "note": note}, json=json)


@app.command()
def deny(
    approval: _Id,
    note: _Note = "",
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Say no."""
    _decide(workspace, approval, {"decision": "deny", "note": note}, json=json)


@app.command()
def answer(
    approval: _Id,
    value: Annotated[str, typer.Argument(help="The answer: a text, or one of the choices.")],
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Answer what an agent asks with await_human."""
    _decide(workspace, approval, {"decision": "answer", "value": value}, json=json)


@app.command()
def watch(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """Show every question as it is asked, until it is interrupted."""
    server = _server(workspace)
    shown: set[str] = set()
    try:
        while True:
            for each in server.approvals("pending"):
                if each["id"] not in shown:
                    shown.add(each["id"])
                    if json:
                        output.print_json(each)
                    else:
                        _describe(each)
            time.sleep(_LOOK_SECONDS)
    except KeyboardInterrupt:
        return


def _decide(workspace: Path | None, approval: str, decision: dict[str, Any], *, json: bool) -> None:
    told = _server(workspace).decide(approval, decision)
    if json:
        output.print_json(told)
    else:
        output.say(f"{approval} is {told['approval']['state']}")


def _row(told: dict[str, Any]) -> tuple[str, ...]:
    left = f"{told['expiresInMs'] // 1000} s" if told["state"] == "pending" else ""
    what = told.get("target", {}).get("described") or told.get("prompt") or ""
    return (
        told["id"],
        told["state"],
        told.get("session", ""),
        f"{told.get('tool', told['kind'])} {what}".strip(),
        told.get("origin", ""),
        left,
    )


def _describe(told: dict[str, Any]) -> None:
    output.say(f"{told['id']}  {told.get('tool', told['kind'])}  {told['state']}", "bold")
    target = told.get("target", {})
    form = told.get("form")
    lines = {
        "session": told.get("session"),
        "asked by": told["askedBy"],
        "because of": ", ".join(told.get("rules", ())),
        "it says": told.get("prompt"),
        "choices": ", ".join(told.get("choices", ())),
        "where": told.get("origin"),
        "in a page of": told.get("within"),
        "on what": target.get("described"),
        "goes to": target.get("goesTo"),
        "covered by": target.get("covered"),
        "sends": f"{form['method'].upper()} {form['action']}" if form else None,
        **{f"  {each['name']}": each["value"] for each in (form or {}).get("fields", ())},
        "with": json_module.dumps(told["arguments"], ensure_ascii=False)
        if told.get("arguments")
        else None,
        "answered by": told.get("answeredBy"),
        "left": f"{told['expiresInMs'] // 1000} s" if told["state"] == "pending" else None,
    }
    for name, value in lines.items():
        if value:
            output.say(f"  {name}: {output.safe(str(value))}")


def _server(workspace: Path | None) -> Server:
    from stockade.cli.remote import Server

    server = Server.find(options.settings(workspace=workspace).workspace)
    if server is None:
        raise SetupError("no server runs on this workspace", hint="Start one: stockade serve")
    return server
