"""Operations of the tab API: for each route the tool it calls, and what goes in and out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple

from stockade.surfaces.tabs.asked import Check, needs_any, needs_size

__all__ = ["KINDS", "OPERATIONS", "About", "Operation"]

Method = Literal["GET", "POST", "DELETE"]
Fields = dict[str, Any]
_USER: Final = "userId required"
_USER_IS: Final = "userId is required"
_AROUND: Final = frozenset({"ok", "untrusted", "end"})
_USER_ANYWHERE: Final = "userId required (query or body)"


class About(NamedTuple):
    """Whom and which tab a request named."""

    user: str
    tab: str


@dataclass(frozen=True)
class Operation:
    """One route."""

    method: Method
    path: str
    tool: str
    summary: str
    takes: tuple[str, ...] = ()
    """Fields that the tool knows by the same names."""
    required: tuple[str, ...] = ()
    user: str = _USER
    """What who names no user is told; empty: nobody needs to."""
    group: bool = False
    """It takes `sessionKey`, under its older name too."""
    target: bool = False
    """The tab is named by `targetId`, and not by the address."""
    checks: tuple[Check, ...] = ()
    shaped: Callable[[Fields, About], Fields] | None = None
    """The result as clients know it."""
    adds: tuple[str, ...] = ()
    """What that has beside the data of the tool."""
    acts: bool = False
    """It may have had its effect although it ran out of time."""
    absent: Mapping[str, Any] | None = None
    """What is answered where there is no such user, group or tab."""
    strict: bool = False
    """An unknown tab is 404, whatever it looks like."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """What the tool is told whatever the client says."""
    keyed: bool = False
    """Only a key opens it."""

    @property
    def whose(self) -> bool:
        """Whether it concerns a user."""
        return bool(self.user) or self.absent is not None


def _with_target(data: Fields, about: About) -> Fields:
    return {**data, "targetId": data.get("tabId", about.tab)}


def _with_user(data: Fields, about: About) -> Fields:
    return {**data, "userId": about.user}


def _bare(data: Fields, _about: About) -> Fields:
    """A state as other programs read it, with nothing around it."""
    return {name: value for name, value in data.items() if name not in _AROUND}


def _as_aria(data: Fields, about: About) -> Fields:
    return {**_with_target(data, about), "format": "aria"}


def _tab(method: Method, what: str, tool: str, summary: str, *takes: str, **more: Any) -> Operation:
    return Operation(method, f"/tabs/{{tabId}}/{what}", tool, summary, takes, **more)


def _act(tool: str, *takes: str, **more: Any) -> Operation:
    return Operation(
        "POST", "/act", tool, "", takes, user=_USER_IS, target=True, acts=True,
        shaped=_with_target, **more,
    )  # fmt: skip


OPERATIONS: Final[tuple[Operation, ...]] = (
    # --- tabs -----------------------------------------------------------------------------------
    Operation(
        "POST",
        "/tabs",
        "camofox_create_tab",
        "Open a tab",
        ("url", "trace"),
        required=("sessionKey",),
        user="userId and sessionKey required",
        group=True,
        checks=(needs_any("sessionKey", message="userId and sessionKey required"),),
    ),
    Operation(
        "GET",
        "/tabs",
        "camofox_list_tabs",
        "The tabs of a user",
        user="",
        absent={"running": True, "tabs": []},
    ),
    Operation(
        "DELETE",
        "/tabs/group/{sessionKey}",
        "camofox_close_group",
        "Close the tabs of a group",
        user=_USER_ANYWHERE,
        absent={"ok": True, "closed": 0},
    ),
    Operation(
        "DELETE",
        "/tabs/{tabId}",
        "camofox_close_tab",
        "Close a tab",
        user=_USER_ANYWHERE,
        absent={"ok": True},
    ),
    _tab(
        "POST",
        "navigate",
        "camofox_navigate",
        "Go to an address, or where a macro leads",
        "url",
        "macro",
        "query",
    ),
    _tab("POST", "back", "camofox_back", "Go back"),
    _tab("POST", "forward", "camofox_forward", "Go forward"),
    _tab("POST", "refresh", "camofox_refresh", "Load the page again"),
    _tab(
        "POST",
        "viewport",
        "camofox_viewport",
        "Change the size of the page",
        "width",
        "height",
        required=("width", "height"),
        checks=(needs_size,),
        strict=True,
    ),
    _tab(
        "POST",
        "wait",
        "camofox_wait",
        "Wait until the page stands",
        "timeout",
        "waitForNetwork",
        "dismissConsent",
    ),
    # --- reading --------------------------------------------------------------------------------
    _tab(
        "GET",
        "snapshot",
        "camofox_snapshot",
        "The page as text, with refs",
        "offset",
        "includeScreenshot",
    ),
    _tab("GET", "screenshot", "camofox_screenshot", "A picture of the page", "fullPage"),
    _tab("GET", "links", "camofox_links", "The links of the page", "limit", "offset"),
    _tab(
        "GET",
        "images",
        "camofox_images",
        "The images of the page",
        "includeData",
        "maxBytes",
        "limit",
    ),
    _tab("GET", "stats", "camofox_stats", "What was done in a tab"),
    _tab(
        "POST",
        "extract",
        "camofox_extract",
        "Values of elements, by a schema that names their refs",
        "schema",
        required=("schema",),
        user=_USER_IS,
        checks=(needs_any("schema", message="schema is required"),),
    ),
    # --- acting ---------------------------------------------------------------------------------
    _tab(
        "POST",
        "click",
        "camofox_click",
        "Click an element",
        "ref",
        "selector",
        "doubleClick",
        acts=True,
    ),
    _tab(
        "POST",
        "type",
        "camofox_type",
        "Type a text",
        "text",
        "ref",
        "selector",
        "mode",
        "delay",
        "submit",
        "pressEnter",
        required=("text",),
        acts=True,
    ),
    _tab(
        "POST",
        "press",
        "camofox_press",
        "Press a key",
        "key",
        required=("key",),
        acts=True,
    ),
    _tab(
        "POST",
        "scroll",
        "camofox_scroll",
        "Scroll the page",
        "direction",
        "amount",
        "ref",
        acts=True,
    ),
    _tab(
        "POST",
        "evaluate",
        "camofox_evaluate",
        "Run a script in the page",
        "expression",
        "timeout",
        required=("expression",),
        user=_USER_IS,
        acts=True,
    ),
    # --- files ----------------------------------------------------------------------------------
    _tab(
        "POST",
        "upload",
        "camofox_upload",
        "Give files of the upload directory to the page",
        "path",
        "ref",
        "selector",
        "timeout",
        required=("path",),
        acts=True,
    ),
    _tab(
        "GET",
        "downloads",
        "camofox_downloads",
        "What a tab has downloaded",
        "includeData",
        "consume",
        "maxBytes",
    ),
    # --- users ----------------------------------------------------------------------------------
    Operation(
        "POST",
        "/sessions/{userId}/cookies",
        "camofox_import_cookies",
        "Give cookies to a user",
        ("cookies",),
        required=("cookies",),
        shaped=_with_user,
        adds=("userId",),
        keyed=True,
    ),
    Operation(
        "GET",
        "/sessions/{userId}/traces",
        "camofox_traces",
        "The traces of a user, the newest first",
        absent={"traces": []},
        keyed=True,
    ),
    Operation(
        "DELETE",
        "/sessions/{userId}/traces/{filename}",
        "camofox_delete_trace",
        "Delete a trace",
        keyed=True,
    ),
    Operation(
        "GET",
        "/sessions/{userId}/storage_state",
        "camofox_storage_state",
        "What a user is logged in with",
        ("indexedDB",),
        shaped=_bare,
        keyed=True,
    ),
    Operation(
        "DELETE",
        "/sessions/{userId}/storage_state",
        "camofox_reset_storage",
        "Forget what a user is logged in with",
        shaped=_with_user,
        adds=("userId",),
        keyed=True,
    ),
    Operation(
        "DELETE",
        "/sessions/{userId}",
        "close_session",
        "End everything of a user",
        absent={"ok": True},
        shaped=lambda _data, _about: {"ok": True},
    ),
    # --- the server -----------------------------------------------------------------------------
    Operation(
        "POST",
        "/youtube/transcript",
        "camofox_youtube_transcript",
        "What is said in a video",
        ("url", "languages"),
        required=("url",),
        user="",
        checks=(needs_any("url", message="url is required"),),
    ),
    Operation(
        "POST",
        "/pressure/cleanup",
        "camofox_pressure_cleanup",
        "Close tabs that have been idle longest",
        ("dryRun", "minIdleMs", "maxTabsToClose", "minTabsPerSession", "closeEmptySessions"),
        user="",
    ),
    Operation("POST", "/start", "camofox_start", "Start a browser", user=""),
    Operation("POST", "/stop", "camofox_stop", "End every session and browser", user=""),
    # --- the names that OpenClaw uses ------------------------------------------------------------
    Operation(
        "POST",
        "/tabs/open",
        "camofox_create_tab",
        "Open a tab, under other names",
        ("url",),
        required=("url",),
        user=_USER_IS,
        group=True,
        checks=(needs_any("url", message="url is required"),),
        shaped=_with_target,
        adds=("targetId",),
        fixed={"titled": True},
    ),
    Operation(
        "POST",
        "/navigate",
        "camofox_navigate",
        "Go to an address, under other names",
        ("url",),
        required=("url",),
        user=_USER_IS,
        target=True,
        checks=(needs_any("url", message="url is required"),),
        shaped=_with_target,
        adds=("targetId",),
    ),
    Operation(
        "GET",
        "/snapshot",
        "camofox_snapshot",
        "The page as text, under other names",
        ("offset", "includeScreenshot"),
        user=_USER_IS,
        target=True,
        shaped=_as_aria,
        adds=("targetId", "format"),
    ),
)
"""Every route that calls one tool and answers with JSON, and the picture."""

KINDS: Final[dict[str, Operation]] = {
    "click": _act("camofox_click", "ref", "selector", "doubleClick"),
    "type": _act(
        "camofox_type", "text", "ref", "selector", "mode", "delay", "submit", "pressEnter"
    ),
    "press": _act("camofox_press", "key"),
    "scroll": _act("camofox_scroll", "direction", "amount", "ref", "selector"),
    "scrollIntoView": _act("camofox_scroll", "direction", "amount", "ref", "selector"),
    "hover": _act("camofox_hover", "ref", "selector"),
    "wait": replace(_act("camofox_wait_for", "timeMs", "text", "loadState"), acts=False),
    "close": _act("camofox_close_tab"),
}
"""What `POST /act` does, by its `kind`."""
