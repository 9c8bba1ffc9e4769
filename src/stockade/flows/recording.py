"""A flow as it is recorded: what was done, and by which names its elements can be found again."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from stockade.page.locator import Locator

__all__ = ["AFTERWARDS", "RECORDED", "Found", "Masked", "Note", "Recording", "Recordings", "Step"]

RECORDED = frozenset(
    {
        "answer_dialog",
        "choose_option",
        "click",
        "double_click",
        "drag",
        "drop_files",
        "eval_js",
        "fill",
        "fill_form",
        "gesture_pinch",
        "gesture_swipe",
        "go_back",
        "go_forward",
        "hover",
        "mouse_down",
        "mouse_move",
        "mouse_up",
        "mouse_wheel",
        "navigate",
        "poll_eval",
        "press",
        "reload",
        "scroll",
        "select",
        "set_dialog_policy",
        "set_viewport",
        "shortcut",
        "tabs",
        "touch_end",
        "touch_move",
        "touch_start",
        "type",
        "upload_file",
        "verify_attribute",
        "verify_count",
        "verify_text",
        "verify_value",
        "verify_visible",
        "wait_for",
    }
)
"""The tools whose calls are steps of a flow."""

AFTERWARDS = frozenset(
    {
        "verify_attribute",
        "verify_count",
        "verify_text",
        "verify_value",
        "verify_visible",
        "wait_for",
    }
)
"""Those whose element need not be there before they are called."""

_VALUES = frozenset({"value", "text", "values", "key", "keys"})
_KEYS = frozenset({"key", "keys"})


class Masked(str):
    """A text in which secrets stand by their names: `<NAME>`."""

    __slots__ = ()


@dataclass(frozen=True)
class Found:
    """An element as it was before anything was done to it, for it may be gone afterwards."""

    locator: Locator | None
    tag: str = ""
    type: str = ""
    role: str = ""
    name: str = ""
    secret: bool = False
    """Whether what is put into it is nobody's business."""


@dataclass(frozen=True)
class Note:
    """What a reader is told at a step."""

    copy: str
    arrow: str | None = None
    target: str | None = None


@dataclass
class Step:
    """One thing that was done."""

    id: str
    tool: str
    arguments: dict[str, Any]
    """As they were given, without targets and without secrets."""
    tab: str = ""
    url: str = ""
    targets: dict[str, Found] = field(default_factory=dict)
    """By where they stood among the arguments: `""`, `from`, `fields.0`."""
    opened: list[str] = field(default_factory=list)
    """The tabs that it opened."""
    chosen: str = ""
    note: Note | None = None


@dataclass
class Recording:
    """A flow, step by step."""

    name: str
    url: str = ""
    started_at: float = field(default_factory=time.time)
    steps: list[Step] = field(default_factory=list)
    made: int = 0

    def next_step(self, tool: str, arguments: dict[str, Any], tab: str, url: str) -> Step:
        """A step that is about to be tried."""
        self.made += 1
        return Step(f"s{self.made}", tool, arguments, tab, url)

    def keep(self, step: Step) -> None:
        """It succeeded."""
        self.steps.append(step)

    @staticmethod
    def conceal(step: Step) -> None:
        """Forget what was put into fields that nobody may read; a name stands in its place."""
        for key, found in step.targets.items():
            if not found.secret:
                continue
            hidden = Masked(f"<{_secret_name(found)}>")
            head, _, index = key.partition(".")
            row = step.arguments[head][int(index)] if index else step.arguments
            for name in _VALUES & row.keys():
                if name not in _KEYS or _types(row[name]):
                    row[name] = hidden

    def step(self, id: str | None) -> Step | None:
        """The step of that id, or the last."""
        if id is None:
            return self.steps[-1] if self.steps else None
        return next((each for each in self.steps if each.id == id), None)


def _secret_name(found: Found) -> str:
    """What to call the value of a field that nobody may see: `PASSWORD`."""
    words = re.sub(r"[^A-Z0-9]+", "_", found.name.upper()).strip("_")[:40]
    return words if words and not words[0].isdigit() else "PASSWORD"


def _types(keys: Any) -> bool:
    """Whether keys put a character into a field."""
    return any(len(key) == 1 for key in ([keys] if isinstance(keys, str) else keys))


@dataclass
class Recordings:
    """The recording that runs, and the last that ended; a part of the session."""

    running: Recording | None = None
    last: Recording | None = None
