"""What the shell offers when a word is half written."""

from __future__ import annotations

from collections.abc import Iterable

from stockade.errors import StockadeError

__all__ = ["capabilities", "clients", "isolations", "roles", "sessions", "tools", "toolsets"]


def _begun(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _listed(names: Iterable[str], incomplete: str) -> list[str]:
    """Names for the last part of a list with commas, without those it has."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [f"{before}{comma}{name}" for name in _begun(names, last) if name not in taken]


def clients(incomplete: str) -> list[str]:
    """MCP clients that `init` knows."""
    from stockade.cli.clients import CLIENTS

    return _begun((each.name for each in CLIENTS), incomplete)


def isolations(incomplete: str) -> list[str]:
    """Isolation levels."""
    from typing import get_args

    from stockade.config import Settings

    return _begun(get_args(Settings.model_fields["isolation"].annotation), incomplete)


def capabilities(incomplete: str) -> list[str]:
    """Capabilities, in a list."""
    from stockade.policy.capabilities import Capability

    return _listed(["default", "all", *Capability], incomplete)


def roles(incomplete: str) -> list[str]:
    """What a key can be for."""
    from stockade.policy.principal import Role

    return _begun(Role, incomplete)


def toolsets(incomplete: str) -> list[str]:
    """Toolsets, in a list."""
    from stockade.tools import registry

    return _listed([*registry().toolsets, "all"], incomplete)


def tools(incomplete: str) -> list[tuple[str, str]]:
    """Tools, each with its first sentence."""
    from stockade.cli.describing import first_sentence
    from stockade.tools import registry

    return [
        (tool.name, first_sentence(tool.description))
        for tool in registry()
        if tool.name.startswith(incomplete)
    ]


def sessions(incomplete: str) -> list[tuple[str, str]]:
    """Sessions that are open on the running server; none if it does not answer."""
    from stockade.cli.remote import Server
    from stockade.config import load

    try:
        server = Server.find(load().workspace)
        open_now = server.sessions(patience=1.0) if server is not None else []
    except StockadeError:
        return []
    return [
        (each["session_id"], f"{each['id']} {each.get('url') or ''}".strip())
        for each in open_now
        if each["session_id"].startswith(incomplete)
    ]
