"""Downloads that wait for a person."""

from __future__ import annotations

import asyncio

import pytest

from stockade.policy.capabilities import Capability
from tests.support.asking import downloaded
from tests.support.callers import Caller
from tests.support.desk import Desk
from tests.support.waiting import until

PAGE = "<a id=a href=/data.csv download>get</a>"


async def begun(desk: Desk) -> dict[str, str]:
    site = desk.agent.site
    site.page("/data.csv", b"a,b\n1,2\n", content_type="text/csv")
    await desk.agent.show(PAGE)
    told = await desk.agent.ok("click", selector="#a")
    [row] = told["downloads"]
    return dict(row)


async def test_a_download_is_there_after_a_yes_and_gone_after_a_no(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = caller.kernel.settings.model_copy(update={"approval_wait": 0.01})
    monkeypatch.setattr(caller.kernel, "settings", settings)
    desk = Desk.of(caller, "file_download", capabilities=frozenset(Capability))
    first = await begun(desk)
    assert "uri" not in first
    assert "has not answered yet" in first["problem"]
    question = await desk.asked()
    assert question.facts["rules"] == ["file_download"]
    assert "data.csv from" in question.facts["prompt"]
    refused = await desk.agent.refused("download_get", id=first["id"])
    assert (refused["code"], refused["approval"]) == ("approval_pending", question.id)
    await desk.say("approve")
    got = await desk.agent.ok("download_get", id=first["id"])
    assert got["sizeBytes"] == 8
    # One yes, one download.
    second = await begun(desk)
    await desk.say("deny")
    refused = await desk.agent.refused("download_get", id=second["id"])
    assert (refused["code"], refused["reason"]) == ("approval_denied", "denied")
    session = caller.kernel.sessions.find(desk.agent.principal, "default")
    await until(lambda: second["id"] not in downloaded(session))


async def test_a_call_waits_for_it(caller: Caller) -> None:
    desk = Desk.of(caller, "file_download", capabilities=frozenset(Capability))
    row = await begun(desk)
    async with asyncio.TaskGroup() as group:
        getting = group.create_task(desk.agent.ok("download_get", id=row["id"]))
        await desk.say("approve")
    assert getting.result()["suggestedFilename"] == "data.csv"
    desk.approvals.standing.add(desk.operator, ["file_download"], "", 60)
    assert (await begun(desk))["uri"]
