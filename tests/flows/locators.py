"""Elements as a recording knows them."""

from __future__ import annotations

from typing import Any, Literal

from stockade.flows.recording import Found
from stockade.page.locator import Locator
from stockade.page.playwright import Component, in_javascript, in_python


def found(
    name: str = "Buy",
    role: str = "button",
    *,
    frames: tuple[str, ...] = (),
    stability: Literal["high", "medium", "low"] = "medium",
    **more: Any,
) -> Found:
    """An element with a role and a name."""
    parts = [Component("frame", each) for each in frames] + [Component("role", role, name)]
    locator = Locator(
        playwright=in_javascript(parts),
        playwright_python=in_python(parts),
        stability=stability,
        tier=2,
        components=parts,
        unique=True,
        selector=f'role={role}[name="{name}"]',
        css="",
    )
    return Found(locator, role=role, name=name, **more)
