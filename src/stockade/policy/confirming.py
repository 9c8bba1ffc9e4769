"""What waits for a person: the entries of `confirm_required`, and what each of them means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal, Self

from stockade.errors import InvalidArgument
from stockade.policy.origins import OriginRule
from stockade.urls import Address, parse

__all__ = ["FORM", "ITEMS", "OFF_LIST", "USUAL", "ConfirmRule", "parse_confirmations"]

Kind = Literal["item", "tool", "origin", "form"]

ITEMS: Final = ("navigate_off_allowlist", "byob_action", "file_download", "file_upload")
FORM: Final = "form_submit"
_TOOL: Final = re.compile(r"[a-z][a-z0-9_]{0,99}")
_WORDS: Final = (*ITEMS, FORM)


@dataclass(frozen=True)
class ConfirmRule:
    """One entry.

    `file_upload` and its like name a kind of action; `tool:click` every call of that tool;
    `origin:bank.example` whatever changes something on a page of that origin; `form_submit`, or
    `form_submit:bank.example`, what would send a form.
    """

    kind: Kind
    name: str = ""
    """The item or the tool."""
    origin: OriginRule | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an entry; one that means nothing is an error."""
        entry = text.strip()
        if entry in ITEMS:
            return cls("item", entry)
        word, colon, rest = entry.partition(":")
        if word == FORM:
            return cls("form", "", OriginRule.parse(rest) if colon else None)
        if word == "origin" and rest:
            return cls("origin", "", OriginRule.parse(rest))
        if word == "tool" and _TOOL.fullmatch(rest):
            return cls("tool", rest)
        near = get_close_matches(entry[:40].lower(), _WORDS, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise InvalidArgument(
            "there is nothing of that name to confirm",
            hint=f"{meant}There are: {', '.join(_WORDS)}, form_submit:ORIGIN, origin:ORIGIN "
            "and tool:NAME.",
        )

    @property
    def text(self) -> str:
        """The entry in its one spelling."""
        if self.kind == "form":
            return FORM if self.origin is None else f"{FORM}:{self.origin.text}"
        if self.origin is not None:
            return f"origin:{self.origin.text}"
        return self.name if self.kind == "item" else f"tool:{self.name}"

    def covers(self, origins: Iterable[str]) -> bool:
        """Whether one of the origins is the one it speaks of, if it speaks of one."""
        rule = self.origin
        return rule is None or any(
            rule.matches(address, any_port=True)
            for each in origins
            if (address := _address(each)) is not None
        )


def _address(origin: str) -> Address | None:
    try:
        return parse(origin)
    except InvalidArgument:
        return None


def parse_confirmations(entries: Iterable[str]) -> frozenset[ConfirmRule]:
    """The rules of those entries."""
    return frozenset(map(ConfirmRule.parse, entries))


OFF_LIST: Final = ConfirmRule("item", "navigate_off_allowlist")
USUAL: Final = frozenset({OFF_LIST, ConfirmRule("item", "byob_action")})
"""What waits for a person where nothing was said and there is an allow list."""
