"""Authentication: whose token, or whose browser session, a request comes with."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from stockade.errors import LimitReached, StockadeError, Unauthenticated
from stockade.policy.capabilities import parse_capabilities
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.store.keys import KeyRecord, Keys
from stockade.surfaces.answers import refusal
from stockade.surfaces.logins import Logins
from stockade.surfaces.throttle import Throttle

__all__ = ["CHALLENGE", "Authentication", "anonymous", "cookie_name", "principal_of"]

CHALLENGE = 'Bearer realm="stockade"'
_OPEN = frozenset({"/", "/health", "/login"})
"""What anyone may ask for; everything else is closed unless it says who asks."""
_PAGES = "/console"
"""Below it are pages, which a person is shown the way to instead of being refused."""
_MANUAL = "/docs"
"""A page too, but one for everybody who may call."""
_LONGEST_TOKEN = 200


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
    ) -> None:
        self._app = app
        self._keys = keys
        self._base = base
        self._logins = logins
        self._cookie = cookie
        self._without_token = anonymous(base) if no_auth else None
        self._throttle = Throttle()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Put the caller into the scope, then pass on."""
        try:
            scope["stockade.principal"] = await self._principal(scope)
        except LimitReached as error:
            wait = {"retry-after": str(error.details["retryAfter"])}
            await refusal(error, headers=wait)(scope, receive, send)
        except Unauthenticated as error:
            challenge = {"www-authenticate": CHALLENGE}
            await refusal(error, headers=challenge)(scope, receive, send)
        except StockadeError as error:
            await refusal(error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _principal(self, scope: Scope) -> Principal | None:
        headers = Headers(scope=scope)
        path = scope["path"]
        manual = path == _MANUAL
        page = manual or path == _PAGES or path.startswith(f"{_PAGES}/")
        if path in _OPEN or page:
            visitor = self._visitor(headers)
            if visitor is not None or not page:
                return visitor
        given = headers.getlist("authorization")
        if given:
            return await self._holder(given, scope)
        if page and not (manual and self._without_token is not None):
            return None
        if self._without_token is None:
            raise Unauthenticated("a token is needed")
        return self._without_token

    async def _holder(self, given: list[str], scope: Scope) -> Principal:
        scheme, _, token = given[0].partition(" ")
        token = token.strip()
        if len(given) > 1 or scheme.lower() != "bearer" or not 0 < len(token) <= _LONGEST_TOKEN:
            raise Unauthenticated("the Authorization header holds no bearer token")
        address = scope["client"][0] if scope.get("client") else ""
        self._throttle.check(address, token)
        try:
            record = await self._keys.authenticate(token)
        except Unauthenticated:
            self._throttle.wrong(address, token)
            raise
        self._throttle.right(token)
        return principal_of(record, self._base)

    def _visitor(self, headers: Headers) -> Principal | None:
        """The operator at the console, by the cookie that logging in left."""
        cookies = cookie_parser(headers.get("cookie", ""))
        if not self._logins.valid(cookies.get(self._cookie, "")):
            return None
        return Principal(id="console", role=Role.ADMIN, policy=self._base, name="console")
