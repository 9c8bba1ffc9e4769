"""Accepting: whether a client reads the kind of answer that it would get."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import Request

from stockade.errors import NotAcceptable

__all__ = ["EVENTS", "JSON", "PAGE", "accepts", "events_only", "json_only", "prefers_page"]

JSON = "application/json"
EVENTS = "text/event-stream"
PAGE = "text/html"


def accepts(header: str, kind: str) -> bool:
    """Whether an `Accept` header admits a media type; what is most specific decides."""
    return not header.strip() or _quality(header, kind) > 0


def prefers_page(headers: Headers) -> bool:
    """Whether a client would rather have a page than JSON, as browsers would."""
    given = ",".join(headers.getlist("accept"))
    return _quality(given, PAGE) > _quality(given, JSON)


def _quality(header: str, kind: str) -> float:
    found: dict[str, float] = {}
    for part in header.lower().split(","):
        named, *parameters = (each.strip() for each in part.split(";"))
        stated = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        found[named] = _number(stated)
    family = kind.partition("/")[0]
    choices = (kind, f"{family}/*", "*/*")
    return next((found[each] for each in choices if each in found), 0.0)


def _number(stated: str) -> float:
    try:
        return float(stated)
    except ValueError:
        return 1.0 if stated.strip("0.") else 0.0


def json_only(request: Request) -> None:
    """Refuse a client that reads no JSON."""
    _require(request, JSON)


def events_only(request: Request) -> None:
    """Refuse a client that reads no event stream."""
    _require(request, EVENTS)


def _require(request: Request, kind: str) -> None:
    if not accepts(",".join(request.headers.getlist("accept")), kind):
        raise NotAcceptable(f"the answer is {kind}", hint=f"Send `Accept: {kind}`.")
