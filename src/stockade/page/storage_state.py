"""The storage state of a browser: cookies, and what origins keep, in the form that is usual for it.

The form is that of Playwright's `storageState`, databases included. Fields of other tools are
dropped; what is used is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.errors import (
    BrowserGone,
    EngineError,
    InvalidArgument,
    QuotaExceeded,
    StockadeError,
    TabClosed,
)
from stockade.page.storage import work_in_storeroom
from stockade.policy.policy import Policy
from stockade.urls import WEB_SCHEMES, parse

__all__ = [
    "Dumped",
    "Injected",
    "InsteadOf",
    "StorageState",
    "dump",
    "inject",
    "read_state",
    "shown_cookie",
]

MOST_BYTES: Final = 20_000_000
"""What the databases of a state may take."""
_MOST_ORIGINS: Final = 200
_MOST_COOKIES: Final = 10_000
_SAME_SITE: Final[dict[str, Literal["Strict", "Lax", "None"]]] = {
    "strict": "Strict",
    "lax": "Lax",
    "none": "None",
    "no_restriction": "None",
}

InsteadOf = Literal["nothing", "named", "everything"]

Left = Callable[[], float]
"""Seconds that are left."""


class StateCookie(msgspec.Struct, rename="camel"):
    """A cookie as files have it."""

    name: str
    value: str
    domain: str = ""
    path: str = "/"
    url: str | None = None
    expires: float | None = None
    http_only: bool = False
    secure: bool = False
    same_site: str | None = None
    partition_key: str | None = None
    cross_site_ancestor: bool = msgspec.field(default=False, name="_crHasCrossSiteAncestor")


class StateItem(msgspec.Struct):
    """An item of local storage."""

    name: str
    value: str


class StateIndex(msgspec.Struct, rename="camel", omit_defaults=True):
    """An index of a store."""

    name: str
    key_path: str | None = None
    key_path_array: list[str] | None = None
    unique: bool = False
    multi_entry: bool = False


class StateRecord(msgspec.Struct, rename="camel"):
    """A record; what JSON cannot hold is encoded."""

    key: Any = msgspec.UNSET
    key_encoded: Any = msgspec.UNSET
    value: Any = msgspec.UNSET
    value_encoded: Any = msgspec.UNSET


class StateStore(msgspec.Struct, rename="camel"):
    """A store of a database."""

    name: str
    key_path: str | None = None
    key_path_array: list[str] | None = None
    auto_increment: bool = False
    indexes: list[StateIndex] = []
    records: list[StateRecord] = []


class StateDatabase(msgspec.Struct):
    """A database."""

    name: str
    version: int = 1
    stores: list[StateStore] = []


class StateOrigin(msgspec.Struct, rename="camel"):
    """What one origin keeps."""

    origin: str
    local_storage: list[StateItem] = []
    databases: list[StateDatabase] = msgspec.field(default_factory=list, name="indexedDB")


class StorageState(msgspec.Struct):
    """Everything."""

    cookies: list[StateCookie] = []
    origins: list[StateOrigin] = []
    altered: dict[str, str] = {}
    """Origins whose pages an agent had a hand in, and the call by which it had."""


@dataclass(frozen=True)
class Dumped:
    """What was found, and what is not in it."""

    state: dict[str, Any]
    databases: int
    withheld: int
    """How many cookies and origins the policy does not admit."""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Injected:
    """How much was put in place, and what was not."""

    cookies: int
    origins: int
    withheld: int
    warnings: list[str] = field(default_factory=list)


def read_state(given: Any) -> StorageState:
    """A state from a file or an argument, checked; an error names the place and not the value."""
    try:
        state = (
            msgspec.json.decode(given, type=StorageState)
            if isinstance(given, str | bytes)
            else msgspec.convert(given, StorageState)
        )
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        why = str(error) if isinstance(error, msgspec.ValidationError) else "it is not JSON"
        raise InvalidArgument(
            f"that is not a storage state: {why}",
            hint="It looks like {cookies: [{name, value, domain, path}], "
            "origins: [{origin, localStorage: [{name, value}]}]}.",
        ) from None
    if len(state.cookies) > _MOST_COOKIES or len(state.origins) > _MOST_ORIGINS:
        raise InvalidArgument(
            f"a state has at most {_MOST_COOKIES} cookies and {_MOST_ORIGINS} origins"
        )
    return state


def shown_cookie(cookie: Cookie) -> dict[str, Any]:
    """A cookie by the names that files and results have for its parts."""
    shown: dict[str, Any] = {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "expires": cookie.expires,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
    }
    if cookie.same_site is not None:
        shown["sameSite"] = cookie.same_site
    if cookie.partition is not None:
        shown["partitionKey"] = cookie.partition
        shown["_crHasCrossSiteAncestor"] = cookie.cross_site_ancestor
    return shown


# --- taking out -----------------------------------------------------------------------------------


async def dump(context: Context, policy: Policy, *, databases: bool, left: Left) -> Dumped:
    """What the browser knows of every origin that the policy admits."""
    found = await context.cookies(timeout=left())
    cookies = [shown_cookie(each) for each in found if policy.admits_cookie(each.domain or "")]
    known = context.origins
    admitted = [each for each in known if policy.admits(each)]
    warnings: list[str] = []
    origins: list[dict[str, Any]] = []
    if len(admitted) > _MOST_ORIGINS:
        warnings.append(f"only the last {_MOST_ORIGINS} of {len(admitted)} origins were looked at")
    if admitted:
        wanted = admitted[-_MOST_ORIGINS:]
        origins = await _origins(context, wanted, warnings, databases=databases, left=left)
    return Dumped(
        {"cookies": cookies, "origins": origins},
        sum(len(each.get("indexedDB", ())) for each in origins),
        len(found) - len(cookies) + len(known) - len(admitted),
        warnings,
    )


async def _origins(
    context: Context, wanted: Sequence[str], warnings: list[str], *, databases: bool, left: Left
) -> list[dict[str, Any]]:
    entries = []
    room_left = MOST_BYTES
    async with context.storeroom(timeout=left()) as room:
        for origin in wanted:
            argument = {"action": "dump", "databases": databases, "most": room_left}
            try:
                kept = await work_in_storeroom(
                    room, "origin_state", origin, argument, timeout=left()
                )
            except (BrowserGone, TabClosed):
                raise
            except EngineError as error:
                warnings.append(f"{origin} could not be looked at ({error.code})")
                continue
            warnings += _omitted(origin, kept)
            entry = {"origin": origin, "localStorage": kept["localStorage"]}
            if kept["indexedDB"]:
                entry["indexedDB"] = kept["indexedDB"]
                room_left -= len(msgspec.json.encode(kept["indexedDB"]))
            if kept["localStorage"] or kept["indexedDB"]:
                entries.append(entry)
    return entries


def _omitted(origin: str, answer: dict[str, Any]) -> list[str]:
    return [
        f"{origin}: database {each['database'][:100]!r} was left out: {each['reason'][:200]}"
        for each in answer["omitted"]
    ]


# --- putting in place -----------------------------------------------------------------------------


async def inject(
    context: Context, policy: Policy, state: StorageState, *, instead_of: InsteadOf, left: Left
) -> Injected:
    """Put a state in place of what there was; what the policy does not admit is left out.

    All cookies go unless it is put on top of everything; the storage that goes is that of the
    origins it names, or of every origin.
    """
    cookies, origins, withheld = _admitted(policy, state)
    if instead_of != "nothing":
        await context.clear_cookies(timeout=left())
    named = [each.origin for each in origins]
    doomed = {"nothing": [], "named": named, "everything": [*context.origins, *named]}[instead_of]
    warnings: list[str] = []
    count = await _set_cookies(context, cookies, warnings, left)
    filled = 0
    if origins or doomed:
        async with context.storeroom(timeout=left()) as room:
            for each in dict.fromkeys(doomed):
                await room.clear(each, timeout=left())
            for origin in origins:
                try:
                    argument = {**msgspec.to_builtins(origin), "action": "restore"}
                    answer = await work_in_storeroom(
                        room, "origin_state", origin.origin, argument, timeout=left()
                    )
                except (BrowserGone, TabClosed):
                    raise
                except (EngineError, QuotaExceeded) as error:
                    warnings.append(f"{origin.origin} was not restored: {error.message}")
                    continue
                warnings += _omitted(origin.origin, answer)
                filled += 1
    return Injected(count, filled, withheld, warnings)


def _admitted(policy: Policy, state: StorageState) -> tuple[list[Cookie], list[StateOrigin], int]:
    cookies = [_cookie(each) for each in state.cookies]
    origins = []
    for each in state.origins:
        address = parse(each.origin)
        if address.scheme not in WEB_SCHEMES:
            raise InvalidArgument("an origin in the state is not http or https")
        each.origin = address.origin
        origins.append(each)
    kept = [each for each in cookies if policy.admits_cookie(_domain(each))]
    open_to = [each for each in origins if policy.admits(each.origin)]
    return kept, open_to, len(cookies) - len(kept) + len(origins) - len(open_to)


def _cookie(given: StateCookie) -> Cookie:
    if not given.domain and given.url is None:
        raise InvalidArgument("a cookie in the state has no domain")
    return Cookie(
        given.name,
        given.value,
        given.domain or None,
        given.path or "/",
        url=given.url if not given.domain else None,
        expires=-1.0 if given.expires is None else given.expires,
        http_only=given.http_only,
        secure=given.secure,
        same_site=_SAME_SITE.get((given.same_site or "").lower()),
        partition=given.partition_key,
        cross_site_ancestor=given.cross_site_ancestor,
    )


def _domain(cookie: Cookie) -> str:
    return cookie.domain or parse(cookie.url or "").host


async def _set_cookies(
    context: Context, cookies: Sequence[Cookie], warnings: list[str], left: Left
) -> int:
    """Set cookies; one that the browser does not take does not keep out the others."""
    try:
        await context.set_cookies(cookies, timeout=left())
    except InvalidArgument:
        refused: list[StockadeError] = []
        for cookie in cookies:
            try:
                await context.set_cookies([cookie], timeout=left())
            except InvalidArgument as error:
                refused.append(error)
        warnings += [error.message for error in refused[:20]]
        return len(cookies) - len(refused)
    return len(cookies)
