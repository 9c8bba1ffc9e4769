"""Downloads are taken over once, when they are whole, and told of while they are not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from stockade.errors import CapabilityDisabled
from tests.support.callers import Caller

SECRET = "hunter2-of-downloads"
SAVES = """<input type=password aria-label=Password><button onclick="save()">Export</button><script>
function save() {
  const link = document.createElement('a');
  const bytes = pack(document.querySelector('input').value);
  link.href = URL.createObjectURL(new Blob([bytes], {type: 'application/octet-stream'}));
  link.download = 'export.' + kind; link.click(); }
</script>"""
PLAIN = "<script>const kind = 'bin', pack = text => 'it is ' + text</script>"
PICTURE = "<script>const kind = 'png', pack = text => 'it is ' + text</script>"
BINARY = """<script>const kind = 'bin', pack = text => new Uint8Array(
  [0, 1, 2, 255, ...new TextEncoder().encode(text)])</script>"""
SEALED = (
    "<script>const kind = 'zip', pack = text => 'PK\\x03\\x04\\x00\\x01' + text.length</script>"
)


async def saved(mighty: Caller, packing: str) -> dict[str, Any]:
    """What is told of a download that holds what a secret was filled into."""
    mighty.kernel.masker.add("PASSWORD", SECRET)
    await mighty.show(SAVES + packing)
    await mighty.ok("register_secret", name="PASSWORD", value=SECRET)
    await mighty.ok("fill", selector="label=Password", value="<PASSWORD>")
    (row,) = (await mighty.ok("click", selector="text=Export"))["downloads"]
    return dict(row)


@pytest.mark.parametrize("packing", [PLAIN, PICTURE])
async def test_a_secret_that_a_page_saves_is_masked(mighty: Caller, packing: str) -> None:
    row = await saved(mighty, packing)
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    (kept,) = mighty.kernel.artifacts.of(session)
    assert kept.path.read_text() == "it is <PASSWORD>"
    assert row["sizeBytes"] == len("it is <PASSWORD>")


@pytest.mark.parametrize("packing", [BINARY, SEALED])
async def test_what_cannot_be_masked_is_withheld(mighty: Caller, packing: str) -> None:
    row = await saved(mighty, packing)
    assert "uri" not in row
    assert "secret" in row["problem"]
    refusal = await mighty.refused("download_get", id=row["id"])
    assert refusal["code"] == "file_withheld"
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    assert mighty.kernel.artifacts.of(session) == []


async def test_an_archive_from_where_no_secret_was_filled_in_is_given(mighty: Caller) -> None:
    mighty.kernel.masker.add("PASSWORD", SECRET)
    await mighty.show(SAVES + SEALED)
    (row,) = (await mighty.ok("click", selector="text=Export"))["downloads"]
    assert row["uri"]


async def test_without_file_io_a_download_is_told_of_and_not_given(
    caller: Caller, mighty: Caller
) -> None:
    caller.site.page(
        "/file", "content", headers={"content-disposition": "attachment; filename=a.txt"}
    )
    await caller.show("<a href=/file>Get</a>")
    reply = await caller.reply("click", selector="text=Get")
    assert reply.links == ()
    assert reply.data is not None
    (row,) = reply.data["downloads"]
    assert "file-io is off" in row["problem"]
    assert not {"uri", "path"} & row.keys()
    session = caller.kernel.sessions.find(caller.principal, "default")
    assert caller.kernel.artifacts.of(session) == []
    for name in (row["id"], "a.txt", caller.site.url("/file")):
        for tool in ("artifact_get", "read_file"):
            assert (await caller.refused(tool, name=name))["code"] == "capability_disabled"
    # What somebody else has fetched is not for it either.
    kept = caller.kernel.artifacts.keep(session, "download", "a.txt", b"content")
    assert (await caller.refused("artifact_get", name=kept.uri))["code"] == "capability_disabled"
    for principal in (caller.principal, mighty.principal):
        with pytest.raises(CapabilityDisabled):
            caller.kernel.artifacts.find(caller.kernel.sessions, principal, kept.uri)


async def test_a_small_file_is_there_at_once_and_once(mighty: Caller) -> None:
    caller = mighty
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
