"""Whether a tab shows a site that is made to be taken for another."""

from __future__ import annotations

from collections.abc import Iterator

from stockade.errors import InvalidArgument
from stockade.kernel.call import Call
from stockade.policy.lookalikes import imitated, mixes_scripts, readable
from stockade.urls import Address, parse

__all__ = ["impostor"]

_MOST_KNOWN = 200


def impostor(call: Call) -> list[str]:
    """What to say of the site that the tab shows, if it looks like one that is known here."""
    here = _address(call.tab.url)
    if here is None or here.numeric or "." not in here.host:
        return []
    shown = readable(here.host)
    name = here.host if shown == here.host else f"{here.host} (shown as {shown})"
    meant = imitated(here.host, dict.fromkeys(_known(call)))
    if meant is not None:
        return [f"{name} is not {meant}, which it looks like"]
    if mixes_scripts(here.host):
        return [f"{name} mixes the letters of several alphabets, as names made to deceive do"]
    return []


def _known(call: Call) -> Iterator[str]:
    """The hosts that somebody has a reason to trust: listed, or shown before."""
    for rules in call.policy.allowed:
        yield from (rule.host for rule in rules[:_MOST_KNOWN])
    for origin in call.tab.page.context.origins[:_MOST_KNOWN]:
        known = _address(origin)
        if known is not None and not known.numeric:
            yield known.host


def _address(text: str) -> Address | None:
    try:
        return parse(text)
    except InvalidArgument:
        return None
