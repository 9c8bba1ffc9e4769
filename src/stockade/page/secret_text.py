"""Secret text: what a field is given and nobody is shown; it is known by its name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["SecretText", "is_copying", "is_leaving", "is_pasting", "plain_text"]

_LEAVING = frozenset({"Tab", "Shift+Tab", "Enter", "NumpadEnter", "Escape"})


@dataclass(frozen=True)
class SecretText:
    """The value of a secret, with what the page agent has to know of it."""

    value: str = field(repr=False)
    name: str
    kept: bool = False
    """From the agent that uses it: it goes into fields for secrets alone."""
    fields: tuple[str, ...] = ()
    """Names or labels of others that the operator named for it."""
    agreed: bool = False
    """Whether a person said yes to the field that is meant."""
    code: bool = False
    """Whether it is a number that could be guessed."""

    @property
    def told(self) -> dict[str, Any]:
        """What the page agent is told."""
        return {
            "name": self.name,
            "kept": self.kept,
            "named": list(self.fields),
            "agreed": self.agreed,
            "code": self.code,
        }


def plain_text(text: str | SecretText) -> str:
    """What is really typed."""
    return text.value if isinstance(text, SecretText) else text


def is_pasting(chord: str) -> bool:
    """Whether keys put in what is in the clipboard."""
    *held, key = chord.split("+")
    return (key.lower() == "v" and bool({"Control", "Meta"} & set(held))) or (
        key == "Insert" and "Shift" in held
    )


def is_copying(chord: str) -> bool:
    """Whether keys put what is selected into the clipboard."""
    *held, key = chord.split("+")
    pressed = set(held)
    return (
        (key.lower() in {"c", "x"} and bool({"Control", "Meta"} & pressed))
        or (key == "Insert" and "Control" in pressed)
        or (key == "Delete" and "Shift" in pressed)
        or key in {"Copy", "Cut"}
    )


def is_leaving(chord: str) -> bool:
    """Whether keys leave a field or send its form, and do nothing to what it holds."""
    return chord in _LEAVING
