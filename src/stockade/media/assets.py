"""Assets: what a tab has loaded, chosen by what is known of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from urllib.parse import unquote

from stockade.engines.events import Request
from stockade.page.patterns import AddressPattern

__all__ = ["Wanted", "asset_name", "chosen"]

_SAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Wanted:
    """Which of them; what is unset does not matter."""

    mime: str | None = None
    """`image/png`, `image/*` or `image/`."""
    pattern: AddressPattern | None = None
    status: int | None = None

    def fits(self, request: Request) -> bool:
        """Whether a request is one of them, as far as its answer's head tells."""
        if self.status is not None and request.status != self.status:
            return False
        if self.pattern is not None and not self.pattern.matches(request.url):
            return False
        if self.mime is None:
            return True
        wish = self.mime.lower()
        wish = f"{wish}*" if wish.endswith("/") else wish
        return fnmatchcase(request.mime_type.lower(), wish)


def chosen(requests: Sequence[Request], wanted: Wanted) -> tuple[int, list[Request]]:
    """How many answers there are, and those that fit; the last of each address alone."""
    answered = {
        request.url: request
        for request in requests
        if request.status is not None
        and not request.failure
        and not request.redirected_to
        and not request.url.startswith("data:")
    }
    return len(answered), [each for each in answered.values() if wanted.fits(each)]


def asset_name(number: int, url: str) -> str:
    """A file name that keeps what can be kept of an address."""
    last = unquote(url.partition("?")[0].partition("#")[0].rpartition("/")[2])
    name = _SAFE.sub("_", last).strip("._-")[-80:]
    stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
    return f"{number:03d}-{stem or 'file'}{suffix}"
