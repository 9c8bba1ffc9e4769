"""Whom a secret belongs to: the server, a tenant, or a session of one."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SERVER", "Scope", "of_session", "of_tenant"]


class Scope(NamedTuple):
    """Where a secret is looked for: in what its owner is told, and nobody else."""

    tenant: str = ""
    session: str = ""

    def covers(self, other: Scope) -> bool:
        """Whether this is the other, or what the other is a part of."""
        return self == other or (bool(self.tenant) and self == of_tenant(other.tenant))


SERVER = Scope()
"""What the settings keep secret, looked for in everything."""


def of_tenant(tenant: str) -> Scope:
    """What the operator keeps for the agents of a tenant, and what its sessions have."""
    return Scope(tenant)


def of_session(tenant: str, session: str) -> Scope:
    """What was registered in a session, by its id; it goes with the session."""
    return Scope(tenant, session)
