"""Downloads are taken over once, when they are whole, and told of while they are not."""

from __future__ import annotations

import asyncio

from tests.support.callers import Caller


async def test_a_small_file_is_there_at_once_and_once(caller: Caller) -> None:
    caller.site.page(
        "/file", "content", headers={"content-disposition": "attachment; filename=a.txt"}
    )
    await caller.show("<a href=/file>Get</a>")
    reply = await caller.reply("click", selector="text=Get")
    assert len(reply.links) == 1
    session = caller.kernel.sessions.find(caller.principal, "default")
    assert [kept.name for kept in caller.kernel.artifacts.of(session)] == ["a.txt"]
    assert (await caller.reply("press", key="Tab")).links == ()


async def test_a_download_that_was_stopped_says_so(mighty: Caller) -> None:
    await mighty.show("<a href=/trickle download>Get</a>")
    reply = await mighty.reply("click", selector="text=Get")
    assert reply.data is not None
    (row,) = reply.data["downloads"]
    assert row["state"] == "running"
    assert "uri" not in row
    context = mighty.kernel.sessions.find(mighty.principal, "default").context
    assert context is not None
    await context.cancel_download(row["id"])
    refusal = await mighty.refused("download_get", id=row["id"])
    assert (refusal["code"], refusal["reason"]) == ("download_failed", "canceled")


async def test_a_slow_one_goes_on_and_is_fetched_later(mighty: Caller) -> None:
    gate = asyncio.Event()
    mighty.site.page(
        "/slow", "whole", delay=gate, headers={"content-disposition": "attachment; filename=s.txt"}
    )
    await mighty.show("<a href=/slow>Get</a>")
    await mighty.reply("click", selector="text=Get", timeoutMs=2000)
    gate.set()
    context = mighty.kernel.sessions.find(mighty.principal, "default").context
    assert context is not None
    while not context.downloads:
        await mighty.reply("press", key="Tab")
    got = await mighty.ok("download_get", id=context.downloads[0].id)
    assert (got["suggestedFilename"], got["sizeBytes"]) == ("s.txt", 5)


async def test_two_who_fetch_at_once_have_one_file(mighty: Caller) -> None:
    mighty.site.page(
        "/a.txt", "whole", headers={"content-disposition": "attachment; filename=a.txt"}
    )
    await mighty.show("<a href=/a.txt>Get</a>")
    await mighty.ok("downloads_capture", on=False)
    row = (await mighty.ok("click", selector="text=Get"))["downloads"][0]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(mighty.ok("download_get", id=row["id"])) for _ in range(3)]
    assert len({task.result()["uri"] for task in tasks}) == 1
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    assert [kept.name for kept in mighty.kernel.artifacts.of(session)] == ["a.txt"]


async def test_a_file_is_found_by_name_id_or_address(mighty: Caller) -> None:
    mighty.site.page(
        "/a.txt", "whole", headers={"content-disposition": "attachment; filename=a.txt"}
    )
    await mighty.show("<a href=/a.txt>Get</a>")
    row = (await mighty.ok("click", selector="text=Get"))["downloads"][0]
    for name in (row["id"], row["uri"], "a.txt", mighty.site.url("/a.txt")):
        assert (await mighty.ok("artifact_get", name=name))["content"] == "whole"
    assert (await mighty.refused("artifact_get", name="b.txt"))["code"] == "artifact_not_found"
