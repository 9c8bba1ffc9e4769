"""Messages: one JSON-RPC object each; whatever is none of those is answered with an error."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

from stockade.surfaces.json_shape import shape_fault

__all__ = ["BUSY", "Unreadable", "decode", "encode", "failure"]

BUSY: Final = -32011
"""More requests at a time than one connection may have."""


class Unreadable(Exception):
    """What came is not a message; `answer` says so."""

    def __init__(self, code: int, message: str, id: RequestId | None = None) -> None:
        super().__init__(message)
        self.answer = failure(code, message, id)


def failure(code: int, message: str, id: RequestId | None = None) -> JSONRPCError:
    """An error response; without an id where none could be read."""
    return JSONRPCError(jsonrpc="2.0", id=id, error=ErrorData(code=code, message=message))


def decode(text: bytes) -> JSONRPCMessage:
    """The message that `text` is."""
    if fault := shape_fault(text):
        raise Unreadable(PARSE_ERROR, f"that is {fault}")
    try:
        value = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        raise Unreadable(PARSE_ERROR, "that is not JSON, or is nested too deeply") from None
    if isinstance(value, list):
        raise Unreadable(INVALID_REQUEST, "batches are not supported: send one message at a time")
    if not isinstance(value, dict):
        raise Unreadable(INVALID_REQUEST, "a message is a JSON object")
    try:
        return _shape(value).model_validate(value)
    except ValidationError:
        raise Unreadable(
            INVALID_REQUEST,
            'a message has "jsonrpc": "2.0", a method, any params as an object, and, '
            "unless it is a notification, an id that is a string or an integer",
            _id(value),
        ) from None


def _shape(value: dict[str, Any]) -> type[JSONRPCMessage]:
    """By the members it has: a request with a bad id is no notification."""
    if "method" in value:
        return JSONRPCRequest if "id" in value else JSONRPCNotification
    if "result" in value:
        return JSONRPCResponse
    return JSONRPCError if "error" in value else JSONRPCRequest


def _id(value: dict[str, Any]) -> RequestId | None:
    given = value.get("id")
    if "method" not in value or isinstance(given, bool) or not isinstance(given, int | str):
        return None
    return given


def encode(message: JSONRPCMessage) -> bytes:
    """A message as one line; one that cannot be written is an error in its place."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:
        # Half a surrogate pair, for one, has no place in UTF-8.
        answer = failure(INTERNAL_ERROR, "it cannot be written", getattr(message, "id", None))
        text = answer.model_dump_json(exclude_unset=True)
    return text.encode() + b"\n"
