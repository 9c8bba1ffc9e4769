"""Standing approvals: what an operator has agreed to beforehand, for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from stockade.policy.principal import Principal, Role

__all__ = ["Grant", "Standing"]

_MOST = 500


@dataclass(eq=False)
class Grant:
    """One rule of `confirm_required` that need not be asked about."""

    scope: str
    tenant: str
    session: str
    """The session's id; empty for all of the tenant."""
    by: Principal
    until: float
    granted_at: float = field(default_factory=time.time)
    seconds: float = 0.0
    uses: int = 0


class Standing:
    """The grants that hold, by a clock that nobody can set."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._grants: list[Grant] = []

    def add(
        self, by: Principal, scopes: Iterable[str], session: str, seconds: float
    ) -> list[Grant]:
        """Agree to something; what was agreed to before for the same is replaced."""
        made = [
            Grant(scope, by.tenant, session, by, self._clock() + seconds, seconds=seconds)
            for scope in dict.fromkeys(scopes)
        ]
        new = {(each.scope, each.tenant, each.session, each.by.id) for each in made}
        kept = [
            each
            for each in self._valid()
            if (each.scope, each.tenant, each.session, each.by.id) not in new
        ]
        self._grants = [*kept, *made][-_MOST:]
        return made

    def covers(self, scopes: Iterable[str], caller: Principal, session: str) -> bool:
        """Whether all of that was agreed to; each grant that is needed counts one use."""
        found = [self._one(scope, caller, session) for scope in scopes]
        needed = [each for each in found if each is not None]
        if not found or len(needed) < len(found):
            return False
        for each in needed:
            each.uses += 1
        return True

    def _one(self, scope: str, caller: Principal, session: str) -> Grant | None:
        for each in self._valid():
            own = each.by.id == caller.id and not caller.has_role(Role.ADMIN)
            fits = each.scope == scope and each.tenant == caller.tenant
            if fits and each.session in {"", session} and not own:
                return each
        return None

    def listed(self, principal: Principal) -> list[tuple[Grant, float]]:
        """The grants of a tenant, each with the seconds it has left."""
        now = self._clock()
        return [
            (each, each.until - now) for each in self._valid() if each.tenant == principal.tenant
        ]

    def forget(self, session: str) -> None:
        """A session is over."""
        self._grants = [each for each in self._grants if each.session != session]

    def _valid(self) -> list[Grant]:
        now = self._clock()
        return [each for each in self._grants if now < each.until]
