"""The recorder of calls: a line for each, of the sessions whose policy has it on.

It comes after masking: what it sees of a result has left already, and arguments are masked before
they are reduced to their structure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from stockade.errors import MaskingFailed, SetupError
from stockade.files.diagnostics import SERVER, Diagnostics
from stockade.flows.diagnosis import outline, script_of
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Reply
from stockade.masking.background import run_if_large
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal
from stockade.sessions.session import Session
from stockade.telemetry.logs import get_logger

__all__ = ["Recorder"]

_log = get_logger("stockade.kernel")
_SCRIPTS = ("expr", "expression")
_NOT_WRITTEN = "diagnostics could not be written"


class Recorder:
    """Writes down what became of calls."""

    def __init__(self, kept: Diagnostics) -> None:
        self.kept = kept
        self._failed = False

    async def call(
        self,
        principal: Principal,
        call: Call | None,
        arguments: Mapping[str, Any],
        reply: Reply,
        milliseconds: float,
    ) -> None:
        """A call has been answered; without a `call`, it was none that could be made."""
        policy = call.policy if call is not None else principal.policy
        if Capability.DIAGNOSTICS not in policy.capabilities:
            return
        record: dict[str, Any] = {
            "kind": "call",
            "call": reply.call,
            "tool": call.tool.name if call is not None else "unknown",
            "ok": reply.ok,
            "sizeBytes": len(reply.text.encode("utf-8", "surrogatepass"))
            + sum(len(each.data) for each in reply.images),
            "warningsCount": _warnings(reply),
            "ms": round(milliseconds, 1),
        }
        if not reply.ok:
            record["failureKind"] = _failure(reply)
        if call is None:
            await self.write(principal, None, record)
            return
        # What cannot be masked is not written down.
        with suppress(MaskingFailed):
            masker, size = call.masker, len(str(arguments))
            given = await run_if_large(size, lambda: masker.value(dict(arguments)))
            record["args"] = outline(given)
            texts = [given[each] for each in _SCRIPTS if isinstance(given.get(each), str)]
            if texts and call.tool.capability is Capability.EVAL:
                record["script"] = script_of(texts[0])
        await self.write(principal, call.session_or_none, record)

    async def write(
        self, principal: Principal, session: Session | None, record: dict[str, Any]
    ) -> bool:
        """Add a line to those of a session; whether there was room. A call never fails for it."""
        line = {
            "at": instant(),
            "tenant": principal.tenant,
            "key": principal.id,
            **({"session": session.name, "sessionId": session.id} if session is not None else {}),
            **record,
        }
        place = session.id if session is not None else SERVER
        try:
            return await asyncio.to_thread(self.kept.write, place, line)
        except (OSError, SetupError) as error:
            if not self._failed:
                self._failed = True
                _log.warning(_NOT_WRITTEN, error=str(error))
            return False


def _warnings(reply: Reply) -> int:
    told = (reply.data or {}).get("warnings")
    return len(told) if isinstance(told, list) else 0


def _failure(reply: Reply) -> str:
    if reply.error is not None:
        return reply.error.code
    data = reply.data or {}
    said = data.get("code") or (data.get("failure") or {}).get("kind")
    return said if isinstance(said, str) else "failed"
