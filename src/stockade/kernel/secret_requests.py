"""Secret requests: what carries a secret to another site does not leave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from stockade.engines.routing import HeldRequest
from stockade.errors import SecretRefused
from stockade.kernel.code_requests import CodeRequests
from stockade.kernel.entry_list import body_of
from stockade.masking.background import run_if_large
from stockade.masking.masker import Masker
from stockade.masking.scopes import of_place, of_session, of_tenant
from stockade.sessions.secrets import Secret
from stockade.sessions.session import Session
from stockade.telemetry.logs import get_logger
from stockade.urls import WEB_SCHEMES, origin_of

if TYPE_CHECKING:
    from stockade.kernel.secrets import Secrets

__all__ = ["SecretRequests", "Stopped"]

_log = get_logger("stockade.secrets")
_MOST_REMEMBERED: Final = 20
_LARGE: Final = 100_000
_FRAMES: Final = frozenset({"initialFrameNavigation", "scriptInitiated", "metaTagRefresh"})
"""Why scripts have frames show another document."""
_WITHIN: Final = frozenset({"cookie", "content-type", "user-agent"})
"""Headers that are the browser's own, or its site's."""


@dataclass(frozen=True)
class Stopped:
    """A request that did not leave."""

    secret: str
    scope: str
    origin: str
    told: bool
    """Whether a call that may have set it off is told."""
    by_document: bool = False
    """Whether it was stopped for what its document was given, whatever it carries itself."""

    def error(self) -> SecretRefused:
        """What a caller is told whose input made a page try."""
        if self.by_document:
            return SecretRefused(
                f"a document that was given <{self.secret}>, which is for {self.scope}, was about "
                f"to send something to {self.origin}; it was not sent",
                hint="Ask the operator, if it is right that this site gets it. Loaded anew, the "
                "page may send what has nothing to do with it.",
            )
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
        self._codes = CodeRequests(session, secrets)
        self._stopped: list[Stopped] = []
        self._looks: set[asyncio.Event] = set()
        """Navigations that are being looked at."""

    def stops(self, request: HeldRequest) -> bool | Callable[[], Awaitable[bool]]:
        """Whether a request would carry a secret where it does not belong.

        Where that takes longer than a moment, a function that finds out.
        """
        if request.url.partition(":")[0].lower() not in WEB_SCHEMES:
            return False
        code = self._codes.stopped(request)
        large = sum(map(len, request.pieces)) > _LARGE
        if large or callable(code):
            return partial(self._look, request, code)
        return self._note(request, code) or self._carries(request)

    async def _look(
        self, request: HeldRequest, code: Secret | Callable[[], Awaitable[Secret | None]] | None
    ) -> bool:
        with self._looking(request):
            if callable(code):
                code = await code()
            if self._note(request, code):
                return True
            size = sum(map(len, request.pieces))
            return await run_if_large(size, lambda: self._carries(request))

    @contextmanager
    def _looking(self, request: HeldRequest) -> Iterator[None]:
        """Whoever set off a navigation waits to hear of it."""
        if request.type != "Document":
            yield
            return
        done = asyncio.Event()
        self._looks.add(done)
        try:
            yield
        finally:
            self._looks.discard(done)
            done.set()

    def _carries(self, request: HeldRequest) -> bool:
        """Whether it holds the value of a secret that is not for where it goes."""
        found: set[str] = set()
        for text in _texts(request):
            found |= self._masker.names_in(text)
        short = self._codes.short_passwords(request)
        if short:
            for text in _texts(request):
                found |= self._with_codes.names_in(text) & short
        origin = origin_of(request.url)
        for name in sorted(found):
            secret = self._secrets.find(self._session, name)
            if secret is not None and secret.origins and not secret.fits(origin):
                return self._note(request, secret)
        return False

    def _note(self, request: HeldRequest, secret: Secret | None) -> bool:
        """Remember for which secret a request is stopped, if it is."""
        if secret is None:
            return False
        origin = origin_of(request.url)
        told = _is_told(request, secret)
        stopped = Stopped(secret.name, secret.scope or "", origin, told, secret.guessable)
        self._stopped = [*self._stopped, stopped][-_MOST_REMEMBERED:]
        _log.warning(
            "a request was stopped: it would have carried a secret to another site",
            session=self._session.id,
            secret=stopped.secret,
            origin=stopped.origin,
        )
        return True

    async def taken(self) -> list[Stopped]:
        """What was stopped since this was asked last."""
        for each in tuple(self._looks):
            await each.wait()
        stopped, self._stopped = self._stopped, []
        return stopped


def _is_told(request: HeldRequest, secret: Secret) -> bool:
    """Whether a caller may have wanted what was stopped: frames with some number have no say."""
    page = request.page
    if request.type != "Document" or page is None:
        return False
    return (
        not (secret.guessable and request.reason in _FRAMES) or page.main_frame.id == request.frame
    )


def _texts(request: HeldRequest) -> Iterator[str]:
    yield request.url + request.fragment
    for name, value in request.headers.items():
        if name.lower() not in _WITHIN:
            yield value
    body = body_of(request)
    if body:
        # Each byte as a character is what is left where it is no text.
        yield body.decode("utf-8", "replace")
        if b"\x00" in body:
            yield body.replace(b"\x00", b"").decode("utf-8", "replace")
