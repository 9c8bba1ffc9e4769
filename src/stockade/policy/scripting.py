"""Answers that a caller makes up for a page, and what a page may run of them.

Whoever may not run scripts in a page may not smuggle them in either: an answer that is a script is
refused, one that is a document runs none, and nothing is taken for what it does not say it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy

__all__ = ["without_scripts"]

_POLICY: Final = "content-security-policy"
_OURS: Final = {_POLICY, "x-content-type-options"}
_DOCUMENTS: Final = {"text/html", "application/xhtml+xml", "image/svg+xml"}
_XML: Final = ("text/xml", "application/xml")
_NO_SCRIPTS: Final = "script-src 'none'; object-src 'none'; base-uri 'none'"
_INERT: Final = frozenset(
    {"text/plain", "text/css", "text/csv", "text/event-stream", "text/markdown"}
    | {"application/json", "application/pdf", "application/zip", "application/octet-stream"}
)
_INERT_KINDS: Final = ("image/", "audio/", "video/", "font/")


def without_scripts(
    policy: Policy, headers: Iterable[tuple[str, str]], what: str
) -> tuple[tuple[str, str], ...]:
    """The headers of an answer that `policy` lets a caller give to a page."""
    given = tuple(headers)
    if Capability.EVAL in policy.capabilities:
        return given
    stated = [value for name, value in given if name.lower() == "content-type"]
    kinds = {value.partition(";")[0].strip().lower() for value in stated} or {"text/plain"}
    kept = [each for each in given if each[0].lower() not in _OURS]
    if not stated:
        kept.append(("Content-Type", "text/plain"))
    kept.append(("X-Content-Type-Options", "nosniff"))
    if any(kind in _DOCUMENTS or _is_xml(kind) for kind in kinds):
        kept.append(("Content-Security-Policy", _NO_SCRIPTS))
        kinds = {kind for kind in kinds if not (kind in _DOCUMENTS or _is_xml(kind))}
    if any(
        not (kind in _INERT or kind.endswith("+json") or kind.startswith(_INERT_KINDS))
        for kind in kinds
    ):
        policy.require(Capability.EVAL, f"{what} with something that pages run")
    return tuple(kept)


def _is_xml(kind: str) -> bool:
    return kind in _XML or kind.endswith("+xml")
