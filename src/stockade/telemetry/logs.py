"""Logs: one line per event on the error stream, as JSON or as text, with secrets masked.

A line says `ts`, `level` and `msg` first, then whose request it is about, then the rest. Whoever
logs takes a logger from here, so that structlog is imported in one place.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import Context
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

from stockade.errors import MaskingFailed


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Let an import fail that is only tried."""
    absent = name not in sys.modules
    if absent:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if absent:
            del sys.modules[name]


# structlog imports rich for tracebacks in colour: 5 MB and 50 ms that nobody here looks at.
with _hidden("rich"):
    import structlog
    import structlog.dev

__all__ = ["JOURNAL", "Style", "about", "apart", "configure", "get_logger", "quiet"]

JOURNAL = "stockade.journal"
"""The logger of what becomes of sessions, tabs and calls."""

Style = Literal["auto", "json", "text"]
Mask = Callable[[Any], Any]

_TOKENS = re.compile(r"stk_[0-9A-Za-z]+_[\w-]{20,}|(?<=code=)[\w-]{16,}")
"""What no log may hold even before the masker has heard of it: API tokens and login codes."""
_UNSEEN = {
    code: f"\\x{code:02x}" for code in (*range(9), *range(10, 32), *range(127, 160))
} | dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd")
_FIRST = ("ts", "level", "msg", "reqId", "method", "path", "userId", "status", "ms", "error")
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_SHORT = {"warning": "warn", "critical": "error"}

about = structlog.contextvars.bound_contextvars
"""Within `with about(reqId=…):` every line says so."""


def apart(log: Callable[..., Any], message: str, **facts: Any) -> None:
    """Log what no request has brought about, though it may be noticed where one began something."""
    Context().run(log, message, **facts)


def get_logger(name: str) -> Any:
    """A logger; what it writes goes wherever `configure` says, also if that comes later."""
    return structlog.get_logger(name)


def configure(
    style: Style = "auto",
    level: str = "info",
    *,
    mask: Mask = lambda value: value,
    stream: TextIO | None = None,
    journal: bool = False,
) -> None:
    """Send everything that is logged, by us or by a library, to `stream` or standard error.

    With `journal`, what becomes of sessions, tabs and calls is told too: whoever makes calls hears
    of it anyway, but nobody else does.
    """
    _configure_ours(style, level, mask, stream, journal=journal)
    root = logging.getLogger()
    root.handlers[:] = [_Foreign()]
    # Below a warning, libraries speak of their own affairs: httpx of every address it asks for.
    root.setLevel(max(_LEVELS[level], logging.WARNING))
    logging.captureWarnings(capture=True)


def quiet() -> None:
    """Until `configure`: warnings of ours alone, and never a word on standard output."""
    _configure_ours("auto", "warning", lambda value: value, None, journal=False)


def _configure_ours(
    style: Style, level: str, mask: Mask, stream: TextIO | None, *, journal: bool
) -> None:
    terminal = _is_terminal(stream or sys.stderr)
    text = style == "text" or (style == "auto" and terminal)
    structlog.configure(
        processors=[
            *([] if journal else [_without_journal]),
            structlog.contextvars.merge_contextvars,
            _Tidy(mask),
            _text(colors=terminal) if text else _json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=lambda *names: _Lines(stream, *names),
        cache_logger_on_first_use=False,
    )


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks; a program may have been started without an error stream."""
    return stream is not None and not stream.closed and stream.isatty()


class _Lines:
    """Where lines end up. A stream that takes no more, or is gone, must not stop the server."""

    def __init__(self, stream: TextIO | None, name: str = "stockade") -> None:
        self._stream = stream
        self.name = name

    def write(self, line: str) -> None:
        stream: TextIO | None = self._stream or sys.stderr
        if stream is None:
            return
        try:
            stream.write(f"{line}\n")
            stream.flush()
        except (OSError, ValueError):
            return

    debug = info = warning = error = critical = write


class _Foreign(logging.Handler):
    """Takes what libraries log the usual way to where our own lines go."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            level = max((each for each in _LEVELS.values() if each <= record.levelno), default=10)
            failed = {"exc_info": record.exc_info} if record.exc_info else {}
            get_logger(record.name).log(level, record.getMessage(), **failed)
        except Exception:  # noqa: BLE001
            # The way of every handler of the standard library: logging never fails its caller.
            self.handleError(record)


def _without_journal(
    logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    if logger.name == JOURNAL:
        raise structlog.DropEvent
    return event


class _Tidy:
    """Puts the common fields first, makes every value plain, and takes secrets out."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask

    def __call__(
        self, logger: Any, method: str, event: MutableMapping[str, Any]
    ) -> Mapping[str, Any]:
        failure = _failure(event.pop("exc_info", None))
        said = {
            "msg": event.pop("event", ""),
            **failure,
            **event,
            "ts": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": _SHORT.get(method, method),
        }
        stack = {"stack": said.pop("stack")} if "stack" in said else {}
        ordered = {key: said.pop(key) for key in _FIRST if key in said}
        whole = {**ordered, **said, "logger": logger.name, **stack}
        try:
            masked: Mapping[str, Any] = self._mask(_plain(whole))
        except MaskingFailed as failed:
            masked = {key: whole[key] for key in ("ts", "level")} | {
                "msg": "a line was withheld",
                "error": failed.message,
                "logger": logger.name,
            }
        return masked


def _failure(failed: Any) -> dict[str, str]:
    """What was raised, and where; only faults of our own are logged with it."""
    if failed is True:
        failed = sys.exc_info()
    error = failed[1] if isinstance(failed, tuple) else failed
    if not isinstance(error, BaseException):
        return {}
    return {
        "error": str(error) or type(error).__name__,
        "stack": "".join(traceback.format_exception(error)).rstrip(),
    }


def _plain(value: Any) -> Any:
    """A value of JSON's kinds, without anything that looks like one of our tokens."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {_plain(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return _TOKENS.sub("<TOKEN>", str(value))


def _json(_logger: Any, _method: str, event: Mapping[str, Any]) -> str:
    return json.dumps(event, separators=(",", ":"))


def _text(*, colors: bool) -> Callable[[Any, str, MutableMapping[str, Any]], str]:
    renderer = structlog.dev.ConsoleRenderer(
        colors=colors,
        timestamp_key="ts",
        event_key="msg",
        sort_keys=False,
        exception_formatter=structlog.dev.plain_traceback,
    )

    def rendered(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
        trace = str(event.pop("stack", ""))
        shown = _visible(dict(event))
        if trace:
            shown["exception"] = "\n".join(_visible(trace.splitlines()))
        return str(renderer(logger, method, shown))

    return rendered


def _visible(value: Any) -> Any:
    """Text that cannot steer a terminal."""
    if isinstance(value, str):
        return value.translate(_UNSEEN)
    if isinstance(value, dict):
        return {_visible(key): _visible(each) for key, each in value.items()}
    return [_visible(each) for each in value] if isinstance(value, list) else value


quiet()
