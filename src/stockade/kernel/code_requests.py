"""Code requests: what documents that were given a code send to other sites does not leave.

A code, a PIN or a short password is not looked for by its value: whether a request was stopped
would tell whoever had the page send candidates which of them it is. What counts is who sends a
request, why, and to where; and of a number that a script sends, how many digits it has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from stockade.engines.inside import Frame
from stockade.engines.routing import HeldRequest
from stockade.errors import DeadlineExceeded, EngineError
from stockade.kernel.entry_list import Entry, body_of, read_request
from stockade.kernel.opened_tabs import is_of_form, is_of_link, is_opening, pages_of
from stockade.masking.background import run_if_large
from stockade.masking.code_shapes import numbers_like
from stockade.sessions.secrets import Secret
from stockade.sessions.session import Session
from stockade.sessions.taint import Taint
from stockade.urls import WEB_SCHEMES, origin_of

if TYPE_CHECKING:
    from stockade.kernel.secrets import Secrets

__all__ = ["CodeRequests"]

_PATIENCE: Final = 2.0
_LARGE: Final = 100_000
_MOST_REMEMBERED: Final = 50
_SAFE: Final = frozenset({"GET", "HEAD"})
_FORM: Final = "formSubmission"
_FOLLOWED: Final = frozenset({"", "anchorClick", "reload"})
"""Reasons for navigations that a caller may have chosen the address of."""
_STANDARD: Final = ("accept", "content-", "cookie", "if-", "range", "sec-", "user-agent")
"""Beginnings of the names of headers that are the browser's own, or its site's."""

Found = Secret | None


class CodeRequests:
    """What the documents of a session send that were given codes, PINs and short passwords."""

    def __init__(self, session: Session, secrets: Secrets) -> None:
        self._session = session
        self._secrets = secrets
        self._first: dict[str, HeldRequest] = {}
        """What a form or a script sent where it belongs, by frame: a server may send it on."""

    def stopped(self, request: HeldRequest) -> Found | Callable[[], Awaitable[Found]]:
        """The code for which a request is stopped; a function that finds out if that takes long."""
        known = self._known(request)
        if request.type == "Document":
            return self._navigation(request, known)
        away = [each for each in _away(request, known) if each.value.isdecimal()]
        if not away:
            return None
        if _size(request) <= _LARGE and _like(request, away) is None:
            return None
        return partial(self._sent_by_script, request, away)

    def short_passwords(self, request: HeldRequest) -> set[str]:
        """The names of those that are no numbers, and that a request must not carry."""
        known = self._known(request) if request.type != "Document" else []
        return {each.name for each in _away(request, known) if not each.value.isdecimal()}

    def _known(self, request: HeldRequest) -> list[Secret]:
        """What those who may have made a request were given."""
        taint = self._session.parts.get(Taint)
        pages = pages_of(request)
        names = taint.code_holders(pages) if taint is not None else ()
        sender = _sender(request)
        found = (self._secrets.find(self._session, name) for name in sorted(names))
        # A document of another site sends what is its own.
        return [each for each in found if each and (not sender or each.fits(sender))]

    def _navigation(
        self, request: HeldRequest, known: list[Secret]
    ) -> Found | Callable[[], Awaitable[Found]]:
        first = self._first.get(request.frame)
        away = _away(request, known)
        if request.redirected:
            return next((s for s in away if first and _sends_on(first, request, s)), None)
        self._first.pop(request.frame, None)
        if not known:
            return None
        by_form = request.reason.startswith(_FORM) or request.method.upper() not in _SAFE
        if not by_form and request.reason in _FOLLOWED:
            asks = not request.reason and is_opening(request) and request.url.partition("?")[2]
            return partial(self._opened, request, away) if asks else None
        self._remember(request)
        if by_form:
            return next(iter(away), None)
        return _like(request, away)

    def _remember(self, request: HeldRequest) -> None:
        self._first[request.frame] = request
        while len(self._first) > _MOST_REMEMBERED:
            del self._first[next(iter(self._first))]

    async def _opened(self, request: HeldRequest, away: list[Secret]) -> Found:
        """The same for a new tab: only the page that opened it knows why it did."""
        if await is_of_link(self._session, request):
            return None
        self._remember(request)
        if away and await is_of_form(self._session, request):
            return away[0]
        return _like(request, away)

    async def _sent_by_script(self, request: HeldRequest, away: list[Secret]) -> Found:
        """Of what has such a number, that is stopped which leaves while a field has the code."""
        found = await run_if_large(_size(request), lambda: _like(request, away))
        if found is None:
            return None
        taint = self._session.parts.of(Taint, Taint)
        holders = taint.code_holders(pages_of(request)).get(found.name, [])
        return found if await self._is_held(found, holders) else None

    async def _is_held(self, code: Secret, holders: Sequence[Frame]) -> bool:
        for frame in holders:
            tab = self._session.tab_of(frame.page)
            if tab is None or frame.detached:
                continue
            try:
                if await tab.agent.call(frame, "holds_given", name=code.name, timeout=_PATIENCE):
                    return True
            except (EngineError, DeadlineExceeded):
                # Who cannot be asked may have it.
                return True
        return False


def _away(request: HeldRequest, known: Iterable[Secret]) -> list[Secret]:
    origin = origin_of(request.url)
    return [each for each in known if not each.fits(origin)]


def _sender(request: HeldRequest) -> str:
    """The origin of the document that made a request; empty where it is not known, or opaque."""
    if request.type == "Document" or request.page is None:
        stated = {key.lower(): value for key, value in request.headers.items()}
        said = origin_of(stated.get("referer", "")) or stated.get("origin", "")
    else:
        frames = request.page.frames
        said = next((each.origin for each in frames if each.id == request.frame), "")
    return said if said.partition(":")[0] in WEB_SCHEMES and "://" in said else ""


def _sends_on(first: HeldRequest, request: HeldRequest, code: Secret) -> bool:
    """Whether a server sends on what it was sent: as it is, or in the address."""
    if request.method.upper() not in _SAFE:
        return True
    query = first.url.partition("?")[2]
    if query and query in request.url.partition("?")[2]:
        return True
    carried = read_request(first).entries or ()
    if code.value.isdecimal():
        texts = (each.value for each in carried)
        sent = {number for each in texts for number in numbers_like(each, len(code.value))}
        return bool(sent & numbers_like(request.url, len(code.value)))
    repeated: set[str] = {each.value for each in read_request(request).entries or ()}
    return any(_is_as_long(each, code) and each.value in repeated for each in carried)


def _is_as_long(entry: Entry, code: Secret) -> bool:
    return len(entry.value) == len(code.value)


def _like(request: HeldRequest, codes: Iterable[Secret]) -> Found:
    """The first of some codes that are numbers, where a request has one of as many digits."""
    texts = [request.url.partition("://")[2].partition("/")[2]]
    named = ((name.lower(), value) for name, value in request.headers.items())
    texts += [value for name, value in named if not name.startswith(_STANDARD)]
    body = body_of(request)
    texts += [body.decode("utf-8", "replace")] if body else []
    for code in codes:
        digits = len(code.value)
        if code.value.isdecimal() and any(numbers_like(each, digits) for each in texts):
            return code
    return None


def _size(request: HeldRequest) -> int:
    return len(request.url) + sum(map(len, request.pieces))
