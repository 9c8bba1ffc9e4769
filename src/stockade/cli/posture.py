"""The posture: how much the settings let agents do, in one line, and loudly where it is much."""

from __future__ import annotations

from typing import Any

from stockade.config import Settings
from stockade.policy.capabilities import DANGEROUS, parse_capabilities

__all__ = ["line", "posture", "warnings"]


def posture(settings: Settings) -> dict[str, Any]:
    """What an operator should know at a glance."""
    return {
        "isolation": settings.isolation,
        "capabilities": sorted(parse_capabilities(settings.capabilities)),
        "allowed_origins": list(settings.allowed_origins),
        "blocked_origins": list(settings.blocked_origins),
        "confirmations": [],
    }


def line(settings: Settings) -> str:
    """The posture in one line."""
    shown = posture(settings)
    origins = ", ".join(shown["allowed_origins"]) or "any"
    if shown["blocked_origins"]:
        origins += f" but {', '.join(shown['blocked_origins'])}"
    switches = ", ".join(shown["capabilities"]) or "none"
    return (
        f"isolation {shown['isolation']} · capabilities {switches}"
        f" · origins {origins} · confirmations none yet"
    )


def warnings(settings: Settings) -> list[str]:
    """One sentence for each dangerous capability that is on."""
    on = parse_capabilities(settings.capabilities)
    return [f"{name} is on: {meaning}" for name, meaning in DANGEROUS.items() if name in on]
