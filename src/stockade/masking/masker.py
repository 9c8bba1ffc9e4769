"""The masking choke point: every text that leaves the server passes here.

What is invisible in it is taken out first (`invisible`), so that nothing comes together afterwards.
Secrets are found in every usual spelling (`needles`, `views` and `runs` say which), and where
their characters are parts of one list. What goes wrong here lets nothing through.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from typing import Any, TypeVar

from stockade.errors import InvalidArgument, MaskingFailed
from stockade.masking.background import Stopped
from stockade.masking.folding import SEPARATOR, folded
from stockade.masking.invisible import visible
from stockade.masking.leaves import Leaves, visible_value, without
from stockade.masking.needles import FEWEST
from stockade.masking.scopes import SERVER, Scope
from stockade.masking.search import Hit, Search

__all__ = ["LONGEST_SECRET", "Masker"]

LONGEST_SECRET = 65_536
_MOST_VIEWS = 256
_PIECE = 1_000_000

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

F = TypeVar("F", bound=Callable[..., Any])


def _closed(method: F) -> F:
    """If masking fails, nothing leaves, and nothing of it is told."""

    @wraps(method)
    def guarded(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Stopped:
            raise
        except Exception:  # noqa: BLE001
            # What was raised may hold what was to be masked.
            raise MaskingFailed(
                "what was to be said could not be masked, so it is withheld"
            ) from None

    return guarded  # type: ignore[return-value]


class _Register:
    """The secrets of every scope, and how often those of each changed."""

    def __init__(self) -> None:
        self.held: dict[Scope, dict[str, str]] = {}
        self.parted: dict[Scope, set[str]] = {}
        """Secrets of which parts are looked for too."""
        self.codes: dict[Scope, dict[int, str]] = {}
        """Codes that every number of so many digits is taken for."""
        self.changes: dict[Scope, int] = {}
        self.views: dict[tuple[Scope, ...], Masker] = {}
        self._changed = 0

    def change(self, scope: Scope) -> None:
        """What was made of the secrets of a scope is out of date."""
        self._changed += 1
        self.changes[scope] = self._changed

    def state(self, scopes: Iterable[Scope]) -> tuple[int, ...]:
        """Differs when the secrets of these scopes have changed."""
        return tuple(self.changes.get(each, 0) for each in scopes)


class Masker:
    """Replaces known secrets by their names, in any value made of texts.

    It looks for the secrets of every scope, `within` for those of some.
    """

    def __init__(self, *, _of: _Register | None = None, _scopes: tuple[Scope, ...] = ()) -> None:
        self._register = _of or _Register()
        self._only = _scopes if _of else None
        self._search: Search | None = None
        self._state: tuple[int, ...] = ()

    def add(self, name: str, secret: str, scope: Scope = SERVER) -> None:
        """From now on `secret` reads `<NAME>` in what leaves for `scope`."""
        if len(secret) > LONGEST_SECRET or _CONTROL.search(secret) or len(folded(secret)) < FEWEST:
            raise InvalidArgument(
                f"a secret is a text of {FEWEST} to {LONGEST_SECRET} characters that show, "
                "without control characters"
            )
        if not _NAME.fullmatch(name) or folded(secret) in folded(f"<{name}>"):
            raise InvalidArgument(
                "a secret's name is 1 to 100 letters, digits or _ . -, and not the secret"
            )
        known = self._register.held.setdefault(scope, {})
        # The last of two names counts.
        known.pop(secret, None)
        known[secret] = f"<{name}>"
        self._register.change(scope)

    def add_parts(self, name: str, secret: str, scope: Scope) -> None:
        """The same for parts of it, once a page was given it: the page may show some of it."""
        if secret not in self._register.parted.setdefault(scope, set()):
            self._register.parted[scope].add(secret)
            self.add(name, secret, scope)

    def add_code(self, name: str, digits: int, scope: Scope) -> None:
        """From now on every number of so many digits reads `<NAME>`: none tells which it is."""
        self._register.held.setdefault(scope, {})
        self._register.codes.setdefault(scope, {})[digits] = f"<{name}>"
        self._register.change(scope)

    def forget(self, scope: Scope) -> None:
        """Look no longer for the secrets of a scope that is gone, and of places in it."""
        places = [each for each in self._register.held if each[:2] == scope[:2] and each.place]
        for each in (scope, *(places if scope.session else ())):
            self._register.held.pop(each, None)
            self._register.parted.pop(each, None)
            self._register.codes.pop(each, None)
            self._register.changes.pop(each, None)

    def within(self, *scopes: Scope) -> Masker:
        """The same, looking for the secrets of these scopes and their parts, also those to come."""
        views = self._register.views
        view = views.get(scopes)
        if view is None:
            view = Masker(_of=self._register, _scopes=scopes)
            if len(views) >= _MOST_VIEWS:
                views.pop(next(iter(views)))
            views[scopes] = view
        return view

    @property
    def _scopes(self) -> list[Scope]:
        held, only = self._register.held, self._only
        # Another thread may add to them.
        scopes = list(held)
        return [each for each in scopes if only is None or any(one.covers(each) for one in only)]

    @property
    def idle(self) -> bool:
        """Whether there is no secret to look for."""
        return not self._register.held or not self._scopes

    @property
    def edition(self) -> str:
        """Differs when other secrets are looked for."""
        scopes = self._scopes
        return str(hash((tuple(scopes), self._register.state(scopes))))

    @_closed
    def text(self, text: str) -> str:
        """`text` as it may be told: without what is invisible, and without secrets.

        What belongs to any of them is gone, where they overlap too.
        """
        return self._without_secrets(visible(text))

    @_closed
    def exact(self, text: str) -> str:
        """`text` without secrets and with all else that is in it, for files."""
        return self._without_secrets(text)

    def _without_secrets(self, text: str) -> str:
        hits = self._hits(text)
        return without(text, hits) if hits else text

    @_closed
    def in_bytes(self, content: bytes) -> bool:
        """Whether what is no text holds a secret: in letters of one byte, or of two."""
        if self.idle:
            return False
        search = self._compiled()
        for at in range(0, len(content), _PIECE):
            piece = content[at : at + _PIECE + 2 * search.reach].decode("latin-1")
            if search.is_in(piece) or search.is_in(piece.replace("\0", "")):
                return True
        return False

    @_closed
    def spans(self, text: str) -> list[tuple[int, int]]:
        """Which characters belong to a secret: from where to where, in order, none twice."""
        return _merged(self._hits(text))

    @_closed
    def secrets_in(self, text: str) -> dict[str, str]:
        """What of a text belongs to secrets, each with what it reads as."""
        shown = {each.start: each.shown for each in sorted(self._hits(text), reverse=True)}
        return {text[start:stop]: shown[start] for start, stop in self.spans(text)}

    @_closed
    def name_in(self, text: str) -> str:
        """The name of a secret that a text holds, if it holds one."""
        known = (each for each in sorted(self._hits(text)) if not each.like)
        return next((each.shown.strip("<>") for each in known), "")

    @_closed
    def pieces(self, value: Any) -> dict[str, set[str]]:
        """Pieces of secrets that a JSON value holds without the rest of them, by their names."""
        joined = Leaves(value).joined
        found: dict[str, set[str]] = {}
        hits = [] if self.idle else self._compiled().hits(joined)
        whole = _merged(each for each in hits if not each.part)
        starts = [start for start, _ in whole]
        for shown, start, stop in _joined(each for each in hits if each.part):
            at = bisect_right(starts, start) - 1
            if at < 0 or stop > whole[at][1]:
                found.setdefault(shown.strip("<>"), set()).add(folded(joined[start:stop]))
        return found

    @_closed
    def names_in(self, text: str) -> set[str]:
        """The names of all secrets that a text holds as a whole."""
        whole = (each for each in self._hits(text) if not each.part and not each.like)
        return {each.shown.strip("<>") for each in whole}

    @_closed
    def value(self, value: Any) -> Any:
        """A JSON value as it may be told, keys included; bytes are left as they are."""
        return self._value_without_secrets(visible_value(value))

    @_closed
    def exact_value(self, value: Any) -> Any:
        """A JSON value without secrets and with all else that is in it, for files."""
        return self._value_without_secrets(value)

    def _value_without_secrets(self, value: Any) -> Any:
        if self.idle:
            return value
        search = self._compiled()
        leaves = Leaves(value)
        parted = search.has_parts(leaves.joined)
        if parted:
            leaves = Leaves(value, cells=True)
        hits = search.hits(leaves.joined, parted=parted) + self._like_codes(leaves.joined)
        return leaves.replaced(hits) if hits else value

    def _hits(self, text: str) -> list[Hit]:
        if self.idle or not text:
            return []
        plain = text.replace(SEPARATOR, "\x01")
        return self._compiled().hits(plain) + self._like_codes(plain)

    def _like_codes(self, text: str) -> list[Hit]:
        codes = self._register.codes
        if not codes:
            return []
        digits = {many: name for each in self._scopes for many, name in codes.get(each, {}).items()}
        return [
            Hit(*found.span(), shown, like=True)
            for many, shown in digits.items()
            for found in _number(many).finditer(text)
        ]

    def _compiled(self) -> Search:
        state = self._register.state(self._scopes)
        if self._search is None or state != self._state:
            secrets: dict[str, str] = {}
            parted: set[str] = set()
            for scope in self._scopes:
                secrets |= self._register.held.get(scope, {})
                parted |= self._register.parted.get(scope, set())
            self._search, self._state = Search(secrets, parted), state
        return self._search


def _merged(hits: Iterable[Hit]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, stop, *_ in sorted(hits):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(stop, merged[-1][1])
        else:
            merged.append((start, stop))
    return merged


def _joined(hits: Iterable[Hit]) -> Iterator[tuple[str, int, int]]:
    """Parts of one secret that overlap, as one."""
    last: tuple[str, int, int] | None = None
    for each in sorted(hits, key=lambda hit: (hit.shown, hit.start)):
        if last is not None and last[0] == each.shown and each.start < last[2]:
            last = last[0], last[1], max(last[2], each.stop)
            continue
        if last is not None:
            yield last
        last = each.shown, each.start, each.stop
    if last is not None:
        yield last


@lru_cache(32)
def _number(digits: int) -> re.Pattern[str]:
    """A number of so many digits, also in two halves as codes are written."""
    half = digits // 2
    return re.compile(rf"(?<!\d)\d{{{half}}}[ \u00a0\u2009\u202f-]?\d{{{digits - half}}}(?!\d)")
