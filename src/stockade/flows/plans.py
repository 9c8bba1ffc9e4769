"""Plans: actions that are bound to an element now, to be carried out later or not at all.

What an agent is given is a copy; what is carried out is what was kept here.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from stockade.errors import InvalidArgument

__all__ = ["MEANS", "Plan", "Plans", "Verb", "check_arguments"]

Verb = Literal["click", "fill", "hover", "press", "select"]
MEANS: Final[dict[str, tuple[str, bool]]] = {
    "click": ("button", False),
    "fill": ("value", True),
    "hover": ("", False),
    "press": ("key", True),
    "select": ("values", True),
}
"""Each verb with what it takes, and whether it must be given."""

_MOST = 200


def check_arguments(verb: Verb, given: Mapping[str, Any]) -> None:
    """Refuse a plan that could not be carried out."""
    name, needed = MEANS[verb]
    if needed and name not in given:
        raise InvalidArgument(f"{verb} needs verbArgs.{name}")
    if strange := [each for each in given if each != name]:
        raise InvalidArgument(f"{verb} takes no verbArgs.{strange[0]}")


@dataclass(frozen=True)
class Plan:
    """An action on one element of one tab, for one caller."""

    id: str
    tab: str
    caller: str
    ref: str
    verb: Verb
    args: Mapping[str, Any]
    evidence: Mapping[str, Any]
    expires_at: int
    """Milliseconds of the epoch."""

    @property
    def expired(self) -> bool:
        """Whether it is too late for it."""
        return time.time() * 1000 >= self.expires_at

    def descriptor(self) -> dict[str, Any]:
        """What the agent is given."""
        return {
            "id": self.id,
            "ref": self.ref,
            "verb": self.verb,
            "args": dict(self.args),
            "evidence": dict(self.evidence),
            "expiresAt": self.expires_at,
        }


@dataclass
class Plans:
    """The plans of a session, the oldest of which make room; a part of the session."""

    _kept: OrderedDict[str, Plan] = field(default_factory=OrderedDict)

    def make(
        self,
        *,
        tab: str,
        caller: str,
        ref: str,
        verb: Verb,
        args: Mapping[str, Any],
        evidence: Mapping[str, Any],
        ttl_ms: int,
    ) -> Plan:
        """Keep a plan."""
        plan = Plan(
            id=f"plan_{secrets.token_hex(8)}",
            tab=tab,
            caller=caller,
            ref=ref,
            verb=verb,
            args=dict(args),
            evidence=dict(evidence),
            expires_at=int(time.time() * 1000) + ttl_ms,
        )
        self._kept[plan.id] = plan
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        return plan

    def find(self, id: object, caller: str) -> Plan | None:
        """The plan of that id, if it is the caller's."""
        plan = self._kept.get(id) if isinstance(id, str) else None
        return plan if plan is not None and plan.caller == caller else None

    def drop(self, plan: Plan) -> None:
        """Forget a plan that cannot be carried out any more."""
        self._kept.pop(plan.id, None)
