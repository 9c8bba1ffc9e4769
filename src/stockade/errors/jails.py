"""What a jail does not let a session have more of."""

from __future__ import annotations

from stockade.errors.base import DeadlineExceeded, Source
from stockade.errors.engine import DownloadFailed, EngineError, TabCrashed
from stockade.errors.refusals import LimitReached, SessionNotFound

__all__ = [
    "CpuLimit",
    "DiskLimit",
    "JailsLimit",
    "LifeLimit",
    "MemoryLimit",
    "OpenFilesLimit",
    "TasksLimit",
]


class MemoryLimit(TabCrashed):
    """A tab was ended because its jail had no memory left."""

    code = "memory_limit"
    default_hint = "Open the page again with less in it; the operator can set STOCKADE_JAIL_MEMORY."


class TasksLimit(TabCrashed):
    """A tab ended because its jail could start no more processes or threads."""

    code = "tasks_limit"
    default_hint = "Close tabs that are done; the operator can set STOCKADE_JAIL_TASKS."


class OpenFilesLimit(EngineError):
    """The browser could open no more files or connections."""

    code = "open_files_limit"
    retryable = True
    source: Source = "app"
    default_hint = "Close tabs that are done; the operator can set STOCKADE_JAIL_OPEN_FILES."


class CpuLimit(DeadlineExceeded):
    """The call ran out of time while its jail waited for the processor."""

    code = "cpu_limit"
    default_hint = "The page keeps its jail busy; the operator can set STOCKADE_JAIL_CPU."


class DiskLimit(DownloadFailed):
    """A file did not fit into its jail."""

    code = "disk_limit"
    default_hint = "Discard downloads that are done; the operator can set STOCKADE_JAIL_DISK."


class LifeLimit(SessionNotFound):
    """The session ended because its jail was unused, or has lasted, as long as it may."""

    code = "life_limit"
    source: Source = "stockade"
    default_hint = "Open it again; the operator can set STOCKADE_JAIL_LIFE."


class JailsLimit(LimitReached):
    """No more jails may be made at this moment."""

    code = "jails_limit"
    default_hint = "Close sessions that are done; the operator can set STOCKADE_JAILS."
