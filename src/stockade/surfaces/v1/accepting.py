"""Accepting: whether a client reads the kind of answer that it would get."""

from __future__ import annotations

from starlette.requests import Request

from stockade.errors import NotAcceptable

__all__ = ["EVENTS", "JSON", "accepts", "events_only", "json_only"]

JSON = "application/json"
EVENTS = "text/event-stream"


def accepts(header: str, kind: str) -> bool:
    """Whether an `Accept` header admits a media type; what is most specific decides."""
    if not header.strip():
        return True
    found: dict[str, bool] = {}
    for part in header.lower().split(","):
        named, *parameters = (each.strip() for each in part.split(";"))
        quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        found[named] = quality.strip("0.") != ""
    family = kind.partition("/")[0]
    choices = (kind, f"{family}/*", "*/*")
    return next((found[each] for each in choices if each in found), False)


def json_only(request: Request) -> None:
    """Refuse a client that reads no JSON."""
    _require(request, JSON)


def events_only(request: Request) -> None:
    """Refuse a client that reads no event stream."""
    _require(request, EVENTS)


def _require(request: Request, kind: str) -> None:
    if not accepts(",".join(request.headers.getlist("accept")), kind):
        raise NotAcceptable(f"the answer is {kind}", hint=f"Send `Accept: {kind}`.")
