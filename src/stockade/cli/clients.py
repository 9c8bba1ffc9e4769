"""MCP clients: where each keeps its servers, and in what shape."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from stockade.cli import toml
from stockade.cli.installed import Installation
from stockade.errors import InvalidArgument

__all__ = ["CLIENTS", "NAME", "Client", "Places", "client", "snippet", "stdio_entry"]

NAME = "stockade"
"""What the server is called in every client's file."""


@dataclass(frozen=True)
class Places:
    """Where clients look for their files."""

    project: Path
    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    platform: str = sys.platform

    @property
    def settings(self) -> Path:
        """Where programs keep their settings on this system."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.xdg

    @property
    def xdg(self) -> Path:
        """The settings directory of Unix programs."""
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")


@dataclass(frozen=True)
class Client:
    """A program that speaks MCP."""

    name: str
    title: str
    place: Callable[[Places], Path]
    container: str = "mcpServers"
    """The table of servers in its file."""
    format: Literal["json", "toml"] = "json"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def entry(self, stdio: Mapping[str, Any]) -> dict[str, Any]:
        """Our server as this client wants to read of it."""
        return {**self.extra, **stdio}


CLIENTS = (
    Client("claude-code", "Claude Code", lambda at: at.project / ".mcp.json"),
    Client(
        "claude-desktop",
        "Claude Desktop",
        lambda at: at.settings / "Claude" / "claude_desktop_config.json",
    ),
    Client(
        "codex",
        "Codex",
        lambda at: Path(at.environment.get("CODEX_HOME") or at.home / ".codex") / "config.toml",
        container="mcp_servers",
        format="toml",
    ),
    Client("cursor", "Cursor", lambda at: at.home / ".cursor" / "mcp.json"),
    Client("gemini", "Gemini CLI", lambda at: at.home / ".gemini" / "settings.json"),
    Client(
        "vscode",
        "VS Code",
        lambda at: at.project / ".vscode" / "mcp.json",
        container="servers",
        extra={"type": "stdio"},
    ),
    Client(
        "windsurf", "Windsurf", lambda at: at.home / ".codeium" / "windsurf" / "mcp_config.json"
    ),
    Client(
        "zed",
        "Zed",
        lambda at: (
            (at.home / ".config" if at.platform == "darwin" else at.xdg) / "zed" / "settings.json"
        ),
        container="context_servers",
    ),
)


def client(name: str) -> Client:
    """The client of that name."""
    known = {each.name: each for each in CLIENTS}
    found = known.get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name.lower()[:40], known, n=1)
        raise InvalidArgument(
            f"{name[:40]!r} is not a client that init knows",
            hint=f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}.",
        )
    return found


def stdio_entry(
    workspace: Path | None = None,
    arguments: tuple[str, ...] = (),
    *,
    installation: Installation | None = None,
) -> dict[str, Any]:
    """How a client starts us: this very installation, or what keeps it."""
    command = (installation or Installation()).command
    entry: dict[str, Any] = {"command": command[0], "args": [*command[1:], "mcp", *arguments]}
    if workspace is not None:
        entry["env"] = {"STOCKADE_WORKSPACE": str(workspace)}
    return entry


def snippet(which: Client, stdio: Mapping[str, Any]) -> str:
    """What to paste into the client's file."""
    entry = which.entry(stdio)
    if which.format == "toml":
        return toml.table_text((which.container, NAME), entry)
    return json.dumps({which.container: {NAME: entry}}, ensure_ascii=False, indent=2)
