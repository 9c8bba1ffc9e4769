"""What the guard of a frame says of the input that was sent there."""

from __future__ import annotations

from typing import Any

from stockade.errors import ClipboardRefused, NotActionable, TargetChanged

__all__ = ["ensure_begun", "ensure_clipboard", "has_copied"]

_COPYING = frozenset({"copy", "cut"})


def has_copied(verdict: dict[str, Any]) -> bool:
    """Whether something went into the clipboard."""
    return not _COPYING.isdisjoint(verdict["landed"])


def ensure_clipboard(verdict: dict[str, Any]) -> None:
    """Raise if something was kept from the clipboard, or from the page."""
    blocked = {each["type"] for each in verdict["blocked"]}
    if blocked & _COPYING:
        raise ClipboardRefused("nothing is copied from a page that holds a secret")
    if "paste" in blocked:
        raise ClipboardRefused(
            "what was copied on another site is not pasted here", hint="Type it instead."
        )


def ensure_begun(verdict: dict[str, Any], target: str) -> None:
    """Raise unless the first event of the input went where it was meant to go."""
    if verdict["begun"]:
        if not verdict["blocked"]:
            return
        ensure_clipboard(verdict)
        raise NotActionable(
            f"{target} passed the focus on; what was left of the secret was withheld.",
            reason="focus-moved",
            retryable=False,
        )
    if verdict["changed"]:
        raise TargetChanged(
            f"{target} turned into something else at the last moment; the input was withheld."
        )
    if verdict["blocked"]:
        by = verdict["blocked"][0]["hit"]
        raise NotActionable(
            f"{by} came in front of {target} at the last moment; the input was withheld.",
            reason="intercepted",
            by=by,
        )
    raise NotActionable(f"the input did not reach {target}", reason="missed")
