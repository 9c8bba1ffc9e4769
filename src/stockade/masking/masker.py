"""The masking choke point: every text that leaves the server passes here.

Secrets are found as they are written. Other spellings of them (percent, base64, entities,
normal forms of Unicode) are not looked for yet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from stockade.errors import InvalidArgument
from stockade.masking.scopes import SERVER, Scope

__all__ = ["SHORTEST_SECRET", "Masker"]

SHORTEST_SECRET = 6
"""A shorter one would be found in everything."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_SEPARATOR = "\0"
_LISTS = (list, tuple)
_HOLDERS = (dict, list, tuple)
_NUMBERS = (int, float)


@dataclass(frozen=True)
class _Secret:
    value: str
    shown: str
    period: int
    """How far apart two of its occurrences are at least; less than its length if they overlap."""


class Masker:
    """Replaces known secrets by their names, in any value made of texts.

    It looks for the secrets of every scope, `within` for those of some.
    """

    def __init__(self) -> None:
        self._held: dict[Scope, dict[str, _Secret]] = {}
        self._scopes: tuple[Scope, ...] | None = None

    def add(self, name: str, secret: str, scope: Scope = SERVER) -> None:
        """From now on `secret` reads `<NAME>` in what leaves for `scope`."""
        if len(secret) < SHORTEST_SECRET or _SEPARATOR in secret:
            raise InvalidArgument(
                f"a secret is a text of at least {SHORTEST_SECRET} characters, none of them NUL"
            )
        shown = f"<{name}>"
        if not _NAME.fullmatch(name) or secret in shown:
            raise InvalidArgument(
                "a secret's name is 1 to 100 letters, digits or _ . -, and not the secret"
            )
        self._held.setdefault(scope, {})[secret] = _Secret(secret, shown, _period(secret))

    def forget(self, scope: Scope) -> None:
        """Look no longer for the secrets of a scope that is gone."""
        self._held.pop(scope, None)

    def within(self, *scopes: Scope) -> Masker:
        """The same, looking for the secrets of these scopes alone, also those to come."""
        view = Masker()
        view._held = self._held  # noqa: SLF001
        view._scopes = scopes  # noqa: SLF001
        return view

    @property
    def _secrets(self) -> dict[str, _Secret]:
        scopes = self._held if self._scopes is None else self._scopes
        found: dict[str, _Secret] = {}
        for scope in scopes:
            found |= self._held.get(scope, {})
        return found

    @property
    def idle(self) -> bool:
        """Whether there is no secret to look for."""
        return not self._secrets

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Which characters belong to a secret: from where to where, in order, none twice."""
        found: list[tuple[int, int]] = []
        for secret in self._secrets.values():
            found += ((at, at + len(secret.value)) for at in _occurrences(text, secret))
        merged: list[tuple[int, int]] = []
        for start, stop in sorted(found):
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(stop, merged[-1][1])
            else:
                merged.append((start, stop))
        return merged

    def text(self, text: str) -> str:
        """`text` without secrets: what belongs to any of them is gone, where they overlap too."""
        found = [
            (start, -len(secret.value), secret.shown)
            for secret in self._secrets.values()
            for start in _occurrences(text, secret)
        ]
        if not found:
            return text
        pieces: list[str] = []
        end = 0
        for start, negative_length, shown in sorted(found):
            stop = start - negative_length
            if stop <= end:
                continue  # within one that is longer
            if start >= end:
                pieces += (text[end:start], shown)
            elif pieces[-1] != shown:
                pieces.append(shown)
            end = stop
        pieces.append(text[end:])
        return "".join(pieces)

    def value(self, value: Any) -> Any:
        """A JSON value without secrets, keys included; bytes are left as they are."""
        if not self._secrets:
            return value
        masked = self._masked(_texts(value))
        return self._copied(value, masked) if masked else value

    def _masked(self, texts: list[str]) -> dict[str, str]:
        """Those of the texts that have secrets in them, and what they become."""
        # Thousands of short texts are searched fastest as one.
        pieces = self.text(_SEPARATOR.join(texts)).split(_SEPARATOR)
        if len(pieces) != len(texts):
            pieces = [self.text(each) for each in texts]
        return {
            before: after for before, after in zip(texts, pieces, strict=True) if before != after
        }

    def _copied(self, value: Any, masked: dict[str, str]) -> Any:
        outermost: list[Any] = [value]
        pending: list[Any] = [outermost]
        while pending:
            holder = pending.pop()
            for key, part in holder.items() if isinstance(holder, dict) else enumerate(holder):
                if isinstance(part, str):
                    holder[key] = masked.get(part, part)
                elif isinstance(part, dict):
                    holder[key] = _keyed(part, masked)
                    pending.append(holder[key])
                elif isinstance(part, _LISTS):
                    holder[key] = list(part)
                    pending.append(holder[key])
                elif isinstance(part, _NUMBERS) and str(part) in self._secrets:
                    # Digits within a longer number mean something else.
                    holder[key] = self._secrets[str(part)].shown
        return outermost[0]


def _texts(value: Any) -> list[str]:
    """Every text in a value, and every number as it is written."""
    # Pages decide how deep a value is: neither this nor the copying may recurse.
    found: list[str] = []
    pending: list[Any] = [[value]]
    while pending:
        holder = pending.pop()
        if isinstance(holder, dict):
            found.extend(map(str, holder))
            holder = holder.values()
        for part in holder:
            if isinstance(part, str):
                found.append(part)
            elif isinstance(part, _HOLDERS):
                pending.append(part)
            elif isinstance(part, _NUMBERS):
                found.append(str(part))
    return found


def _keyed(mapping: dict[Any, Any], masked: dict[str, str]) -> dict[Any, Any]:
    """A copy under masked keys, no entry lost where two keys become alike."""
    if masked.keys().isdisjoint(mapping):
        return dict(mapping)
    copy: dict[Any, Any] = {}
    for key, part in mapping.items():
        name = masked.get(key, key)
        while name in copy:
            name = f"{name}'"
        copy[name] = part
    return copy


def _occurrences(text: str, secret: _Secret) -> list[int]:
    found = []
    start = text.find(secret.value)
    while start >= 0:
        found.append(start)
        start = text.find(secret.value, start + secret.period)
    return found


def _period(text: str) -> int:
    return next(shift for shift in range(1, len(text) + 1) if text.startswith(text[shift:]))
