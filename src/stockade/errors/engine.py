"""The browser, its pages, and the elements in them."""

from __future__ import annotations

from typing import Any, Final

from stockade.errors.base import Source, StockadeError

__all__ = [
    "BrowserGone",
    "ContentGone",
    "DialogOpen",
    "DownloadFailed",
    "EngineError",
    "LaunchFailed",
    "NavigationFailed",
    "NavigationRace",
    "NotActionable",
    "PageAsked",
    "ProtocolFault",
    "ScriptFailed",
    "StaleRef",
    "TabClosed",
    "TabCrashed",
    "TargetAmbiguous",
    "TargetChanged",
    "TargetError",
    "TargetNotFound",
    "Unsupported",
]

_OF_ITS_KIND: Final = frozenset(
    {
        "not-a-drop-target",
        "not-a-select",
        "not-checkable",
        "not-editable",
        "not-focusable",
        "read-only",
    }
)
"""Reasons why an element does not take an input that no waiting changes."""


class EngineError(StockadeError):
    """Something on the browser's side."""

    code = "engine_error"
    source: Source = "stockade"


class LaunchFailed(EngineError):
    """The browser did not start."""

    code = "browser_launch_failed"
    retryable = True


class BrowserGone(EngineError):
    """The browser process has ended."""

    code = "browser_gone"
    retryable = True
    default_hint = "Open the session again; what the page held in memory is lost."


class TabClosed(EngineError):
    """The tab, frame or worker no longer exists."""

    code = "tab_closed"
    default_hint = "Open a new tab, or list the tabs that are left."


class TabCrashed(EngineError):
    """The tab's renderer process died."""

    code = "page_crashed"
    retryable = True
    source: Source = "app"
    default_hint = "Navigate again, or open a new tab."


class NavigationRace(EngineError):
    """The document was replaced while the call was under way."""

    code = "navigation_race"
    retryable = True
    source: Source = "app"
    default_hint = "Take a snapshot of the new document and go on from there."


class NavigationFailed(EngineError):
    """The address could not be loaded."""

    code = "navigation_failed"
    source: Source = "app"


class DialogOpen(EngineError):
    """A JavaScript dialog holds the page until it is answered."""

    code = "dialog_open"
    source: Source = "app"
    default_hint = "Answer the dialog first."


class PageAsked(EngineError):
    """The page asked for what a person decides, and the policy dealt with it; told once."""

    code = "page_asked"
    retryable = True
    source: Source = "app"


class ScriptFailed(EngineError):
    """Code evaluated in the page threw."""

    code = "script_failed"
    source: Source = "app"


class ContentGone(EngineError):
    """The browser no longer keeps what was asked for: a body of a past document, most often."""

    code = "content_gone"
    source: Source = "app"
    default_hint = "Read a body before the page goes on, or make the request again."


class DownloadFailed(EngineError):
    """A download ended without a file; `reason` says how."""

    code = "download_failed"
    source: Source = "app"


class Unsupported(EngineError):
    """This engine or this browser cannot do what was asked."""

    code = "unsupported"


class ProtocolFault(EngineError):
    """The browser refused a command for a reason that has no error of its own."""

    code = "engine_error"


class TargetError(StockadeError):
    """The element that was asked for cannot be acted on."""

    code = "target_error"
    source: Source = "app"


class StaleRef(TargetError):
    """The element is gone, or belonged to a document that is."""

    code = "stale_ref"
    default_hint = "Take a new snapshot; refs are never given to another element."


class TargetChanged(TargetError):
    """The element is there, but no longer what the caller was shown."""

    code = "target_changed"
    retryable = True
    default_hint = "If the present description is what you want, repeat the call."


class TargetNotFound(TargetError):
    """Nothing on the page matches."""

    code = "not_found"
    source: Source = "caller"


class TargetAmbiguous(TargetError):
    """More than one element matches; none was chosen."""

    code = "ambiguous"
    source: Source = "caller"
    default_hint = "Use the ref of one of the candidates."


class NotActionable(TargetError):
    """The element is there, but input would not reach it; `details` names what is in the way.

    An element of a kind that never takes such input is the caller's mistake, and remains so.
    """

    code = "not_actionable"
    retryable = True

    def __init__(self, message: str, *, reason: str = "", **more: Any) -> None:
        if reason in _OF_ITS_KIND:
            more = {"retryable": False, "source": "caller", **more}
        super().__init__(message, **({"reason": reason} if reason else {}), **more)
