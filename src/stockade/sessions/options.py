"""What a session is opened with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, get_args

from stockade.engines.values import Emulation
from stockade.sessions.ways_out import WayOut

__all__ = [
    "DIALOG_SYNONYMS",
    "PICKERS",
    "STRICTEST",
    "AskingMode",
    "DialogMode",
    "DialogPolicy",
    "Picker",
    "Rule",
    "SessionOptions",
]

DialogMode = Literal["accept", "dismiss", "raise", "accept-prompt-with", "ask-human"]
DIALOG_SYNONYMS: Final[Mapping[str, DialogMode]] = {"allow": "accept", "deny": "dismiss"}
"""What the modes are called where a page asks for something else than words."""
AskingMode = Literal["allow", "deny", "raise", "ask-human"]
"""What becomes of something that a person would be asked about; `raise` refuses and reports."""
STRICTEST: Final[tuple[AskingMode, ...]] = ("deny", "raise", "ask-human", "allow")

Picker = Literal["showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker", "input"]
"""How a page can ask for files; `input` is a file input that was clicked."""
PICKERS: Final[tuple[Picker, ...]] = get_args(Picker)


@dataclass(frozen=True)
class DialogPolicy:
    """What happens when a page opens a JavaScript dialog.

    `raise` makes the next result a failure that tells of it. An alert, which asks nothing, is
    acknowledged in every mode; a question waits a while for `answer_dialog` where a caller has been
    told of it, and is otherwise dismissed.
    """

    mode: DialogMode = "raise"
    text: str = ""


@dataclass(frozen=True)
class Rule:
    """What happens when a page asks for something, with exceptions by name."""

    mode: AskingMode = "raise"
    per: Mapping[str, AskingMode] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, name: str) -> AskingMode:
        """What becomes of that one."""
        return self.per.get(name, self.mode)

    def strictest(self, *names: str) -> AskingMode:
        """What becomes of several that are asked for at once."""
        return min((self.of(each) for each in names), key=STRICTEST.index, default=self.mode)


@dataclass(frozen=True)
class SessionOptions:
    """How the browser of a session is set up."""

    emulation: Emulation = field(default_factory=Emulation)
    dialogs: DialogPolicy = field(default_factory=DialogPolicy)
    profile: str | None = None
    """What it begins with and what is kept of it, under that name."""
    attached: bool = False
    """Whether it is in a browser that a person uses."""
    way_out: WayOut | None = None
    """The proxy it goes through."""
    isolation: Literal["process", "bwrap"] | None = None
    """What contains its browser, where that is more than the server gives to all."""
