"""Those who are not looking are told."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from stockade.kernel.questions import Question
from stockade.kernel.webhook import Webhook, signature
from stockade.policy.principal import Principal
from stockade.sessions.work import Work
from tests.support.site import Request, Response, Site

KEY = b"k" * 32


def question() -> Question:
    somebody = Principal("key_1")
    due = asyncio.get_running_loop().time() + 60
    return Question("action", somebody, somebody, due, {"tool": "click"})


async def test_a_question_is_posted_signed_and_again_if_it_was_not_taken(site: Site) -> None:
    answers = iter([500, 204])

    async def hook(_: Request) -> Response:
        return Response(status=next(answers))

    site.route("/hook", hook)
    asked = question()
    async with Work() as work:
        Webhook(site.url("/hook"), lambda: KEY, work, pause=0.001).tell(asked)
    first, second = site.asked("/hook")
    assert first.body == second.body
    at = second.headers["stockade-timestamp"]
    assert second.headers["stockade-signature"] == f"sha256={signature(KEY, at, second.body)}"
    told = json.loads(second.body)
    assert (told["type"], told["approval"]["id"]) == ("approval.asked", asked.id)
    assert told["approval"]["picture"] is False


async def test_what_nobody_takes_is_logged_without_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[dict[str, Any]] = []
    log = "stockade.kernel.webhook._log.warning"
    monkeypatch.setattr(log, lambda said, **facts: lines.append({"said": said, **facts}))
    nowhere = "http://127.0.0.1:1/secret-path"
    async with Work() as work:
        Webhook(nowhere, lambda: KEY, work, pause=0.001).tell(question())
    [line] = lines
    assert line["reason"] == "ConnectError"
    assert "secret-path" not in str(line)


async def test_the_end_does_not_wait_for_it(site: Site) -> None:
    never = asyncio.Event()
    site.page("/hook", "", delay=never)
    async with asyncio.timeout(5), Work() as work:
        webhook = Webhook(site.url("/hook"), lambda: KEY, work)
        webhook.tell(question())
        await site.wait_asked("/hook")
        webhook.close()
    never.set()
