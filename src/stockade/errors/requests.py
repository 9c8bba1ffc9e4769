"""Requests that are not HTTP as this server takes it."""

from __future__ import annotations

from stockade.errors.base import Source, StockadeError

__all__ = [
    "BadRequest",
    "HeadersTooLarge",
    "MethodNotAllowed",
    "NotAcceptable",
    "RangeNotSatisfiable",
    "RequestTooLarge",
    "RequestTooSlow",
    "WrongHost",
    "WrongMediaType",
]


class BadRequest(StockadeError):
    """The request is not HTTP as this server takes it."""

    code = "bad_request"
    source: Source = "caller"


class WrongHost(BadRequest):
    """The request was meant for another server, or came by a name that is not ours."""

    code = "wrong_host"


class MethodNotAllowed(BadRequest):
    """There is something at this address, but not for this method."""

    code = "method_not_allowed"


class RequestTooSlow(BadRequest):
    """The request did not arrive in time."""

    code = "request_too_slow"
    retryable = True


class RequestTooLarge(BadRequest):
    """The request holds more than one may."""

    code = "request_too_large"


class HeadersTooLarge(BadRequest):
    """The head of the request holds more than one may."""

    code = "headers_too_large"


class WrongMediaType(BadRequest):
    """The body is not of a kind that is read here."""

    code = "wrong_media_type"
    default_hint = "Send JSON, with `Content-Type: application/json`."


class NotAcceptable(BadRequest):
    """The answer would be of a kind that the request says its client does not read."""

    code = "not_acceptable"


class RangeNotSatisfiable(BadRequest):
    """The part of a file that was asked for lies beyond its end."""

    code = "range_not_satisfiable"
