"""Who calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from stockade.errors import RoleRequired
from stockade.policy.policy import Policy

__all__ = ["LOCAL_TENANT", "Principal", "Role"]

LOCAL_TENANT = "local"


class Role(StrEnum):
    """What a key is for, each including the ones before it."""

    AGENT = "agent"
    OPERATOR = "operator"
    ADMIN = "admin"


_ORDER = list(Role)


@dataclass(frozen=True)
class Principal:
    """A caller, as its key says."""

    id: str
    tenant: str = LOCAL_TENANT
    role: Role = Role.AGENT
    policy: Policy = field(default_factory=Policy)
    client: str = ""
    """Which of several programs with the same key; each has sessions of its own."""
    name: str = ""
    nearby: bool = False
    """Runs on this machine as this user, so that paths mean something to it."""

    def has_role(self, role: Role) -> bool:
        """Whether the caller is at least that."""
        return _ORDER.index(self.role) >= _ORDER.index(role)

    def require(self, role: Role, what: str) -> None:
        """Refuse a caller below `role`."""
        if not self.has_role(role):
            raise RoleRequired(f"{what} is for the role {role}", required=str(role))
