"""What the guard of a frame says of the input that was sent there."""

from __future__ import annotations

from typing import Any

from stockade.errors import NotActionable, TargetChanged

__all__ = ["ensure_begun"]


def ensure_begun(verdict: dict[str, Any], target: str) -> None:
    """Raise unless the first event of the input went where it was meant to go."""
    if verdict["begun"]:
        if not verdict["blocked"]:
            return
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
