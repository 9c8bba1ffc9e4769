"""Caches, as tools."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.support.callers import Caller
from tests.tools.inside import in_page

FILLED = """<script>
  const ready = (async () => {
    const cache = await caches.open('pages');
    await cache.put('/menu?page=1', new Response('green tea, grün', { headers: { 'content-type': 'text/plain', 'x-kind': 'menu' } }));
    await cache.put('/menu?page=2', new Response('{}', { status: 404, headers: { 'content-type': 'application/json' } }));
    await cache.put('/logo.png', new Response(new Uint8Array([137, 80, 78, 71, 0, 255]), { headers: { 'content-type': 'image/png' } }));
    const opaque = await fetch('OTHER/far.txt', { mode: 'no-cors' });
    await cache.put('/far.txt', opaque);
    Object.defineProperty(window, 'caches', { value: { keys: async () => ['lie'] } });
    Cache.prototype.match = async () => new Response('lie');
  })();
</script>"""


@pytest.fixture
async def filled(mighty: Caller) -> Caller:
    mighty.site.other.page("/far.txt", "far away")
    await mighty.show(FILLED.replace("OTHER", mighty.site.other.url("")))
    await in_page(mighty, "async () => { await ready; }")
    return mighty


async def get(caller: Caller, path: str, cache: str = "pages") -> dict[str, Any]:
    return await caller.ok("caches_get", cacheName=cache, url=caller.site.url(path))


async def test_caches_and_entries_are_listed(filled: Caller) -> None:
    storages = await filled.ok("caches_list_storages")
    assert (storages["count"], storages["names"]) == (1, ["pages"])
    assert storages["origin"] == filled.site.url("")
    listed = await filled.ok("caches_list", cacheName="pages")
    assert listed["count"] == 4
    assert {each["method"] for each in listed["entries"]} == {"GET"}
    some = await filled.ok("caches_list", cacheName="pages", urlPattern="**/menu?page=*")
    assert [each["url"] for each in some["entries"]] == [
        filled.site.url("/menu?page=1"),
        filled.site.url("/menu?page=2"),
    ]


async def test_a_part_of_an_address_is_enough(filled: Caller) -> None:
    for pattern in ("/menu?page", "*/menu?page=*", f"{filled.site.url('')}/menu*"):
        some = await filled.ok("caches_list", cacheName="pages", urlPattern=pattern)
        assert [each["url"] for each in some["entries"]] == [
            filled.site.url("/menu?page=1"),
            filled.site.url("/menu?page=2"),
        ], pattern
    # Letters count as they are written, and a scheme begins a whole address.
    for pattern in ("/MENU", filled.site.url("/menu")):
        none = await filled.ok("caches_list", cacheName="pages", urlPattern=pattern)
        assert none["entries"] == [], pattern


async def test_an_answer_is_text_or_bytes(filled: Caller) -> None:
    text = await get(filled, "/menu?page=1")
    assert (text["found"], text["kind"], text["text"]) == (True, "text", "green tea, grün")
    assert (text["status"], text["contentType"]) == (200, "text/plain")
    assert (text["headers"]["x-kind"], text["byteLength"]) == ("menu", 16)
    assert (await get(filled, "/menu?page=2"))["status"] == 404
    picture = await get(filled, "/logo.png")
    assert (picture["kind"], picture["byteLength"]) == ("binary", 6)
    assert base64.b64decode(picture["contentBase64"]) == b"\x89PNG\x00\xff"


async def test_an_answer_that_the_page_cannot_read_is_told_as_such(filled: Caller) -> None:
    far = await get(filled, "/far.txt")
    assert (far["found"], far["opaque"], far["byteLength"], far["status"]) == (True, True, 0, 0)


async def test_looking_makes_nothing(filled: Caller) -> None:
    assert (await get(filled, "/nowhere"))["found"] is False
    assert (await get(filled, "/menu?page=1", "other"))["found"] is False
    refused = await filled.refused("caches_list", cacheName="other")
    assert refused["code"] == "not_found"
    assert "pages" in refused["hint"]
    assert (await filled.refused("caches_clear", cacheName="other"))["code"] == "not_found"
    assert (await filled.ok("caches_list_storages"))["names"] == ["pages"]


async def test_what_is_put_is_what_the_page_finds(mighty: Caller) -> None:
    await mighty.show("<p>hello")
    url = mighty.site.url("/api/tea")
    made = await mighty.ok(
        "caches_put",
        cacheName="new",
        url=url,
        response={"status": 201, "headers": {"content-type": "text/plain"}, "body": "grün"},
    )
    assert (made["created"], made["byteLength"]) == (True, 5)
    found = await in_page(
        mighty,
        "async url => { const found = await caches.match(url);"
        " return [found.status, found.headers.get('content-type'), await found.text()]; }",
        url,
    )
    assert found == [201, "text/plain", "grün"]
    raw = base64.b64encode(b"\x00\xff").decode()
    again = await mighty.ok("caches_put", cacheName="new", url=url, response={"contentBase64": raw})
    assert again["created"] is False
    assert (await get(mighty, "/api/tea", "new"))["contentBase64"] == raw
    await mighty.ok("caches_put", cacheName="new", url=url, response={"status": 204})
    assert (await get(mighty, "/api/tea", "new"))["status"] == 204


async def test_what_no_cache_can_hold_is_refused(mighty: Caller) -> None:
    await mighty.show("<p>hello")
    impossible: list[dict[str, Any]] = [
        {"contentBase64": "not base64!"},
        {"body": "a", "contentBase64": "YQ=="},
        {"status": 204, "body": "a"},
        {"status": 206, "body": "a"},
        {"status": 100},
        {"headers": {"bad header": "x"}},
        {"headers": {"vary": "*"}},
    ]
    for response in impossible:
        refused = await mighty.refused(
            "caches_put", cacheName="new", url=mighty.site.url("/a"), response=response
        )
        assert refused["code"] == "invalid_argument", response


async def test_entries_and_caches_go(filled: Caller) -> None:
    url = filled.site.url("/logo.png")
    assert (await filled.ok("caches_delete", cacheName="pages", url=url))["deleted"] is True
    assert (await filled.ok("caches_delete", cacheName="pages", url=url))["deleted"] is False
    assert (await filled.ok("caches_clear", cacheName="pages"))["cleared"] == 3
    assert (await filled.ok("caches_list", cacheName="pages"))["count"] == 0
    assert (await filled.ok("caches_delete_storage", cacheName="pages"))["deleted"] is True
    assert (await filled.ok("caches_delete_storage", cacheName="pages"))["deleted"] is False
    assert (await filled.ok("caches_list_storages"))["count"] == 0


async def test_a_large_body_is_in_a_file(mighty: Caller) -> None:
    await mighty.show("<p>hello")
    body = "tea " * 100_000
    url = mighty.site.url("/big")
    await mighty.ok("caches_put", cacheName="new", url=url, response={"body": body})
    found = await get(mighty, "/big", "new")
    assert (found["kind"], found["byteLength"]) == ("text", 400_000)
    assert "text" not in found
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    assert mighty.kernel.artifacts.named(session, found["uri"]).path.read_text() == body


async def test_a_frame_has_the_caches_of_its_origin(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<script>caches.open('inner')</script>")
    await caller.show(f"<iframe src={inner}></iframe>")
    await caller.text("snapshot")
    assert (await caller.ok("caches_list_storages", frame="f1"))["names"] == ["inner"]
    assert (await caller.ok("caches_list_storages"))["names"] == []


async def test_addresses_may_be_relative_to_the_page(filled: Caller) -> None:
    for url in ("/menu?page=1", "menu?page=1", filled.site.url("/menu?page=1")):
        got = await filled.ok("caches_get", cacheName="pages", url=url)
        assert got["text"] == "green tea, grün"
    put = await filled.ok("caches_put", cacheName="pages", url="/new", response={"body": "x"})
    assert put["url"] == filled.site.url("/new")
    assert (await filled.ok("caches_delete", cacheName="pages", url="/new"))["deleted"]
    refused = await filled.refused("caches_get", cacheName="pages", url="file:///etc/passwd")
    assert refused["code"] == "address_denied"
    assert (await filled.refused("caches_get", cacheName="pages", url="http://"))["code"] == (
        "invalid_argument"
    )
