"""Submission facts: what a person is shown of a request that waits for them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from stockade.engines.routing import HeldRequest
from stockade.errors import DeadlineExceeded, EngineError
from stockade.kernel.entry_list import Entry, Sent
from stockade.kernel.readable import SECRET, readable
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.urls import origin_of

__all__ = ["sent_facts"]

_PATIENCE: Final = 2.0


async def sent_facts(session: Session, request: HeldRequest, sent: Sent) -> dict[str, Any]:
    """Every name and value that would go out, those of secrets left out, and where to."""
    stated = {key.lower(): value for key, value in request.headers.items()}
    told: dict[str, Any] = {
        "method": sent.method.lower(),
        "action": sent.address,
        "enctype": sent.type,
        "by": "navigation" if request.type == "Document" else "request",
    }
    if request.redirected:
        told["redirected"] = True
    if sent.entries is None:
        told |= {"sizeBytes": sent.size, "sha256": sent.digest}
    else:
        fields = await _Fields.of(session, request)
        told["fields"] = [fields.shown(each) for each in sent.entries]
    origin = stated.get("origin") or origin_of(stated.get("referer", ""))
    return {"session": session.name, "origin": origin or origin_of(request.url), "form": told}


class _Fields:
    """The fields of the pages that a request may come from."""

    def __init__(self) -> None:
        self._kinds: dict[str, set[str]] = {}
        self._secrets: set[str] = set()

    @classmethod
    async def of(cls, session: Session, request: HeldRequest) -> _Fields:
        """Those of its tab, and of the tab that opened it."""
        fields = cls()
        page = request.page
        for each in (page, page.opener if page is not None else None):
            tab = session.tab_of(each) if each is not None else None
            if tab is not None:
                await fields._read(tab)
        return fields

    async def _read(self, tab: Tab) -> None:
        for frame in tab.page.frames:
            with suppress(EngineError, DeadlineExceeded):
                for each in await tab.agent.call(frame, "field_kinds", timeout=_PATIENCE):
                    self._kinds.setdefault(each["name"], set()).add(each["kind"])
                    self._secrets |= {each["value"]} if each.get("value") else set()

    def shown(self, entry: Entry) -> dict[str, Any]:
        """An entry as a person reads it."""
        if entry.size is not None:
            file = {"name": entry.name, "file": entry.value}
            return {**file, "sizeBytes": entry.size, "sha256": entry.digest}
        found = self._kinds.get(entry.name)
        secret = entry.value in self._secrets or (found is not None and "secret" in found)
        told: dict[str, Any] = {"name": entry.name}
        told["value"] = SECRET if secret else readable(entry.value)
        if found is None:
            told["added"] = True
        elif found == {"hidden"}:
            told["hidden"] = True
        return told
