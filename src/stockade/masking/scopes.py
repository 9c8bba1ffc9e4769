"""Whom a secret belongs to: the server, a tenant or a session."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SERVER", "Scope", "of_session", "of_tenant"]


class Scope(NamedTuple):
    """Where a secret is looked for: only in what its owner is told."""

    kind: str
    id: str = ""


SERVER = Scope("server")
"""What the settings keep secret, looked for in everything."""


def of_tenant(tenant: str) -> Scope:
    """What the operator keeps for the agents of a tenant."""
    return Scope("tenant", tenant)


def of_session(session: str) -> Scope:
    """What was registered in a session, by its id."""
    return Scope("session", session)
