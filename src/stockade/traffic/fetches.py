"""Fetches that go through service workers, answered in their place."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from stockade.engines.port import Context
from stockade.engines.routing import Answer
from stockade.page.patterns import address_pattern
from stockade.page.scripts import script
from stockade.sessions.session import Session
from stockade.traffic.routing import Routing, Rule

__all__ = ["FetchRules"]

_START_PATIENCE = 5.0


class FetchRules:
    """Answers for fetches that go through service workers, and for those they make."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._token = f"t{secrets.token_hex(16)}"
        self._remove: Callable[[], Awaitable[None]] | None = None
        self._changing = asyncio.Lock()
        self.rules: dict[str, Answer] = {}
        """By pattern, the newest last."""
        session.after_start.append(self._begin)

    @classmethod
    def of(cls, session: Session) -> FetchRules:
        """Those of a session."""
        return session.parts.of(cls, lambda: cls(session))

    async def add(self, pattern: str, answer: Answer, *, timeout: float) -> None:
        """Answer for a pattern, in place of what was answered for it before."""
        rule = Rule(pattern, [answer], asker="service_worker")
        await Routing.of(self._session).add(rule, timeout=timeout)
        self.rules.pop(pattern, None)
        self.rules[pattern] = answer
        await self._install(timeout)

    async def remove(self, pattern: str | None, *, timeout: float) -> int:
        """Answer no more for a pattern, or for any; how many there were."""
        gone = [each for each in self.rules if pattern in {None, each}]
        for each in gone:
            del self.rules[each]
        if gone:
            await Routing.of(self._session).remove(
                lambda rule: rule.asker == "service_worker" and rule.pattern in gone,
                timeout=timeout,
            )
            await self._install(timeout)
        return len(gone)

    async def _begin(self, context: Context) -> None:
        self._remove = None
        if self.rules:
            self._remove = await self._run(context, _START_PATIENCE)

    async def _install(self, timeout: float) -> None:
        context = await self._session.started()
        async with self._changing:
            before = self._remove
            self._remove = await self._run(context, timeout)
            if before is not None:
                await before()
            if not self.rules:
                await self._remove()
                self._remove = None

    async def _run(self, context: Context, timeout: float) -> Callable[[], Awaitable[None]]:
        rules = json.dumps([_as_json(*each) for each in reversed(self.rules.items())])
        fits = script("address_pattern")
        code = f"() => ({script('workers_fetches')})({json.dumps(self._token)}, {rules}, {fits})"
        return await context.add_worker_script(code, lambda *_: None, timeout=timeout)


def _as_json(pattern: str, answer: Answer) -> dict[str, Any]:
    return {
        "parts": address_pattern(pattern).parts,
        "status": answer.status,
        "headers": list(answer.headers),
        "body": base64.b64encode(answer.body).decode(),
    }
