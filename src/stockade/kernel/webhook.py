"""A webhook: tells those who are not looking that somebody waits for them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Final

from stockade.kernel.questions import Question
from stockade.sessions.work import Job, Work
from stockade.telemetry.logs import get_logger

__all__ = ["Webhook", "signature"]

_TRIES: Final = 3
_PAUSE: Final = 1.0
_TIMEOUT: Final = 5.0
_MOST_AT_A_TIME: Final = 4
_REFUSED: Final = 300

_log = get_logger("stockade.approvals")


def signature(key: bytes, at: str, body: bytes) -> str:
    """What proves that a message is ours and of that moment."""
    return hmac.new(key, at.encode() + b"." + body, hashlib.sha256).hexdigest()


class Webhook:
    """Posts every question to one address; that it fails is logged, and holds nobody up."""

    def __init__(
        self, url: str, key: Callable[[], bytes], work: Work, *, pause: float = _PAUSE
    ) -> None:
        self._url = url
        self._key = key
        self._work = work
        self._pause = pause
        self._room = asyncio.Semaphore(_MOST_AT_A_TIME)
        self._jobs: list[Job[None]] = []

    def tell(self, question: Question) -> None:
        """Say that a question has been asked, without its picture."""
        body = json.dumps({"type": "approval.asked", "approval": question.description})
        self._jobs = [each for each in self._jobs if each.running]
        self._jobs.append(self._work.start(lambda: self._send(question.id, body.encode())))

    def close(self) -> None:
        """Tell nobody any more."""
        for job in self._jobs:
            job.give_up()

    async def _send(self, id: str, body: bytes) -> None:
        import httpx  # noqa: PLC0415

        at = str(int(time.time()))
        headers = {
            "content-type": "application/json",
            "stockade-timestamp": at,
            "stockade-signature": f"sha256={signature(self._key(), at, body)}",
        }
        reason = ""
        async with self._room, httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False) as client:
            for tried in range(_TRIES):
                if tried:
                    await asyncio.sleep(self._pause * 2 ** (tried - 1))
                try:
                    response = await client.post(self._url, content=body, headers=headers)
                except (httpx.HTTPError, httpx.InvalidURL) as error:
                    # The address itself may be a secret, and the error may hold it.
                    reason = type(error).__name__
                    continue
                if response.status_code < _REFUSED:
                    return
                reason = f"status {response.status_code}"
        _log.warning("the webhook did not take a question", approval=id, reason=reason)
