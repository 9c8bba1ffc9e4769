"""Secret requests: what carries a secret to another site does not leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stockade.engines.routing import HeldRequest
from stockade.errors import SecretRefused
from stockade.kernel.entry_list import body_of
from stockade.masking.masker import Masker
from stockade.masking.scopes import of_place, of_session, of_tenant
from stockade.sessions.session import Session
from stockade.sessions.taint import Taint
from stockade.telemetry.logs import get_logger
from stockade.urls import WEB_SCHEMES, origin_of

if TYPE_CHECKING:
    from stockade.kernel.secrets import Secrets

__all__ = ["SecretRequests", "Stopped"]

_log = get_logger("stockade.secrets")
_MOST_REMEMBERED: Final = 20
_WITHIN: Final = frozenset({"cookie", "content-type", "user-agent"})
"""Headers that are the browser's own, or its site's."""


@dataclass(frozen=True)
class Stopped:
    """A request that did not leave."""

    secret: str
    scope: str
    origin: str
    navigates: bool

    def error(self) -> SecretRefused:
        """What a caller is told whose input made a page try."""
        return SecretRefused(
            f"the page was about to send <{self.secret}>, which is for {self.scope}, to "
            f"{self.origin}; it was not sent",
            hint="Ask the operator, if it is right that this site gets it.",
        )


class SecretRequests:
    """Looks through what the pages of a session send, once a secret was filled in there."""

    def __init__(self, session: Session, masker: Masker, secrets: Secrets) -> None:
        self._session = session
        tenant = session.owner.tenant
        scopes = of_tenant(tenant), of_session(tenant, session.id)
        self._masker = masker.within(*scopes)
        self._with_codes = masker.within(
            *scopes, of_place(tenant, "", ""), of_place(tenant, session.id, "")
        )
        self._secrets = secrets
        self._stopped: list[Stopped] = []

    def stops(self, request: HeldRequest) -> bool:
        """Whether a request would carry a secret where it does not belong."""
        origin = origin_of(request.url)
        if request.url.partition(":")[0].lower() not in WEB_SCHEMES:
            return False
        found: set[str] = set()
        masker = self._with_codes if self._may_carry_code(request) else self._masker
        for text in _texts(request):
            found |= masker.names_in(text)
        for name in sorted(found):
            secret = self._secrets.find(self._session, name)
            if secret is not None and secret.origins and not secret.fits(origin):
                self._note(Stopped(name, secret.scope or "", origin, request.type == "Document"))
                return True
        return False

    def _may_carry_code(self, request: HeldRequest) -> bool:
        """Whether a page that was given a code sends it; anything else may be a caller's guess."""
        taint = self._session.parts.get(Taint)
        followed = request.type == "Document" and request.method == "GET"
        if taint is None or request.page is None or followed:
            return False
        return taint.reaches(request.page)

    def _note(self, stopped: Stopped) -> None:
        self._stopped = [*self._stopped, stopped][-_MOST_REMEMBERED:]
        _log.warning(
            "a request was stopped: it would have carried a secret to another site",
            session=self._session.id,
            secret=stopped.secret,
            origin=stopped.origin,
        )

    def taken(self) -> list[Stopped]:
        """What was stopped since this was asked last."""
        stopped, self._stopped = self._stopped, []
        return stopped


def _texts(request: HeldRequest) -> Iterator[str]:
    yield request.url
    for name, value in request.headers.items():
        if name.lower() not in _WITHIN:
            yield value
    body = body_of(request)
    if body:
        # Each byte as a character is what is left where it is no text.
        yield body.decode("utf-8", "replace")
        if b"\x00" in body:
            yield body.replace(b"\x00", b"").decode("utf-8", "replace")
