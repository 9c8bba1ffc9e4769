"""Options that several commands take, and the settings they make."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stockade.cli import completion

if TYPE_CHECKING:
    from stockade.config import Settings

__all__ = [
    "Allow",
    "BlockedOrigins",
    "Capabilities",
    "Dev",
    "Isolation",
    "Origins",
    "Toolsets",
    "WorkspacePath",
    "is_default",
    "settings",
]

WorkspacePath = Annotated[
    Path | None,
    typer.Option("--workspace", help="Where everything is kept.", metavar="DIRECTORY"),
]
Isolation = Annotated[
    str | None,
    typer.Option(
        "--isolation",
        help="One browser for all sessions (shared), or one for each (process).",
        metavar="LEVEL",
        autocompletion=completion.isolations,
    ),
]
Capabilities = Annotated[
    str | None,
    typer.Option(
        "--capabilities",
        help="The switches that are on, as in default,file-io.",
        metavar="NAME,…",
        autocompletion=completion.capabilities,
    ),
]
Origins = Annotated[
    str | None,
    typer.Option(
        "--allowed-origins", help="The only pages that may be opened.", metavar="ORIGIN,…"
    ),
]
BlockedOrigins = Annotated[
    str | None,
    typer.Option("--blocked-origins", help="Pages that may not be opened.", metavar="ORIGIN,…"),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        help="A host that pages may reach although it is local or on an unusual port: "
        "localhost:3000, 10.0.0.7:*. Can be given several times.",
        metavar="HOST:PORT",
    ),
]
Dev = Annotated[
    bool,
    typer.Option("--dev", help="Let pages reach the ports that listen on loopback at start."),
]
Toolsets = Annotated[
    str | None,
    typer.Option(
        "--toolsets",
        help="The tools a client is shown: core, others by name, or all.",
        metavar="NAME,…",
        autocompletion=completion.toolsets,
    ),
]


def settings(*, allow: Sequence[str] | None = None, dev: bool = False, **given: Any) -> Settings:
    """The settings, with what the command line says on top; what it allows is added to them."""
    from stockade.config import load

    chosen = load(**given)
    opened = list(allow or ())
    if dev:
        from stockade.cli.loopback import exceptions, listening
        from stockade.urls import parse

        # A page that got there would have the browser behind it.
        debugging = parse(chosen.attach_cdp).port if chosen.attach_cdp else None
        opened += exceptions(port for port in listening() if port != debugging)
    if not opened:
        return chosen
    return load(egress_allow=[*chosen.egress_allow, *opened], **given)


def is_default(chosen: Settings) -> bool:
    """Whether the workspace is the one that is used when nobody names another."""
    usual: Path = type(chosen).model_fields["workspace"].default
    return chosen.workspace == usual.expanduser()
