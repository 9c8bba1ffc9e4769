"""Requests answered here in place of the network."""

from __future__ import annotations

import base64
import re
from typing import Annotated, Any, NotRequired

from pydantic import Field, JsonValue
from typing_extensions import TypedDict

from stockade.engines.routing import Answer
from stockade.errors import InvalidArgument
from stockade.kernel.arguments import RARE, AddressPattern, Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.results import compact
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.policy.scripting import without_scripts
from stockade.traffic.routing import Routing, Rule

__all__ = ["CannedResponse", "answer_of", "route", "route_queue", "unroute"]

_LARGEST_BODY = 10_000_000
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}")
_MOST_LISTED = 20

Method = Annotated[str | None, Field(pattern=r"^[A-Za-z]{1,20}$")]


class CannedResponse(Arguments):
    """What to answer; a body that is no text is given as JSON."""

    status: int = Field(200, ge=200, le=599)
    body: JsonValue = ""
    content_base64: Annotated[str | None, Field(max_length=_LARGEST_BODY), RARE] = None
    content_type: str = Field("application/json", max_length=200)
    headers: Annotated[dict[str, str], Field(max_length=100), RARE] = Field(default_factory=dict)


class Timed(CannedResponse):
    """The same, after a while."""

    delay_ms: int = Field(0, ge=0, le=60_000)


class RouteArguments(Timed, InSession):
    """Which requests to answer, and how."""

    url_pattern: AddressPattern
    method: Method = None


class RouteQueue(InSession):
    """The same, with one answer after the other."""

    url_pattern: AddressPattern
    method: Method = None
    responses: Annotated[tuple[Timed, ...], Field(min_length=1, max_length=100)]


class Unroute(InSession):
    """Which routes to remove: all, unless a pattern or method is given."""

    url_pattern: AddressPattern | None = None
    method: Method = None


class RouteRow(TypedDict):
    """A route that is in force."""

    urlPattern: str
    answered: int
    method: NotRequired[str]
    left: NotRequired[int]


class Routed(TypedDict):
    """A route was added."""

    ok: bool
    urlPattern: str
    routes: int
    active: list[RouteRow]
    method: NotRequired[str]
    status: NotRequired[int]
    queued: NotRequired[int]


class Unrouted(TypedDict):
    """Routes were removed."""

    ok: bool
    removed: int
    routes: int
    active: list[RouteRow]


def answer_of(call: Call, given: CannedResponse) -> Answer:
    """What was asked for, as the engine gives it; what no server could send is refused.

    Without eval, an answer brings no scripts.
    """
    if given.content_base64 is not None:
        try:
            body = base64.b64decode(given.content_base64, validate=True)
        except ValueError:
            raise InvalidArgument("contentBase64 is not base64") from None
    else:
        text = given.body if isinstance(given.body, str) else compact(given.body)
        body = text.encode("utf-8", "replace")
    if len(body) > _LARGEST_BODY:
        raise InvalidArgument(f"a body has at most {_LARGEST_BODY} bytes")
    headers = {"Content-Type": given.content_type, **given.headers}
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name) or not value.isprintable():
            raise InvalidArgument("a header has a name or value that HTTP does not allow")
    if any(name.lower() == "content-type" for name in given.headers):
        del headers["Content-Type"]
        headers.update(given.headers)
    delay = given.delay_ms / 1000 if isinstance(given, Timed) else 0.0
    sent = without_scripts(call.policy, headers.items(), call.tool.name)
    return Answer(given.status, sent, body, delay)


def _rows(routing: Routing) -> dict[str, Any]:
    rules = [each for each in routing.rules if each.asker is None]
    rows: list[dict[str, Any]] = []
    for each in rules[:_MOST_LISTED]:
        row = {"urlPattern": each.pattern, "answered": each.answered}
        optional = {"method": each.method, "left": each.left}
        rows.append({**row, **{key: part for key, part in optional.items() if part is not None}})
    return {"routes": len(rules), "active": rows}


def _added(routing: Routing, rule: Rule, **more: int) -> dict[str, Any]:
    added: dict[str, Any] = {"ok": True, "urlPattern": rule.pattern}
    if rule.method is not None:
        added["method"] = rule.method
    added |= {**more, **_rows(routing)}
    return added


@tool(
    Capability.ACTION,
    gives=Routed,
    toolset="network",
    reach="session",
    idempotent=True,
    raw=True,
    alters="session",
)
async def route(call: Call, args: RouteArguments) -> dict[str, Any]:
    """Answer every request of the session that matches, in all tabs, frames and workers."""
    rule = Rule(args.url_pattern, [answer_of(call, args)], method=args.method)
    routing = Routing.of(call.session)
    await routing.add(rule, timeout=call.left)
    return _added(routing, rule, status=args.status)


@tool(
    Capability.ACTION, gives=Routed, toolset="network", reach="session", raw=True, alters="session"
)
async def route_queue(call: Call, args: RouteQueue) -> dict[str, Any]:
    """Answer matching requests with each response once, in order; then the network answers."""
    answers = [answer_of(call, each) for each in args.responses]
    rule = Rule(args.url_pattern, answers, method=args.method, in_turn=True)
    routing = Routing.of(call.session)
    await routing.add(rule, timeout=call.left)
    return _added(routing, rule, queued=len(answers))


@tool(Capability.ACTION, gives=Unrouted, toolset="network", reach="session", idempotent=True)
async def unroute(call: Call, args: Unroute) -> dict[str, Any]:
    """Remove routes by pattern and method, or all of them."""
    method = None if args.method is None else args.method.upper()

    def chosen(rule: Rule) -> bool:
        return (
            rule.asker is None
            and args.url_pattern in {None, rule.pattern}
            and method in {None, rule.method}
        )

    routing = Routing.of(call.session)
    removed = await routing.remove(chosen, timeout=call.left)
    return {"ok": True, "removed": removed, **_rows(routing)}
