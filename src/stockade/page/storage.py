"""The storage of origins: what pages keep in a browser, whatever they did to their own globals.

Scripts run in the agent's isolated world, which shares the storage of the page and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

from stockade.engines.port import DEADLINE, Frame, Storeroom
from stockade.engines.values import StorageKey
from stockade.errors import (
    Busy,
    Conflict,
    InvalidArgument,
    Missing,
    NavigationRace,
    ProtocolFault,
    QuotaExceeded,
    ScriptFailed,
    StockadeError,
    Unsupported,
)
from stockade.page.scripts import script

__all__ = ["Work", "origin_of_frame", "work_in_frame", "work_in_storeroom"]

Work = Literal["web_storage", "caches", "databases", "origin_state"]

_KINDS: Final[dict[str, type[StockadeError]]] = {
    "Blocked": Busy,
    "ConstraintError": Conflict,
    "DataCloneError": InvalidArgument,
    "DataError": InvalidArgument,
    "InvalidValue": InvalidArgument,
    "MissingCache": Missing,
    "MissingDatabase": Missing,
    "MissingStore": Missing,
    "QuotaExceededError": QuotaExceeded,
    "RangeError": InvalidArgument,
    "TooLarge": QuotaExceeded,
    "TypeError": InvalidArgument,
    "Unsupported": Unsupported,
}
_LONGEST_MESSAGE = 300


@cache
def _source(work: Work) -> str:
    binary = f"({script('binary')})()"
    access = f"({script('database_access')})()"
    made = {
        "web_storage": lambda: script("web_storage"),
        "caches": lambda: f"({script('caches')})({binary})",
        "databases": lambda: (
            f"({script('databases')})({access}, ({script('tagged_values')})({binary}))"
        ),
        "origin_state": lambda: (
            f"({script('origin_state')})({access}, ({script('encoded_values')})({binary}))"
        ),
    }[work]()
    return f"(origin, argument) => ({script('storage')})({made}, origin, argument)"


async def origin_of_frame(frame: Frame, *, timeout: float = DEADLINE) -> str:
    """The origin whose storage a frame uses; one that has none is an error."""
    origin = await frame.call("() => self.origin", timeout=timeout)
    if not isinstance(origin, str) or not origin.startswith(("http://", "https://")):
        raise Unsupported(
            "this document has no storage: its origin is opaque",
            hint="Blank, data: and sandboxed documents keep nothing. Go to a web page, or name "
            "one of its frames.",
        )
    return origin


async def work_in_frame(
    frame: Frame,
    work: Work,
    origin: str,
    argument: Mapping[str, Any],
    *,
    timeout: float = DEADLINE,
) -> Any:
    """Do something to the storage of `origin`, as long as the frame is of it."""
    return _value(await frame.call(_source(work), origin, dict(argument), timeout=timeout))


async def work_in_storeroom(
    room: Storeroom,
    work: Work,
    place: str | StorageKey,
    argument: Mapping[str, Any],
    *,
    timeout: float = DEADLINE,
) -> Any:
    """The same without a page of that origin."""
    origin = place.origin if isinstance(place, StorageKey) else place
    return _value(await room.call(place, _source(work), origin, dict(argument), timeout=timeout))


def _value(raw: Any) -> Any:
    try:
        answer = json.loads(raw)
    except (TypeError, ValueError, RecursionError):
        raise ProtocolFault("the storage script did not answer") from None
    error = answer.get("error")
    if error is not None:
        raise _failure(error["name"], error["message"], error.get("details") or {})
    return answer.get("value")


def _failure(name: str, message: str, details: dict[str, Any]) -> StockadeError:
    said = message[:_LONGEST_MESSAGE]
    if name == "Moved":
        return NavigationRace("the document changed during the call")
    if name == "SecurityError":
        return Unsupported("this document may not use storage", reason=said)
    kind = _KINDS.get(name, ScriptFailed)
    known = next(iter(details.values()), None)
    hint = ""
    if kind is Missing and known is not None:
        hint = f"There are: {', '.join(map(str, known[:20]))}." if known else "There are none."
    return kind(said or name, hint=hint, **details)
