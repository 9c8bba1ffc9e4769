"""Candidates: what a caller may have meant where its target was not found."""

from __future__ import annotations

from stockade.errors import DeadlineExceeded, EngineError, StaleRef, TargetNotFound
from stockade.kernel.arguments import OptionalTarget
from stockade.kernel.call import Call
from stockade.page.locator import nearest

__all__ = ["BLANK", "add_candidates", "no_page"]

BLANK = "no page is open in this tab: navigate first"
_LONGEST_SEARCH = 0.4


def no_page(call: Call) -> bool:
    """Whether the tab shows nothing because it has not been anywhere."""
    return call.tab.url in {"", "about:blank"}


async def add_candidates(call: Call, error: TargetNotFound | StaleRef) -> None:
    """Tell what is nearest to what was not found, or that there is no page to find it on."""
    target = call.given if isinstance(call.given, OptionalTarget) else None
    selector = str(error.details.get("selector") or "")
    description = str(error.details.get("shown") or "")
    if call.tab_or_none is None or not (selector or description) or "candidates" in error.details:
        return
    try:
        near = await nearest(
            call.tab.agent,
            caller=call.caller,
            selector=selector,
            description=description,
            kind=target.kind if target is not None else None,
            timeout=min(call.left, _LONGEST_SEARCH),
        )
    except (EngineError, DeadlineExceeded):
        return  # The error itself is what matters.
    # Who asks for a guess must not learn that it is like a secret.
    told = [each for each in near.candidates if call.masker.exact_value(each) == each]
    if near.empty and no_page(call):
        error.hint = f"{BLANK[0].upper()}{BLANK[1:]}."
    elif told:
        error.details["candidates"] = told
        error.hint = "The candidates are the nearest: use the ref of one if it is what you meant."
