"""IndexedDB, as tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.callers import Caller
from tests.tools.inside import in_page

FILLED = """<script>
  const open = (name, version, build) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => build(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const put = (database, store, ...record) => new Promise((resolve, reject) => {
    const request = database.transaction(store, 'readwrite').objectStore(store).put(...record);
    request.onsuccess = resolve;
    request.onerror = () => reject(request.error);
  });
  const get = async (store, key) => new Promise((resolve) => {
    const request = window.shop.transaction(store).objectStore(store).get(key);
    request.onsuccess = () => resolve(request.result);
  });
  const ready = (async () => {
    // Held open, as most pages do.
    window.shop = await open('shop', 3, (database) => {
      database.createObjectStore('plain');
      const teas = database.createObjectStore('teas', { keyPath: 'info.id' });
      teas.createIndex('by name', 'name', { unique: true });
      database.createObjectStore('log', { autoIncrement: true });
      database.createObjectStore('pairs', { keyPath: ['a', 'b'] });
    });
    await put(window.shop, 'plain', { total: 10, note: 'grün' }, 'first');
    await put(window.shop, 'teas', { info: { id: 1 }, name: 'Assam' });
    Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error('no'); } } });
    IDBObjectStore.prototype.get = () => { throw new Error('no'); };
  })();
</script>"""

KINDS: dict[str, tuple[str, Any]] = {
    "date": ("new Date(0)", {"$date": "1970-01-01T00:00:00.000Z"}),
    "buffer": ("new Uint8Array([1, 2]).buffer", {"$binary": "AQI="}),
    "array": ("new Uint16Array([1])", {"$binary": "AQA=", "type": "Uint16Array"}),
    "map": (
        "new Map([['a', new Date(0)]])",
        {"$map": [["a", {"$date": "1970-01-01T00:00:00.000Z"}]]},
    ),
    "set": ("new Set([1, 'a'])", {"$set": [1, "a"]}),
    "bigint": ("12345678901234567890n", {"$bigint": "12345678901234567890"}),
    "undefined": ("({ a: undefined })", {"a": {"$undefined": True}}),
    "numbers": (
        "[NaN, Infinity, -0, 1.5]",
        [{"$number": "NaN"}, {"$number": "Infinity"}, {"$number": "-0"}, 1.5],
    ),
    "regexp": ("/a+/gi", {"$regexp": "a+", "flags": "gi"}),
    "blob": (
        "new Blob(['hi'], { type: 'text/plain' })",
        {"$blob": {"type": "text/plain", "base64": "aGk="}},
    ),
    "file": (
        "new File(['hi'], 'a.txt')",
        {"$blob": {"type": "", "name": "a.txt", "base64": "aGk="}},
    ),
    "dollars": ("({ $date: 1 })", {"$object": {"$date": 1}}),
    "null": ("null", None),
    "text": ("'grün 🍵'", "grün 🍵"),
}


KEYS: dict[str, Any] = {
    "7": 7,
    "-1.5": -1.5,
    "''": "",
    "['a', [1, new Date(0)]]": ["a", [1, {"$date": "1970-01-01T00:00:00Z"}]],
    "new Date('2026-01-31T12:00:00Z')": {"$date": "2026-01-31T12:00:00Z"},
    "new Uint8Array([1, 2])": {"$binary": "AQI="},
    "Infinity": {"$number": "Infinity"},
}

SEEN = """async () => Promise.all(['a', 'b'].map((key) => new Promise((resolve) => {
  const request = shop.transaction('plain').objectStore('plain').getAll(key);
  request.onsuccess = () => resolve(Object.prototype.toString.call(request.result[0]));
})))"""

IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    ("teas", {"key": 5, "value": {"info": {"id": 6}}}, "invalid_argument"),
    ("teas", {"value": {"name": "no id"}}, "invalid_argument"),
    ("teas", {"value": {"info": {"id": 9}, "name": "Assam"}}, "conflict"),
    ("plain", {"value": 1}, "invalid_argument"),
    ("plain", {"key": True, "value": 1}, "invalid_argument"),
    ("plain", {"key": {"a": 1}, "value": 1}, "invalid_argument"),
    ("plain", {"key": {"$date": "never"}, "value": 1}, "invalid_argument"),
    ("plain", {"key": {"$binary": "!"}, "value": 1}, "invalid_argument"),
    ("plain", {"key": "a", "value": {"$odd": 1}}, "invalid_argument"),
    ("plain", {"key": "a", "value": {"$map": 3}}, "invalid_argument"),
    (
        "plain",
        {"key": "a", "value": {"$binary": "AQ==", "type": "Function"}},
        "invalid_argument",
    ),
    ("nowhere", {"key": "a", "value": 1}, "not_found"),
]


@pytest.fixture
async def filled(mighty: Caller) -> Caller:
    await mighty.show(FILLED)
    await in_page(mighty, "async () => { await ready; }")
    return mighty


async def get(caller: Caller, store: str, key: Any, **more: Any) -> dict[str, Any]:
    return await caller.ok("idb_get", dbName="shop", storeName=store, key=key, **more)


async def put(caller: Caller, store: str, **record: Any) -> dict[str, Any]:
    return await caller.ok("idb_put", dbName="shop", storeName=store, **record)


async def test_databases_and_stores_are_listed(filled: Caller) -> None:
    listed = await filled.ok("idb_list_databases")
    assert listed["databases"] == [{"name": "shop", "version": 3}]
    assert (listed["count"], listed["supported"], listed["origin"]) == (
        1,
        True,
        filled.site.url(""),
    )
    stores = await filled.ok("idb_list_stores", dbName="shop")
    assert (stores["count"], stores["version"]) == (4, 3)
    assert stores["stores"] == ["log", "pairs", "plain", "teas"]
    teas = stores["details"][3]
    assert (teas["keyPath"], teas["autoIncrement"], teas["count"]) == ("info.id", False, 1)
    assert teas["indexes"] == [
        {"name": "by name", "keyPath": "name", "unique": True, "multiEntry": False}
    ]
    assert stores["details"][2]["firstKeys"] == ["first"]


async def test_records_are_those_of_the_page(filled: Caller) -> None:
    found = await get(filled, "plain", "first")
    assert (found["found"], found["value"]) == (True, {"total": 10, "note": "grün"})
    missing = await get(filled, "plain", "second")
    assert missing["found"] is False
    assert "value" not in missing
    await put(filled, "plain", key="second", value=[1, {"a": None}])
    assert (await get(filled, "plain", "second"))["value"] == [1, {"a": None}]


async def test_values_of_every_kind(filled: Caller) -> None:
    for kind, (source, tagged) in KINDS.items():
        await in_page(filled, f"async () => {{ await put(shop, 'plain', {source}, 'a'); }}")
        assert (await get(filled, "plain", "a"))["value"] == tagged, kind
        await put(filled, "plain", key="b", value=tagged)
        assert (await get(filled, "plain", "b"))["value"] == tagged, kind
        theirs, ours = await in_page(filled, SEEN)
        assert theirs == ours, kind


async def test_keys_of_every_kind(filled: Caller) -> None:
    for source, key in KEYS.items():
        await in_page(filled, f"async () => {{ await put(shop, 'plain', 'theirs', {source}); }}")
        assert (await get(filled, "plain", key))["value"] == "theirs", source
        await put(filled, "plain", key=key, value="ours")
        assert (await get(filled, "plain", key))["value"] == "ours", source
        gone = await filled.ok("idb_delete", dbName="shop", storeName="plain", key=key)
        assert gone["deleted"] is True, source
        assert (await get(filled, "plain", key))["found"] is False, source


async def test_keys_within_values(filled: Caller) -> None:
    assert (await put(filled, "teas", value={"info": {"id": 2}, "name": "Sencha"}))["key"] == 2
    assert (await put(filled, "teas", key=3, value={"name": "Oolong"}))["key"] == 3
    assert (await get(filled, "teas", 3))["value"] == {"name": "Oolong", "info": {"id": 3}}
    same = await put(filled, "teas", key=2, value={"info": {"id": 2}, "name": "Matcha"})
    assert same["key"] == 2
    assert (await put(filled, "pairs", value={"a": 1, "b": 2}))["key"] == [1, 2]
    assert (await get(filled, "pairs", [1, 2]))["found"] is True
    assert (await put(filled, "log", value="one"))["key"] == 1
    assert (await put(filled, "log", value="two"))["key"] == 2


async def test_a_record_that_cannot_be(filled: Caller) -> None:
    for store, record, code in IMPOSSIBLE:
        refused = await filled.refused("idb_put", dbName="shop", storeName=store, **record)
        assert refused["code"] == code, (store, record)
    stores = (await filled.ok("idb_list_stores", dbName="shop"))["details"]
    assert [each["count"] for each in stores] == [0, 0, 1, 1]


async def test_looking_and_putting_make_no_database(filled: Caller) -> None:
    for tool, more in (
        ("idb_get", {"key": 1}),
        ("idb_put", {"key": 1, "value": 1}),
        ("idb_delete", {"key": 1}),
        ("idb_clear", {}),
    ):
        refused = await filled.refused(tool, dbName="typo", storeName="plain", **more)
        assert refused["code"] == "not_found"
        assert "shop" in refused["hint"]
        refused = await filled.refused(tool, dbName="shop", storeName="typo", **more)
        assert "plain" in refused["hint"]
    assert (await filled.refused("idb_list_stores", dbName="typo"))["code"] == "not_found"
    assert (await filled.ok("idb_list_databases"))["databases"] == [{"name": "shop", "version": 3}]


async def test_records_go(filled: Caller) -> None:
    arguments = {"dbName": "shop", "storeName": "plain"}
    assert (await filled.ok("idb_delete", **arguments, key="nothing"))["deleted"] is False
    await put(filled, "plain", key="second", value=2)
    assert (await filled.ok("idb_clear", **arguments))["cleared"] == 2
    assert (
        await in_page(
            filled,
            "async () => await new Promise((resolve) => { const request = shop.transaction('plain').objectStore('plain').count(); request.onsuccess = () => resolve(request.result); })",
        )
        == 0
    )


async def test_the_page_can_change_its_database_afterwards(filled: Caller) -> None:
    await get(filled, "plain", "first")
    version = await in_page(
        filled,
        "async () => { shop.close(); const frame = document.body.appendChild(document.createElement('iframe'));"
        " return await new Promise((resolve, reject) => {"
        " const request = frame.contentWindow.indexedDB.open('shop', 4);"
        " request.onblocked = () => reject(new Error('blocked'));"
        " request.onsuccess = () => resolve(request.result.version); }); }",
    )
    assert version == 4


async def test_a_page_that_is_changing_its_database_is_not_waited_for_without_end(
    mighty: Caller,
) -> None:
    # The change goes on for as long as requests follow each other.
    await mighty.show(
        "<script>const begun = new Promise((resolve) => {"
        " const request = indexedDB.open('busy', 1); request.onupgradeneeded = () => {"
        " const store = request.result.createObjectStore('a');"
        " const again = () => { store.get(1).onsuccess = again; }; again(); resolve(); }; });</script>"
    )
    await in_page(mighty, "async () => { await begun; }")
    refused = await mighty.refused("idb_get", dbName="busy", storeName="a", key=1)
    assert refused["code"] == "busy"


async def test_cycles_and_depths_are_told(filled: Caller) -> None:
    await in_page(
        filled,
        "async () => { const a = { b: 1 }; a.self = a; await put(shop, 'plain', a, 'cycle');"
        " let deep = 0; for (let i = 0; i < 500; i++) deep = [deep]; await put(shop, 'plain', deep, 'deep'); }",
    )
    assert (await get(filled, "plain", "cycle"))["value"] == {"b": 1, "self": {"$cycle": True}}
    assert "$deeper" in json.dumps((await get(filled, "plain", "deep"))["value"])


async def test_what_cannot_be_shown_is_named(filled: Caller) -> None:
    await in_page(
        filled,
        "async () => { const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);"
        " await put(shop, 'plain', { key }, 'key'); }",
    )
    assert (await get(filled, "plain", "key"))["value"] == {"key": {"$unsupported": "CryptoKey"}}


async def test_a_large_record_is_in_a_file(filled: Caller) -> None:
    await in_page(filled, "async () => { await put(shop, 'plain', 'x'.repeat(300000), 'big'); }")
    found = await get(filled, "plain", "big")
    assert "value" not in found
    session = filled.kernel.sessions.find(filled.principal, "default")
    text = filled.kernel.artifacts.named(session, found["uri"]).path.read_text()
    assert json.loads(text) == "x" * 300_000


async def test_a_frame_has_the_databases_of_its_origin(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", FILLED)
    await caller.show(f"<iframe src={inner}></iframe>")
    await caller.text("snapshot")
    assert (await caller.ok("idb_list_databases"))["count"] == 0
    assert (await caller.ok("idb_list_databases", frame="f1"))["origin"] == caller.site.other.url(
        ""
    )
