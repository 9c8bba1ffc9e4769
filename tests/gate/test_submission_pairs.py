"""Every way to send a form with every change to it: nothing arrives that a person was not shown."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from email import message_from_bytes
from email.message import Message
from itertools import product
from typing import Any
from urllib.parse import parse_qsl

import pytest

from stockade.errors import EngineError
from tests.gate.test_submissions import CHANGES, WAYS, deny_all, desk, received
from tests.support.desk import Desk, script
from tests.support.site import Request
from tests.support.soak import Soak
from tests.support.waiting import until

__all__ = ["desk"]

_MOST_QUESTIONS = 4

Told = tuple[str, str, Any]
"""The method, the address, and what was sent: names and values, or a digest."""


def told(form: dict[str, Any]) -> Told:
    """What a person was shown."""
    fields = form.get("fields")
    what = form["sha256"] if fields is None else [(each["name"], each["value"]) for each in fields]
    return form["method"], form["action"], what


def arrived(request: Request, url: str) -> Told:
    """What the site got, read by other means than those of the gate."""
    method = request.method.lower()
    if method == "get":
        return method, url, parse_qsl(request.query, keep_blank_values=True)
    address = f"{url}?{request.query}" if request.query else url
    return method, address, _carried(request.headers.get("content-type", ""), request.body)


def _carried(kind: str, body: bytes) -> Any:
    if kind.startswith("application/x-www-form-urlencoded"):
        return parse_qsl(body.decode(), keep_blank_values=True)
    if kind.startswith("multipart/form-data"):
        message = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
        return [
            (part.get_param("name", header="content-disposition"), _payload(part))
            for part in message.walk()
            if not part.is_multipart()
        ]
    if kind.startswith("application/json"):
        return list(json.loads(body).items())
    if b"=" in body:
        rows = body.decode().removesuffix("\r\n").split("\r\n")
        return [tuple(each.split("=", 1)) for each in rows]
    return hashlib.sha256(body).hexdigest()


def _payload(part: Message) -> str:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


async def send(desk: Desk, way: str, change: str, *, early: bool) -> list[Told]:
    """Do it, agree to whatever is asked, and have the page change before or after each yes."""
    agent = desk.agent
    html, calls = WAYS[way]
    await agent.show(html)
    for tool, arguments in calls:
        await agent.reply(tool, **arguments)
    await until(lambda: bool(desk.pending))
    shown: list[Told] = []
    for _ in range(_MOST_QUESTIONS):
        question = desk.pending[-1]
        shown.append(told(question.facts["form"]))
        if early:
            await _change(desk, change)
        if not question.pending:
            break
        await desk.approvals.answer(desk.operator, question.id, "approve")
        if not early:
            await _change(desk, change)
        await agent.reply(tool, **arguments, approval=question.id)
        if not desk.pending:
            break
    await deny_all(desk)
    if tool == "touch_start":
        await agent.reply("touch_end")
    for each in agent.kernel.sessions.find(agent.principal, "default").tabs[1:]:
        await each.page.close()
    return shown


async def _change(desk: Desk, change: str) -> None:
    """A page that has gone elsewhere meanwhile cannot be changed."""
    with suppress(EngineError):
        await script(desk.agent, f"try {{ {CHANGES[change]} }} catch {{}}")


@pytest.mark.soak
async def test_nothing_arrives_that_was_not_shown(desk: Desk, soak: Soak) -> None:
    pairs = list(product(WAYS, CHANGES))
    site = desk.agent.site
    for way, change in soak.random.sample(pairs, soak.rounds(len(pairs))):
        early = soak.random.random() < 0.5
        case = f"{way}, {change}, {'before' if early else 'after'} the yes"
        site.requests.clear()
        shown = await send(desk, way, change, early=early)
        if not CHANGES[change]:
            # Whoever changes nothing is heard.
            await until(lambda: bool(received(desk.agent)))
        # Where a site sends whoever asked on, without anything of a form, is no sending of one.
        sent = [each for each in received(desk.agent) if each.method != "GET" or each.query]
        for request in sent:
            assert arrived(request, site.url(request.path)) in shown, case
        assert len(sent) <= len(shown), case
