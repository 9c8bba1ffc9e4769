"""Whom a secret belongs to: the server, a tenant, a session of one, or a place in that."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SERVER", "Scope", "of_place", "of_session", "of_tenant"]


class Scope(NamedTuple):
    """Where a secret is looked for: in what its owner is told, and nobody else."""

    tenant: str = ""
    session: str = ""
    place: str = ""

    def covers(self, other: Scope) -> bool:
        """Whether this is the other, or what the other is a part of; a place is a part of none."""
        whole = bool(self.tenant) and self == of_tenant(other.tenant)
        return self == other or (whole and not other.place)


SERVER = Scope()
"""What the settings keep secret, looked for in everything."""


def of_tenant(tenant: str) -> Scope:
    """What the operator keeps for the agents of a tenant, and what its sessions have."""
    return Scope(tenant)


def of_session(tenant: str, session: str) -> Scope:
    """What was registered in a session, by its id; it goes with the session."""
    return Scope(tenant, session)


def of_place(tenant: str, session: str, origin: str) -> Scope:
    """What was filled in at an origin in a session: looked for in what comes from there alone.

    Without an origin, it is looked for in our own records and nowhere else.
    """
    return Scope(tenant, session, origin or "-")
