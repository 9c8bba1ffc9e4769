"""Vetting: content that a caller's words are compared with is looked through for secrets first.

Whether a selector matches would tell a secret piece by piece. Only the server knows secrets; the
page agent is told which parts of a document are secret there, and reads their names instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from stockade.masking.background import run_if_large
from stockade.masking.masker import Masker

__all__ = ["MOST_LOOKS", "UNVETTED", "Vetting"]

UNVETTED: Final = "unvetted"
"""What the page agent answers where it met content that was not looked through."""

MOST_LOOKS: Final = 4
"""How often a document that changes is looked through; what came later is not compared."""

_COMPARING: Final = frozenset(
    {"select", "near", "find", "boxes_of.js", "choices.js", "count.js", "extract.js"}
)
"""Methods and scripts of the page agent that compare content with what a caller gave."""


@dataclass(frozen=True)
class Vetting:
    """Which content of a tab is secret."""

    masker: Callable[[], Masker]
    """Knows the secrets that there are now."""

    def start(self, method: str) -> dict[str, Any] | None:
        """What the page agent is told at first; nothing where there is nothing to be told."""
        if method.partition(" ")[0] not in _COMPARING:
            return None
        masker = self.masker()
        return None if masker.idle else _told(masker, "", {}, last=False)

    async def look(self, content: dict[str, Any], *, last: bool) -> dict[str, Any]:
        """The same after a look through content that it was not told of."""
        masker = self.masker()
        text: str = content["text"]
        strings: list[str] = content["strings"]
        joined = "\n".join(strings)

        def secrets() -> dict[str, str]:
            found = masker.secrets_in(text)
            if masker.spans(joined):
                for each in strings:
                    found |= masker.secrets_in(each)
            return found

        found = await run_if_large(len(text) + len(joined), secrets)
        return _told(masker, content["key"], found, last=last)


def _told(masker: Masker, key: str, secrets: dict[str, str], *, last: bool) -> dict[str, Any]:
    return {
        "edition": masker.edition,
        "key": key,
        "secrets": list(secrets.items()),
        "last": last,
    }
