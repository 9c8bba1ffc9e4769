"""Sightings: where a text stands on a page, as far as a caller may know.

Who asks for a guess must not learn that it is a part of a secret, so what is found is looked at
again without secrets.
"""

from __future__ import annotations

from typing import Any

import msgspec

from stockade.kernel.call import Call
from stockade.page.checks import Reading
from stockade.page.search import MOST_MATCHES, Match, Matches, text_search

__all__ = ["masked_reading", "sightings"]


async def sightings(
    call: Call, text: str, *, exact: bool = False, max_matches: int = 20, **more: Any
) -> Matches:
    """Where a text stands in the tab of a call, but for where it is a part of a secret."""
    masker = call.masker
    most = max_matches if masker.idle else MOST_MATCHES
    found = await text_search(
        call.tab.agent,
        text,
        caller=call.caller,
        exact=exact,
        max_matches=most,
        timeout=call.left,
        **more,
    )
    if masker.idle:
        return found
    wanted = _plain(text, exact=exact)

    def stands(match: Match) -> bool:
        shown = masker.exact(match.text)
        return shown == match.text or wanted in _plain(shown, exact=exact)

    kept = [each for each in found.matches if stands(each)]
    count = found.count - (len(found.matches) - len(kept))
    warnings = [each for each in found.warnings if not each.startswith("showing ")]
    if count > len(kept[:max_matches]):
        warnings.append(f"showing {len(kept[:max_matches])} of {count} matches")
    return Matches(found.query, count, kept[:max_matches], warnings, found.complete)


def masked_reading(call: Call, reading: Reading) -> Reading:
    """An element as a check may see it."""
    mask = call.masker
    if mask.idle:
        return reading
    return msgspec.structs.replace(
        reading,
        texts=[mask.exact(each) for each in reading.texts],
        values=[mask.exact(each) for each in reading.values],
        attribute=None if reading.attribute is None else mask.exact(reading.attribute),
    )


def _plain(text: str, *, exact: bool) -> str:
    plain = " ".join(text.split())
    return plain if exact else plain.casefold()
