"""Authentication: whose token, or whose browser session, a request comes with."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from stockade.errors import LimitReached, Refused, StockadeError, Unauthenticated
from stockade.policy.capabilities import parse_capabilities
from stockade.policy.confirming import parse_confirmations
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.store.keys import KeyRecord, Keys
from stockade.surfaces.answers import refused
from stockade.surfaces.logins import Logins
from stockade.surfaces.tabs.keyring import ADMIN_HEADER, Keyring
from stockade.surfaces.tabs.places import holds_state, is_stop, is_tab_place, is_unowned
from stockade.surfaces.throttle import Throttle
from stockade.surfaces.v1.accepting import prefers_page

__all__ = ["CHALLENGE", "Authentication", "anonymous", "cookie_name", "principal_of"]

CHALLENGE = 'Bearer realm="stockade"'
_OPEN = frozenset({"/", "/health", "/login"})
"""What anyone may ask for; everything else is closed unless it says who asks."""
_PAGES = "/console"
"""Below it are pages, which a person is shown the way to instead of being refused."""
_MANUAL = "/docs"
"""A page too, but one for everybody who may call."""
_METRICS = "/metrics"
_LONGEST_TOKEN = 200
_LONGEST_KEY = 4096
_OURS = "stk_"
"""How our own tokens begin."""


def principal_of(record: KeyRecord, base: Policy) -> Principal:
    """The caller that a key stands for: never with more than the server's own policy."""
    return Principal(
        id=record.id,
        tenant=record.tenant,
        role=Role(record.role),
        policy=base.narrowed(
            capabilities=(
                None if record.capabilities is None else parse_capabilities(record.capabilities)
            ),
            allowed=tuple(map(OriginRule.parse, record.origins)),
            confirm=parse_confirmations(record.confirm),
        ),
        name=record.name,
    )


def anonymous(base: Policy) -> Principal:
    """Who calls without a token where none is asked for."""
    return Principal(id="anonymous", policy=base, name="anonymous")


def cookie_name(port: int) -> str:
    """The cookie of the console; browsers do not tell the ports of one host apart."""
    return f"stockade-{port}"


class Authentication:
    """Finds out who makes a request, and refuses who must be known and is not."""

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys,
        base: Policy,
        logins: Logins,
        *,
        cookie: str,
        no_auth: bool = False,
        public_metrics: bool = False,
        keyring: Keyring | None = None,
    ) -> None:
        self._app = app
        self._keys = keys
        self._base = base
        self._logins = logins
        self._cookie = cookie
        self._no_auth = no_auth
        self._open = _OPEN | ({_METRICS} if public_metrics else set())
        self._keyring = keyring or Keyring()
        self._throttle = Throttle()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Put the caller into the scope, then pass on."""
        try:
            scope["stockade.principal"] = await self._principal(scope)
        except LimitReached as error:
            wait = {"retry-after": str(error.details["retryAfter"])}
            await refused(scope, error, headers=wait)(scope, receive, send)
        except Unauthenticated as error:
            challenge = {"www-authenticate": CHALLENGE}
            await refused(scope, error, headers=challenge)(scope, receive, send)
        except StockadeError as error:
            await refused(scope, error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _principal(self, scope: Scope) -> Principal | None:
        headers = Headers(scope=scope)
        path = scope["path"]
        if is_tab_place(path):
            return await self._tab_caller(scope, headers)
        manual = path == _MANUAL
        page = manual or path == _PAGES or path.startswith(f"{_PAGES}/")
        if path in self._open or page:
            visitor = self._visitor(headers)
            if visitor is None and path == "/" and self._keyring.access:
                return None if prefers_page(headers) else await self._tab_caller(scope, headers)
            if visitor is not None or not page:
                return visitor
        given = headers.getlist("authorization")
        if given:
            return await self._holder(_bearer(given, _LONGEST_TOKEN), scope)
        nobody = self._nobody(scope)
        if page and not (manual and nobody is not None):
            return None
        if nobody is None:
            raise Unauthenticated("a token is needed")
        return nobody

    def _nobody(self, scope: Scope) -> Principal | None:
        """Who a caller without a token is, if it may be anyone."""
        if self._no_auth or (is_unowned(scope["path"]) and self._keyring.admits(scope)):
            return anonymous(self._base)
        return None

    async def _holder(self, token: str, scope: Scope) -> Principal:
        """Who has one of our tokens."""
        try:
            record = await self._keys.authenticate(token)
        except Unauthenticated:
            self._throttle.wrong(_address(scope))
            raise
        return principal_of(record, self._base)

    # --- the tab API ----------------------------------------------------------------------------

    async def _tab_caller(self, scope: Scope, headers: Headers) -> Principal:
        """Who calls the tab API: by one of our tokens, by a key of its own, or by being here.

        Whoever has no token of ours is the same caller, so that a user's session is the same
        whichever key is used.
        """
        path = scope["path"]
        keyring = self._keyring
        free = self._freely(scope)
        try:
            given = headers.getlist("authorization")
            token = _bearer(given, _LONGEST_KEY) if given else ""
        except Unauthenticated:
            token = ""
        if is_stop(path):
            return await self._stopper(scope, headers, token)
        if token and keyring.fits(path, token):
            return anonymous(self._base)
        if token and (token.startswith(_OURS) or not free):
            # Where no token is asked for, the original passes over those it does not know.
            try:
                return await self._holder(token, scope)
            except Unauthenticated:
                raise keyring.refusal(path, token) from None
        if not free:
            raise keyring.refusal(path, token)
        return anonymous(self._base)

    def _freely(self, scope: Scope) -> bool:
        if holds_state(scope["path"]) or self._keyring.access:
            return False
        return self._no_auth or self._keyring.admits(scope)

    async def _stopper(self, scope: Scope, headers: Headers, token: str) -> Principal:
        """Who may end the browsers of everybody."""
        given = headers.get(ADMIN_HEADER, "")
        if given and self._keyring.is_admin(given):
            return Principal(id="admin-key", role=Role.ADMIN, policy=self._base, name=ADMIN_HEADER)
        if token:
            try:
                holder = await self._holder(token, scope)
            except Unauthenticated:
                holder = None
            if holder is not None and holder.has_role(Role.ADMIN):
                return holder
        if given:
            self._throttle.wrong(_address(scope))
        raise Refused(
            "Forbidden",
            hint=f"Send the operator's admin key (STOCKADE_ADMIN_KEY) as `{ADMIN_HEADER}`, or an "
            "admin's token.",
        )

    def _visitor(self, headers: Headers) -> Principal | None:
        """The operator at the console, by the cookie that logging in left."""
        cookies = cookie_parser(headers.get("cookie", ""))
        if not self._logins.valid(cookies.get(self._cookie, "")):
            return None
        return Principal(id="console", role=Role.ADMIN, policy=self._base, name="console")


def _bearer(given: list[str], longest: int) -> str:
    """The token that a request came with."""
    scheme, _, token = given[0].partition(" ")
    token = token.strip()
    if len(given) > 1 or scheme.lower() != "bearer" or not 0 < len(token) <= longest:
        raise Unauthenticated("the Authorization header holds no bearer token")
    return token


def _address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""
