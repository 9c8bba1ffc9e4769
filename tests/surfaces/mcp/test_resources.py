from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

import pytest
from mcp.types import BlobResourceContents, TextResourceContents

from stockade.errors import ArtifactNotFound, CapabilityDisabled, InvalidArgument, QuotaExceeded
from stockade.policy.principal import Role
from stockade.sessions.session import Session
from stockade.surfaces.mcp.resources import LARGEST, TEMPLATES, listed, read
from tests.support.callers import Caller


async def opened(caller: Caller) -> Session:
    return await caller.kernel.sessions.reach(caller.principal, "default")


async def test_bytes_come_as_a_blob_and_text_as_text(mighty: Caller) -> None:
    caller = mighty
    session = await opened(caller)
    keep = caller.kernel.artifacts.keep
    picture = keep(session, "screenshot", "a.png", b"\x89PNG\xff", "image/png")
    table = keep(session, "download", "a.csv", "ä,b\n".encode())
    odd = keep(session, "download", "odd.txt", b"\xff\xfe")
    found = [
        await read(caller.kernel, caller.principal, each.uri) for each in (picture, table, odd)
    ]
    assert isinstance(found[0], BlobResourceContents)
    assert b64decode(found[0].blob) == b"\x89PNG\xff"
    assert isinstance(found[1], TextResourceContents)
    assert found[1].text == "ä,b\n"
    assert isinstance(found[2], BlobResourceContents)


async def test_a_download_is_for_who_may_have_files(caller: Caller) -> None:
    session = await opened(caller)
    kept = caller.kernel.artifacts.keep(session, "download", "a.txt", b"content")
    with pytest.raises(CapabilityDisabled, match="content of a download"):
        await read(caller.kernel, caller.principal, kept.uri)


async def test_text_and_names_are_masked(mighty: Caller) -> None:
    caller = mighty
    session = await opened(caller)
    caller.kernel.masker.add("PASSWORD", "hunter2-of-resources")
    kept = caller.kernel.artifacts.keep(
        session, "download", "hunter2-of-resources.txt", b"it is hunter2-of-resources"
    )
    found = await read(caller.kernel, caller.principal, kept.uri)
    assert isinstance(found, TextResourceContents)
    assert found.text == "it is <PASSWORD>"
    [shown], _ = listed(caller.kernel, caller.principal, None)
    assert shown.name == "<PASSWORD>.txt"


async def test_what_belongs_to_another_is_not_there(caller: Caller) -> None:
    session = await opened(caller)
    kept = caller.kernel.artifacts.keep(session, "download", "a.txt", b"mine")
    another = caller.another()
    assert listed(caller.kernel, another.principal, None) == ([], None)
    with pytest.raises(ArtifactNotFound):
        await read(caller.kernel, another.principal, kept.uri)
    other_tenant = replace(caller.principal, tenant="other", role=Role.ADMIN)
    with pytest.raises(ArtifactNotFound):
        await read(caller.kernel, other_tenant, kept.uri)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "stockade://",
        "file:///etc/passwd",
        "stockade://ses_0/screenshots/../../etc/passwd",
        "stockade://ses_0/downloads/%2e%2e",
        "x" * 100_000,
    ],
    ids=lambda address: address[:30],
)
async def test_other_addresses_lead_nowhere(caller: Caller, address: str) -> None:
    await opened(caller)
    with pytest.raises(ArtifactNotFound) as caught:
        await read(caller.kernel, caller.principal, address)
    assert "passwd" not in caught.value.message


async def test_what_is_too_large_for_a_message_says_so(caller: Caller) -> None:
    session = await opened(caller)
    kept = caller.kernel.artifacts.keep(session, "screenshot", "a.bin", bytes(LARGEST + 1))
    with pytest.raises(QuotaExceeded) as caught:
        await read(caller.kernel, caller.principal, kept.uri)
    assert caught.value.details["size"] == LARGEST + 1


async def test_text_that_is_mostly_escapes_comes_in_base64(mighty: Caller) -> None:
    session = await opened(mighty)
    keep = mighty.kernel.artifacts.keep
    plain = keep(session, "download", "a.txt", b"x" * 50_000)
    marks = keep(session, "download", "b.txt", b'"' * 50_000)
    for kept, kind in ((plain, TextResourceContents), (marks, BlobResourceContents)):
        assert isinstance(await read(mighty.kernel, mighty.principal, kept.uri, 50_000), kind)


async def test_a_file_that_has_just_gone_is_not_there(caller: Caller) -> None:
    session = await opened(caller)
    kept = caller.kernel.artifacts.keep(session, "screenshot", "a.txt", b"x")
    kept.path.unlink()
    with pytest.raises(ArtifactNotFound):
        await read(caller.kernel, caller.principal, kept.uri)


async def test_a_long_list_comes_in_pages_that_add_up(caller: Caller) -> None:
    session = await opened(caller)
    kept = [
        caller.kernel.artifacts.keep(session, "download", f"{number}.txt", b"x")
        for number in range(250)
    ]
    pages = []
    cursor: str | None = None
    while True:
        page, cursor = listed(caller.kernel, caller.principal, cursor)
        pages.append(page)
        if cursor is None:
            break
    assert [len(page) for page in pages] == [100, 100, 50]
    found = [each for page in pages for each in page]
    assert {each.uri for each in found} == {each.uri for each in kept}
    assert [(each.size, each.mime_type) for each in found[:1]] == [(1, "text/plain")]


@pytest.mark.parametrize("cursor", ["", "x", "-", "\x00"])
async def test_a_cursor_of_nobody_is_refused(caller: Caller, cursor: str) -> None:
    with pytest.raises(InvalidArgument):
        listed(caller.kernel, caller.principal, cursor)


def test_the_templates_are_those_of_the_addresses() -> None:
    assert [each.uri_template for each in TEMPLATES] == [
        "stockade://{session_id}/screenshots/{id}",
        "stockade://{session_id}/downloads/{id}",
    ]
