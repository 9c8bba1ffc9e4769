"""The beginning of a browser state: what each is made with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from stockade.engines.port import Browser, Context
from stockade.engines.values import ContextOptions
from stockade.page.agent import init_script
from stockade.page.stealth import stealth_script
from stockade.policy.capabilities import Capability

if TYPE_CHECKING:
    from stockade.sessions.session import Session

__all__ = ["begin"]


async def begin(session: Session, browser: Browser, downloads: Path, *, timeout: float) -> Context:
    """Make the state of a session, or take the one that its browser has."""
    attended = session.isolation == "attached"
    stealth = Capability.STEALTH in session.policy.capabilities and not attended
    listener = session.jail.listeners[0] if session.jail is not None else None
    options = ContextOptions(
        proxy=None if attended else await session.outgoing.proxy(listener),
        emulation=session.emulation,
        init_scripts=(init_script(attended=attended), *([stealth_script()] if stealth else ())),
        downloads=downloads,
        common_browser=session.isolation == "shared",
        keep_bodies=Capability.NETWORK_BODY in session.policy.capabilities,
        watch_storage=session.keeping is not None,
        stealth=stealth,
        attended=attended,
    )
    if attended or session.extended:
        return await browser.own_context(options, timeout=timeout)
    return await browser.new_context(options, timeout=timeout)
