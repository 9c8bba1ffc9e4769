"""The page agent as one script: every file under `agent/`, in order, in one closure."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["ORDER", "source"]

ORDER = (
    "dom",
    "text",
    "agent",
    "vetting",
    "pass",
    "clipping",
    "veils",
    "visibility",
    "roles",
    "controls",
    "sheets",
    "generated",
    "names",
    "states",
    "aria",
    "refs",
    "observe",
    "animations",
    "clicks",
    "icons",
    "line",
    "near",
    "kinds",
    "entries",
    "walk",
    "outline",
    "budget",
    "frozen",
    "memory",
    "redrawn",
    "moved",
    "delta",
    "render",
    "synonyms",
    "words",
    "place",
    "context",
    "wording",
    "search",
    "query",
    "features",
    "selector",
    "locator",
    "find",
    "probe",
    "closing",
    "settle",
    "upcoming",
    "around",
    "act",
    "sliders",
    "opaque",
    "targets",
    "fields",
    "scroll",
    "submission",
    "agreed",
    "guard",
    "entry",
)
"""Each file may use the nouns of those before it."""


_ONCE = """
if (globalThis.stockade && globalThis.stockade.document === document) return;
if (globalThis.stockade) globalThis.stockade.retire();
"""


@cache
def source(*, attended: bool = False) -> str:
    """The whole script, ready to be evaluated in an isolated world.

    With `attended`, a person uses the page too, whose input passes while none of ours is due.
    """
    folder = files("stockade.page") / "agent"
    parts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in ORDER]
    known = f"const ATTENDED = {'true' if attended else 'false'};"
    return "\n".join(("(() => {", "'use strict';", _ONCE, known, *parts, "})()"))
