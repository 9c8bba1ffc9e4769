"""The guards around kept secrets, each with what switches it off: so it is seen what it is for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from stockade.kernel import approving, dispatch, secrets
from stockade.kernel.secret_requests import SecretRequests
from stockade.masking.masker import Masker
from stockade.media.camera import Camera
from stockade.page import bundle
from stockade.page.concealing import Concealing
from stockade.page.sight import Sight
from stockade.policy.capabilities import Capability
from stockade.sessions.provenance import Provenance
from stockade.sessions.secrets import Secret
from tests.soak import moves
from tests.soak.moves import Guided

Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Guard:
    """What is switched off, and the sequences among which one shows that it was needed."""

    switch_off: Callable[[Patch], None]
    shown_by: tuple[Guided, ...]
    also: tuple[Capability, ...] = ()


def _change_script(patch: Patch, *changes: tuple[str, str]) -> None:
    """Have other lines in the page agent."""
    made = bundle.source.__wrapped__

    @cache
    def source(*, attended: bool = False) -> str:
        text: str = made(attended=attended)
        for old, new in changes:
            assert old in text, f"the page agent has no such line any more: {old}"
            text = text.replace(old, new)
        return text

    patch.setattr(bundle, "source", source)


async def _nothing(*_: Any, **__: Any) -> None:
    return None


async def _no(*_: Any, **__: Any) -> bool:
    return False


def _keys(patch: Patch) -> None:
    _change_script(
        patch,
        (
            "const requireKeys = (el, leaving) => {",
            "const requireKeys = (el, leaving) => { return;",
        ),
        ("const admits = (event, path) => {", "const admits = (event, path) => { return true;"),
    )


def _values(patch: Patch) -> None:
    _change_script(
        patch,
        ("    const kept = Dom.concealed(el);\n    if (kept) return `<${kept}>`;", ""),
        ("    const name = concealed(el);\n    if (name) return `<${name}>`;", ""),
        ("    if (concealed(el)) return true;\n", ""),
    )


def _history(patch: Patch) -> None:
    """Two that each do for the other."""
    _change_script(patch, ("const leaveHistory = () => {", "const leaveHistory = () => { return;"))
    patch.setattr(secrets, "_mark_within_reach", _nothing)


def _fields_for_secrets(patch: Patch) -> None:
    _change_script(
        patch,
        ("const takes = (el, named = []) => {", "const takes = (el, named = []) => { return true;"),
    )
    patch.setattr(approving, "in_other_field", _no)


def _clipboard(patch: Patch) -> None:
    _change_script(
        patch,
        (
            "if (event.type === 'paste' && permit.copiedIn && permit.copiedIn !== globalThis.origin) return false;",
            "",
        ),
        ("if ((type === 'copy' || type === 'cut') && holdsAny()) return false;", ""),
    )


def _drags(patch: Patch) -> None:
    _change_script(
        patch, ("if (type === 'dragstart' && shown && dragsText(event)) return false;", "")
    )


def _whole(patch: Patch) -> None:
    patch.setattr(Masker, "_hits", lambda *_: [])
    patch.setattr(Masker, "value", lambda _, value: value)


def _paints(patch: Patch) -> None:
    def blind(camera: Camera) -> Sight:
        return Sight(camera.tab.agent, lambda _: [], drawings=False)

    patch.setattr(Camera, "_sight", blind)


GUARDS: dict[str, Guard] = {
    "keys of fields that hold one": Guard(_keys, (moves.edited,)),
    "values of fields that hold one": Guard(_values, (moves.filled, moves.edited)),
    "masking": Guard(_whole, (moves.filled, moves.shown)),
    "masking of parts": Guard(
        lambda patch: patch.setattr(secrets.Secrets, "note_use", _nothing),
        (moves.filled, moves.signed_in),
    ),
    "fields that show one": Guard(
        lambda patch: patch.setattr(Concealing, "_conceal", _no), (moves.shown, moves.copied)
    ),
    "the clipboard": Guard(_clipboard, (moves.copied,)),
    "text that is dragged": Guard(_drags, (moves.dragged,)),
    "origins": Guard(
        lambda patch: patch.setattr(Secret, "fits", lambda *_: True), (moves.phished,)
    ),
    "fields for secrets": Guard(_fields_for_secrets, (moves.other_field,)),
    "requests to other sites": Guard(
        lambda patch: patch.setattr(SecretRequests, "stops", lambda *_: False), (moves.sent_away,)
    ),
    "pictures": Guard(_paints, (moves.shown,)),
    "what the agent had a hand in": Guard(
        lambda patch: patch.setattr(Provenance, "altered_by", lambda *_: ""),
        (moves.scripted, moves.made_up),
        (Capability.EVAL,),
    ),
    "documents that know one": Guard(
        lambda patch: patch.setattr(dispatch, "refuse_tainted", _nothing),
        (moves.scripted,),
        (Capability.EVAL,),
    ),
    "history": Guard(_history, (moves.restored,), (Capability.EVAL,)),
}
