"""Files as answers."""

from __future__ import annotations

import pytest

from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER
from stockade.surfaces.v1 import files
from stockade.surfaces.v1.files import wanted_part
from tests.support.serving import Served

CONTENT = bytes(range(256)) * 4000


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("", None),
        ("bytes=0-", range(10)),
        ("bytes=0-3", range(4)),
        ("bytes=3-3", range(3, 4)),
        ("bytes=3-100", range(3, 10)),
        ("bytes=-4", range(6, 10)),
        ("bytes=-40", range(10)),
        ("bytes=-0", range(10, 10)),
        ("bytes=10-", range(10, 10)),
        ("bytes=11-12", range(11, 11)),
        ("bytes=5-4", None),
        ("bytes=-", None),
        ("bytes=0-1,3-4", None),
        ("bytes=a-b", None),
        ("items=0-1", None),
        ("bytes=" + "9" * 30 + "-", None),
    ],
)
def test_one_range_is_understood(header: str, part: range | None) -> None:
    assert wanted_part(header, 10) == part


@pytest.fixture
async def href(mighty_server: Served) -> str:
    path = "/v1/sessions/default/artifacts/data.bin"
    made = await mighty_server.client.put(path, content=CONTENT)
    assert made.status_code in {200, 201}, made.text
    return str(made.json()["artifact"]["href"])


async def test_a_file_comes_whole_or_in_part(mighty_server: Served, href: str) -> None:
    client = mighty_server.client
    whole = await client.get(href)
    assert (whole.status_code, whole.content) == (200, CONTENT)
    assert whole.headers["accept-ranges"] == "bytes"
    assert whole.headers["content-length"] == str(len(CONTENT))
    assert whole.headers["content-disposition"] == "attachment; filename*=utf-8''data.bin"
    assert whole.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["cache-control"] == "no-store"
    for asked, part in (("bytes=100-199", CONTENT[100:200]), ("bytes=-5", CONTENT[-5:])):
        answer = await client.get(href, headers={"range": asked})
        assert (answer.status_code, answer.content) == (206, part)
        assert answer.headers["content-range"].endswith(f"/{len(CONTENT)}")
        assert answer.headers["content-length"] == str(len(part))
    beyond = await client.get(href, headers={"range": f"bytes={len(CONTENT)}-"})
    assert (beyond.status_code, beyond.json()["code"]) == (416, "range_not_satisfiable")
    assert beyond.headers["content-range"] == f"bytes */{len(CONTENT)}"
    odd = await client.get(href, headers={"range": "bytes=9-1"})
    assert (odd.status_code, odd.content) == (200, CONTENT)


async def test_a_tag_spares_the_way(mighty_server: Served, href: str) -> None:
    client = mighty_server.client
    tag = (await client.get(href)).headers["etag"]
    known = await client.get(href, headers={"if-none-match": tag})
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", tag)
    for named, status in ((tag, 206), ('"another"', 200)):
        part = await client.get(href, headers={"range": "bytes=0-0", "if-range": named})
        assert part.status_code == status


async def test_a_look_reads_nothing(mighty_server: Served, href: str) -> None:
    for headers in ({}, {"range": "bytes=0-9"}):
        got = await mighty_server.client.get(href, headers=headers)
        head = await mighty_server.client.head(href, headers=headers)
        assert (head.status_code, head.content) == (got.status_code, b"")
        for name in ("content-length", "content-type", "etag", "accept-ranges"):
            assert head.headers[name] == got.headers[name]


async def test_a_name_is_shown_and_cannot_break_out(mighty_server: Served) -> None:
    path = "/v1/sessions/default/artifacts/a%3B%20b%C3%BC.txt"
    await mighty_server.client.put(path, content=b"x")
    answer = await mighty_server.client.get(path)
    assert (
        answer.headers["content-disposition"] == "attachment; filename*=utf-8''a%3B%20b%C3%BC.txt"
    )
    assert answer.headers["content-type"] == "text/plain"


async def test_text_is_masked_and_parts_are_parts_of_that(
    mighty_server: Served, masker: Masker, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = mighty_server.client
    path = "/v1/sessions/default/artifacts/notes.txt"
    await client.put(path, content=b"it is hunter2-of-rest, they say")
    before = await client.get(path)
    masker.add("PASSWORD", "hunter2-of-rest")
    try:
        after = await client.get(path)
        assert after.text == "it is <PASSWORD>, they say"
        assert after.headers["etag"] != before.headers["etag"]
        assert after.headers["content-length"] == str(len(after.content))
        part = await client.get(path, headers={"range": "bytes=6-12"})
        assert part.text == "<PASSWO"
        monkeypatch.setattr(files, "LARGEST_MASKED", 10)
        refused = await client.get(path)
        assert (refused.status_code, refused.json()["code"]) == (429, "quota_exceeded")
        assert "hunter2" not in refused.text
    finally:
        masker.forget(SERVER)
