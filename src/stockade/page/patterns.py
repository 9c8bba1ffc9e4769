"""Address patterns, a glob or a part of a URL: the one meaning of every `urlPattern`.

`*` stands for any run of characters, everything else for itself (`?` begins a query). A pattern
with `://` is for the whole address. One without may begin anywhere in it, and goes on to its end
where it has a `*`: `/api/items` is any part, `/api/*` and `*.png` are ends.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["AddressPattern", "address_pattern"]


class AddressPattern:
    """A pattern, ready to be held against addresses in time that grows with their length alone."""

    __slots__ = ("glob", "parts")

    def __init__(self, pattern: str) -> None:
        if "://" in pattern:
            self.glob = pattern
        else:
            self.glob = f"*{pattern}" if "*" in pattern else f"*{pattern}*"
        """The pattern for the whole address."""
        self.parts = self.glob.split("*")
        """What stands between the stars, in order; `scripts/address_pattern.js` reads it."""

    def matches(self, address: str) -> bool:
        """Whether the address is one of the pattern's."""
        first, *others = self.parts
        if not others:
            return address == first
        if not address.startswith(first):
            return False
        at = len(first)
        *inner, last = others
        for part in inner:
            found = address.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return len(address) - len(last) >= at and address.endswith(last)


@lru_cache(maxsize=256)
def address_pattern(pattern: str) -> AddressPattern:
    """The pattern that is written like this."""
    return AddressPattern(pattern)
