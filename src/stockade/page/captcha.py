"""Captchas of a tab: the key by which their service knows the site."""

from __future__ import annotations

import re
from typing import Final

from stockade.engines.port import DEADLINE, Frame
from stockade.errors import TargetAmbiguous, TargetNotFound
from stockade.page.agent import PageAgent
from stockade.page.reach import look, look_everywhere

__all__ = ["SITE_KEY", "site_key"]

SITE_KEY: Final = "[A-Za-z0-9_.:-]{1,200}"
_SCRIPT: Final = "captcha.js"
_MOST: Final = 5


async def site_key(
    agent: PageAgent, kind: str, ref: str | None, *, caller: str, timeout: float = DEADLINE
) -> tuple[str, Frame]:
    """The only key of that kind in the tab, or at an element of it, and the frame it is in."""
    if ref is not None:
        frame, number = agent.locate(ref)
        asked = {"caller": caller, "kind": kind, "ref": number, "most": _MOST}
        said = await look(agent, frame, _SCRIPT, timeout=timeout, **asked)
        found = dict.fromkeys(said["keys"], frame)
    else:
        parts, _ = await look_everywhere(
            agent, _SCRIPT, caller=caller, kind=kind, ref=0, most=_MOST, timeout=timeout
        )
        found = {key: part.frame for part in reversed(parts) for key in part.said["keys"]}
    usable = {key: frame for key, frame in found.items() if re.fullmatch(SITE_KEY, key)}
    if not usable:
        raise TargetNotFound(
            f"no site key of a {kind} was found", hint="Give siteKey, or the widget's selector."
        )
    if len(usable) > 1:
        raise TargetAmbiguous(
            f"there are several site keys of a {kind}", hint="Give the widget's selector."
        )
    return next(iter(usable.items()))
