"""Evidence: what happened in a tab, as the parts of a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from stockade.engines.events import DialogOpened, Request, StreamFrame
from stockade.kernel.action_result import (
    Console,
    Dialog,
    Movement,
    Mutation,
    Network,
    PermissionRequest,
    PickerRequest,
    RequestRow,
    ShownNotification,
    Summary,
)
from stockade.kernel.sanitise import shown_url, url_pattern
from stockade.sessions.asked import Asked
from stockade.sessions.happenings import Happenings

__all__ = [
    "console",
    "dialogs",
    "has_failed",
    "milliseconds",
    "movement",
    "mutations",
    "network",
    "notifications",
    "page_errors",
    "pending",
    "permission_requests",
    "picker_requests",
    "summary",
]

_MOST_LINES = 5
_LONGEST_LINE = 200
_MOST_ROWS = 5
_MOST_PENDING = 5
_MOST_ASKED = 10
_QUIET_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def _line(text: str) -> str:
    first = text.strip().partition("\n")[0]
    return first if len(first) <= _LONGEST_LINE else first[:_LONGEST_LINE] + "…"


def _lines(texts: Iterable[str]) -> list[str]:
    """The first of each kind, and how often it came."""
    counted = Counter(_line(text) for text in texts)
    shown = [text if times == 1 else f"{text} ({times} times)" for text, times in counted.items()]
    more = len(shown) - _MOST_LINES
    return shown[:_MOST_LINES] + ([f"… and {more} more: console_read"] if more > 0 else [])


def console(happenings: Happenings) -> Console | None:
    """Errors in their first lines, warnings by their number."""
    if not happenings.console:
        return None
    return Console(
        errors=_lines(each.text for each in happenings.console if each.level == "error") or None,
        warnings=sum(each.level == "warning" for each in happenings.console) or None,
    )


def page_errors(happenings: Happenings) -> list[str]:
    """Exceptions that nobody caught."""
    return _lines(each.text for each in happenings.errors)


def movement(
    before: str, after: str, happenings: Happenings, *, addresses: bool = True
) -> Movement | None:
    """How the tab went elsewhere, if it did, and from where to where."""
    kind: Literal["full_load", "spa", "hash"]
    if any(not each.same_document for each in happenings.navigations):
        kind = "full_load"
    elif before == after:
        return None
    else:
        same = before.partition("#")[0] == after.partition("#")[0]
        kind = "hash" if same else "spa"
    return Movement(kind=kind, start=before, to=after) if addresses else Movement(kind=kind)


def has_failed(request: Request) -> bool:
    """Whether there was no answer, or one that tells of an error."""
    return bool(request.failure) or (request.status or 0) >= 400  # noqa: PLR2004


def milliseconds(request: Request) -> float | None:
    """How long a request took, as far as it got."""
    end = request.ended or request.answered
    return round((end - request.started) * 1000, 1) if end is not None else None


def mutations(requests: Iterable[Request]) -> list[Request]:
    """Those that may have changed something on the other side."""
    return [
        each
        for each in requests
        if each.method.upper() not in _QUIET_METHODS and not each.url.startswith(("data:", "blob:"))
    ]


def summary(requests: Iterable[Request]) -> Summary:
    """How many requests there were, by type, and how many failed."""
    kept = _over_the_line(requests)
    return Summary(
        total=len(kept),
        by_type=dict(Counter(each.type.lower() for each in kept)),
        failed=sum(map(has_failed, kept)),
    )


def _over_the_line(requests: Iterable[Request]) -> list[Request]:
    return [each for each in requests if not each.url.startswith(("data:", "blob:"))]


def _mutation_rows(changing: Iterable[Request], shapes: Mapping[str, list[str]]) -> list[Mutation]:
    """One row for those that read alike, with their number."""
    rows: list[Mutation] = []
    for each in changing:
        row = Mutation(
            method=each.method,
            url_pattern=url_pattern(each.url),
            status=each.status,
            ok=not has_failed(each),
            failure=each.failure or None,
            response_shape=shapes.get(each.id),
        )
        at = next((i for i, known in enumerate(rows) if _alike(known, row)), None)
        if at is None:
            rows.append(row)
        else:
            rows[at] = rows[at].model_copy(update={"times": (rows[at].times or 1) + 1})
    return rows


def _alike(one: Mutation, other: Mutation) -> bool:
    return one.model_copy(update={"times": None}) == other


def network(
    requests: Iterable[Request],
    frames: Sequence[StreamFrame] = (),
    shapes: Mapping[str, list[str]] = MappingProxyType({}),
    *,
    off_list: int | None = None,
) -> Network | None:
    """What failed, what may have changed something, and how many messages streams had."""
    requests = _over_the_line(requests)
    failed = [each for each in requests if has_failed(each)]
    changing = mutations(requests)
    if not (failed or changing or frames or off_list):
        return None
    rows = _mutation_rows(changing, shapes)
    cut = len(failed) > _MOST_ROWS or len(rows) > _MOST_ROWS
    return Network(
        requests=[
            RequestRow(
                method=each.method,
                url=shown_url(each.url),
                status=each.status,
                type=each.type.lower(),
                failure=each.failure or None,
            )
            # One that may have changed something is told as that.
            for each in [each for each in failed if each not in changing][:_MOST_ROWS]
        ]
        or None,
        mutations=rows[:_MOST_ROWS] or None,
        summary=summary(requests) if cut else None,
        egress_off_allowlist=off_list or None,
        ws_total=len(frames) or None,
    )


def dialogs(
    answered: Iterable[tuple[DialogOpened, str]], open_one: DialogOpened | None = None
) -> list[Dialog]:
    """The dialogs that were answered, and the one that waits."""
    seen = [*answered, *([(open_one, "raise")] if open_one is not None else [])]
    return [
        Dialog(
            kind=each.kind,
            message=each.message,
            default_value=each.default_value or None,
            handled_as=how,
        )
        for each, how in seen[:_MOST_ASKED]
    ]


def permission_requests(happenings: Happenings) -> list[PermissionRequest]:
    """The permissions that pages asked for."""
    return [
        PermissionRequest(permission=each.what, origin=each.origin, handled_as=each.handled_as)
        for each in _asked(happenings, "permission")
    ]


def notifications(happenings: Happenings) -> list[ShownNotification]:
    """The notifications that pages showed."""
    return [
        ShownNotification(
            title=each.what,
            timestamp=round(each.at * 1000),
            origin=each.origin,
            handled_as=each.handled_as,
            **each.details,
        )
        for each in _asked(happenings, "notification")
    ]


def picker_requests(happenings: Happenings) -> list[PickerRequest]:
    """The files that pages asked for, and those that they saved."""
    return [
        PickerRequest(api=each.what, origin=each.origin, handled_as=each.handled_as, **each.details)
        for each in _asked(happenings, "fs-picker")
    ]


def _asked(happenings: Happenings, event: str) -> list[Asked]:
    return [each for each in happenings.asked_for if each.event == event][:_MOST_ASKED]


def pending(texts: Iterable[str]) -> list[str]:
    """What is still under way, with addresses as captured traffic shows them."""
    return [_without_query(text) for text in list(texts)[:_MOST_PENDING]]


def _without_query(text: str) -> str:
    words = text.split(" ")
    return " ".join(shown_url(word) if "://" in word else word for word in words)
