"""The server itself: how it is set up, that it ends, that it is at fault."""

from __future__ import annotations

from stockade.errors.base import Source, StockadeError

__all__ = [
    "BadSetting",
    "InternalError",
    "SetupError",
    "Stopping",
    "StoreFailed",
    "WorkspaceInUse",
]


class Stopping(StockadeError):
    """The server ends, and the call with it."""

    code = "stopping"
    retryable = True
    source: Source = "stockade"
    default_hint = "Repeat the call when the server is back."


class SetupError(StockadeError):
    """The server cannot run as it is set up."""

    code = "setup_error"
    source: Source = "stockade"


class BadSetting(SetupError):
    """A setting cannot be used; the message names it."""

    code = "bad_setting"
    source: Source = "caller"


class WorkspaceInUse(SetupError):
    """Another server holds the workspace."""

    code = "workspace_in_use"


class StoreFailed(SetupError):
    """The database cannot be reached or does not fit."""

    code = "store_failed"


class InternalError(StockadeError):
    """A fault of ours; the log of that call id has the rest."""

    code = "internal_error"
    source: Source = "stockade"
