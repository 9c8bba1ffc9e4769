"""Guesses: pieces of a secret that come up without the rest of it.

What is masked confirms a guess. A document that has a secret may tell parts of it by itself; parts
in what a caller gives, or in documents that were given none, are guesses, and many of them are too
many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from stockade.errors import SecretGuessed
from stockade.policy.principal import Principal
from stockade.sessions.secret_places import SecretPlaces
from stockade.sessions.session import Session
from stockade.telemetry.logs import get_logger

if TYPE_CHECKING:
    from stockade.kernel.call import Call
    from stockade.sessions.tab import Tab

__all__ = ["Guesses"]

_MOST: Final = 3
"""Different pieces of one secret that one caller may come upon."""

_log = get_logger("stockade.secrets")


@dataclass
class _Tried:
    pieces: set[str] = field(default_factory=set, repr=False)
    stopped: bool = False


class Guesses:
    """What each caller has come upon of each secret."""

    def __init__(self) -> None:
        self._tried: dict[tuple[str, str, str], _Tried] = {}

    def note(self, call: Call, pieces: Mapping[str, set[str]]) -> None:
        """Count pieces that a call holds or would show; too many of them are refused."""
        for name, found in pieces.items():
            tried = self._tried.setdefault(_key(call.session.owner, name), _Tried())
            tried.pieces |= found
            if len(tried.pieces) > _MOST and not tried.stopped:
                tried.stopped = True
                self._tell(call, name)
        self.check(call.session, call.tab_or_none)

    def check(self, session: Session, tab: Tab | None = None) -> None:
        """Refuse whatever might show more, whether it would or not: so a refusal tells nothing."""
        places = session.parts.of(SecretPlaces, SecretPlaces)
        for name in sorted(places.names_in(tab)):
            if self.has_stopped(session.owner, name):
                here = "this session" if name in places.names else "this site"
                raise SecretGuessed(
                    f"parts of <{name}> were tried out: {here} shows nothing any more",
                    hint="Other sites can be used in another session; the operator was told.",
                )

    def has_stopped(self, owner: Principal, name: str) -> bool:
        """Whether somebody has tried out too much of a secret."""
        tried = self._tried.get(_key(owner, name))
        return tried is not None and tried.stopped

    def forgive(self, tenant: str, name: str) -> None:
        """The operator keeps the secret anew: everybody begins anew."""
        for key in [each for each in self._tried if (each[0], each[2]) == (tenant, name)]:
            del self._tried[key]

    def _tell(self, call: Call, name: str) -> None:
        kernel, session = call.kernel, call.session
        kernel.metrics.guesses.inc()
        kernel.news.publish("secret.guessed", session.owner, session, secret=name, call=call.id)
        _log.warning(
            "parts of a secret were tried out; the session was stopped",
            secret=name,
            session=session.id,
            principal=session.owner.id,
            call=call.id,
        )


def _key(owner: Principal, name: str) -> tuple[str, str, str]:
    return owner.tenant, owner.id, name
