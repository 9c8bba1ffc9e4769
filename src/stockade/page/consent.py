"""Consent: the dialogs in which sites ask for cookies, answered as a person would."""

from __future__ import annotations

from typing import Final

from stockade.engines.port import DEADLINE
from stockade.errors import TargetError
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.probe import inspect

__all__ = ["dismiss_consent"]

_QUANTCAST: Final = "#qc-cmp2-ui button"
_BUTTONS: Final = (
    "#onetrust-banner-sdk #onetrust-reject-all-handler",
    "#CybotCookiebotDialogBodyButtonDecline",
    f"{_QUANTCAST}[mode=secondary] >> having=disagree",
    f"{_QUANTCAST}[mode=secondary] >> having=reject",
    "#onetrust-banner-sdk #onetrust-accept-btn-handler",
    "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",
    "#CybotCookiebotDialogBodyButtonAccept",
    f"{_QUANTCAST}[mode=primary]",
)
"""Of consent managers that mark their buttons, those that say no before those that say yes."""


async def dismiss_consent(
    agent: PageAgent, actions: Actions, *, caller: str, timeout: float = DEADLINE
) -> bool:
    """Press the button that says no, else the one that says yes; whether there was any."""
    for selector in _BUTTONS:
        try:
            ref = await resolve(agent, selector, caller=caller, timeout=timeout)
            if (await inspect(agent, ref, caller=caller, timeout=timeout)).visible:
                await actions.click(ref, caller=caller, timeout=timeout)
                return True
        except TargetError:
            # Not there, or it cannot be pressed: perhaps the next can.
            continue
    return False
