"""What a session's browser knows as a whole, as tools."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

from stockade.config import load
from stockade.engines.values import Cookie
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.server import running_kernel
from tests.support.callers import Caller
from tests.support.levels import LEVEL
from tests.support.site import Site
from tests.tools.inside import in_page

KEEPING = """<script>
  localStorage.setItem('user', 'Ada 🍵');
  localStorage.setItem('length', '7');
  document.cookie = 'theme=dark; path=/';
  const ready = new Promise((resolve) => {
    const opening = indexedDB.open('shop', 4);
    opening.onupgradeneeded = () => {
      const store = opening.result.createObjectStore('orders');
      store.createIndex('by total', 'total');
      opening.result.createObjectStore('teas', { keyPath: 'id', autoIncrement: true });
    };
    opening.onsuccess = () => {
      const writing = opening.result.transaction(['orders', 'teas'], 'readwrite');
      const orders = writing.objectStore('orders');
      orders.put({ total: 10 }, 'plain');
      const loop = { when: new Date(0), bytes: new Uint8Array([1, 2]), kinds: new Map([[1n, new Set([/x/g])]]), none: undefined };
      loop.self = loop;
      orders.put(loop, new Date(5));
      orders.put(new Blob(['hi'], { type: 'text/plain' }), ['a', 1]);
      writing.objectStore('teas').put({ name: 'Assam' });
      writing.oncomplete = () => resolve();
    };
  });
</script>"""

KEPT = """async () => {
  const opening = indexedDB.open('shop');
  const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
  const answer = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  if (!database.objectStoreNames.contains('orders')) return null;
  const store = (name) => database.transaction(name).objectStore(name);
  const loop = await answer(store('orders').get(new Date(5)));
  const blob = await answer(store('orders').get(['a', 1]));
  const teas = await answer(store('teas').getAll());
  const found = {
    version: database.version,
    plain: await answer(store('orders').index('by total').get(10)),
    loop: [loop.when.getTime(), [...loop.bytes], loop.self === loop, 'none' in loop, [...loop.kinds.keys()][0] === 1n],
    blob: [blob.type, await blob.text()],
    teas, auto: store('teas').autoIncrement,
  };
  database.close();
  return found;
}"""

EXPECTED = {
    "version": 4,
    "plain": {"total": 10},
    "loop": [0, [1, 2], True, True, True],
    "blob": ["text/plain", "hi"],
    "teas": [{"id": 1, "name": "Assam"}],
    "auto": True,
}


async def keeping(caller: Caller, site: Site | None = None, session: str = "default") -> None:
    site = site or caller.site
    url = site.page("/keeping", KEEPING)
    await caller.ok("navigate", url=url, mode="none", session=session)
    await in_page(caller, "async () => { await ready; }", session=session)


async def state_of(caller: Caller, **arguments: Any) -> dict[str, Any]:
    state: dict[str, Any] = (await caller.ok("dump_storage_state", **arguments))["state"]
    return state


def items(state: dict[str, Any], origin: str) -> dict[str, str]:
    for each in state["origins"]:
        if each["origin"] == origin:
            return {item["name"]: item["value"] for item in each["localStorage"]}
    return {}


async def says(caller: Caller, function: str, session: str = "default") -> Any:
    """What a new page of the site finds."""
    url = caller.site.page("/asked", "<p>hello")
    await caller.ok("navigate", url=url, mode="none", session=session)
    return await in_page(caller, function, session=session)


# --- dump and inject ------------------------------------------------------------------------------


async def test_a_dump_has_every_origin_that_was_shown(caller: Caller) -> None:
    await keeping(caller)
    await keeping(caller, caller.site.other)
    await caller.ok("navigate", url="about:blank", mode="none")
    asked = len(caller.site.requests) + len(caller.site.other.requests)
    told = await caller.ok("dump_storage_state")
    assert (told["cookies"], told["origins"], told["databases"]) == (1, 2, 2)
    state = told["state"]
    assert {
        key: state["cookies"][0][key] for key in ("name", "value", "domain", "path", "expires")
    } == {
        "name": "theme",
        "value": "dark",
        "domain": "127.0.0.1",
        "path": "/",
        "expires": -1,
    }
    for site in (caller.site, caller.site.other):
        assert items(state, site.url("")) == {"user": "Ada 🍵", "length": "7"}
    database = state["origins"][0]["indexedDB"][0]
    assert (database["name"], database["version"]) == ("shop", 4)
    assert {"key": "plain", "value": {"total": 10}} in database["stores"][0]["records"]
    assert len(caller.site.requests) + len(caller.site.other.requests) == asked
    listed = await caller.ok("tabs")
    assert [each["url"] for each in listed["tabs"]] == ["about:blank"]
    without = await state_of(caller, indexedDB=False)
    assert "indexedDB" not in without["origins"][0]


async def test_a_state_goes_into_another_session_without_a_tab_or_a_server(caller: Caller) -> None:
    await keeping(caller)
    state = await state_of(caller)
    await caller.ok("open_session", session="other")
    asked = len(caller.site.requests)
    done = await caller.ok("inject_storage_state", state=state, session="other")
    assert (done["cookies"], done["origins"], done["mode"]) == (1, 1, "replace")
    assert "warnings" not in done
    assert caller.kernel.sessions.find(caller.principal, "other").tabs == []
    assert len(caller.site.requests) == asked
    asking = "() => ['user', 'length'].map((name) => localStorage.getItem(name))"
    assert await says(caller, asking, "other") == ["Ada 🍵", "7"]
    assert caller.site.requests[-1].cookies == {"theme": "dark"}
    assert await in_page(caller, KEPT, session="other") == EXPECTED
    assert await state_of(caller, session="other") == state


async def test_replace_clears_and_merge_adds(caller: Caller) -> None:
    await caller.ok("cookies_set", name="old", value="1", domain="far.example", path="/")
    await keeping(caller, caller.site.other)
    await caller.show(
        "<script>localStorage.setItem('old', '1'); localStorage.setItem('user', 'Bob')</script>"
    )
    origin = caller.site.url("")
    state = {
        "cookies": [{"name": "new", "value": "2", "domain": "near.example", "path": "/"}],
        "origins": [{"origin": origin, "localStorage": [{"name": "user", "value": "Ada"}]}],
    }
    await caller.ok("inject_storage_state", state=state, mode="merge")
    merged = await state_of(caller)
    assert items(merged, origin) == {"old": "1", "user": "Ada"}
    assert {each["name"] for each in merged["cookies"]} == {"old", "new", "theme"}
    await caller.ok("inject_storage_state", state=state)
    replaced = await state_of(caller)
    assert items(replaced, origin) == {"user": "Ada"}
    assert [each["name"] for each in replaced["cookies"]] == ["new"]
    # Another origin was not named.
    assert items(replaced, caller.site.other.url("")) == {"user": "Ada 🍵", "length": "7"}
    # The page that is open sees it too.
    assert await in_page(caller, "() => ({...localStorage})") == {"user": "Ada"}


async def test_a_database_that_a_page_holds_open_is_replaced(caller: Caller) -> None:
    await keeping(caller)
    state = await state_of(caller)
    await caller.ok("idb_clear", dbName="shop", storeName="orders")
    done = await caller.ok("inject_storage_state", state=state)
    assert "warnings" not in done
    assert await says(caller, KEPT) == EXPECTED


async def test_merge_leaves_a_database_as_it_is_built(caller: Caller) -> None:
    await keeping(caller)
    stores = [{"name": "orders", "records": [{"key": "new", "value": 1}]}]
    odd = [{"name": "absent", "records": [{"key": "new", "value": 1}]}]
    origin = {"origin": caller.site.url(""), "localStorage": [], "indexedDB": []}
    done = await caller.ok(
        "inject_storage_state",
        mode="merge",
        state={
            "origins": [{**origin, "indexedDB": [{"name": "shop", "version": 9, "stores": stores}]}]
        },
    )
    assert "warnings" not in done
    found = await caller.ok("idb_get", dbName="shop", storeName="orders", key="new")
    assert found["value"] == 1
    assert (await caller.ok("idb_get", dbName="shop", storeName="orders", key="plain"))["found"]
    done = await caller.ok(
        "inject_storage_state",
        mode="merge",
        state={
            "origins": [{**origin, "indexedDB": [{"name": "shop", "version": 9, "stores": odd}]}]
        },
    )
    assert "absent" not in (await caller.ok("idb_list_stores", dbName="shop"))["stores"]
    assert "left out" in done["warnings"][0]


async def test_files_of_other_tools_are_taken(caller: Caller) -> None:
    # As Playwright writes it, with fields of whatever else.
    state = {
        "version": "x",
        "cookies": [
            {"name": "a", "value": "1", "domain": ".near.example", "path": "/", "expires": -1,
             "httpOnly": True, "secure": True, "sameSite": "None", "size": 2, "session": True,
             "partitionKey": "https://top.example", "_crHasCrossSiteAncestor": True},
            {"name": "b", "value": "1", "domain": "near.example", "sameSite": "no_restriction", "hostOnly": True},
            {"name": "c", "value": "1", "domain": "near.example", "sameSite": "unspecified", "expires": None},
        ],
        "origins": [
            {"origin": caller.site.url("/"), "localStorage": [{"name": "a", "value": "b", "x": 1}],
             "sessionStorage": [],
             "indexedDB": [{"name": "db", "version": 2, "stores": [
                 {"name": "s", "autoIncrement": False, "indexes": [], "records": [
                     {"keyEncoded": {"d": "1970-01-01T00:00:00.000Z"},
                      "valueEncoded": {"o": [{"k": "n", "v": {"bi": "5"}}, {"k": "l", "v": {"a": [{"v": "null"}, 1], "id": 2}}], "id": 1}}]}]}]},
        ],
    }  # fmt: skip
    done = await caller.ok("inject_storage_state", state=json.dumps(state))
    assert (done["cookies"], done["origins"]) == (2, 1)
    assert "'b'" in done["warnings"][0]
    assert "SameSite=None" in done["warnings"][0]
    [a] = [each for each in (await state_of(caller))["cookies"] if each["name"] == "a"]
    assert (a["partitionKey"], a["_crHasCrossSiteAncestor"]) == ("https://top.example", True)
    await caller.show("<p>hello")
    found = await caller.ok(
        "idb_get", dbName="db", storeName="s", key={"$date": "1970-01-01T00:00:00Z"}
    )
    assert found["value"] == {"n": {"$bigint": "5"}, "l": [None, 1]}


async def test_what_is_no_state_changes_nothing(caller: Caller) -> None:
    await caller.ok("cookies_set", name="a", value="1", domain="far.example", path="/")
    impossible: list[Any] = [
        "{not json",
        {"cookies": {}},
        {"cookies": [{"name": 5, "value": "sesame", "domain": "a.example"}]},
        {"cookies": [{"name": "a", "value": "sesame"}]},
        {"origins": [{"origin": "file:///sesame"}]},
        {"origins": [{"origin": "sesame"}]},
        {"origins": [{"origin": "https://a.example", "localStorage": [{"name": "sesame"}]}]},
    ]
    for state in impossible:
        refused = await caller.refused("inject_storage_state", state=state)
        assert refused["code"] == "invalid_argument", state
        assert "sesame" not in json.dumps(refused)
    assert (await caller.ok("cookies_list"))["count"] == 1


async def test_a_state_as_a_file(mighty: Caller) -> None:
    await keeping(mighty)
    told = await mighty.ok("dump_storage_state", path="states/shop.json")
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    written = json.loads(
        mighty.kernel.artifacts.named(session, "states/shop.json").path.read_text()
    )
    assert written == told["state"]
    await mighty.ok("cookies_clear")
    await mighty.ok("localstorage_clear")
    await mighty.ok("inject_storage_state", state="states/shop.json")
    assert (await mighty.ok("localstorage_get", key="user"))["value"] == "Ada 🍵"
    await mighty.ok("open_session", session="other")
    done = await mighty.ok("inject_storage_state", state=told["uri"], session="other")
    assert done["origins"] == 1
    refused = await mighty.refused("inject_storage_state", state="states/none.json")
    assert refused["code"] == "artifact_not_found"
    refused = await mighty.refused("inject_storage_state", state="/etc/passwd")
    assert refused["code"] == "invalid_argument"


async def test_a_path_needs_file_io(caller: Caller) -> None:
    assert (await caller.refused("dump_storage_state", path="a.json"))[
        "code"
    ] == "capability_disabled"


async def test_a_large_state_is_in_a_file(mighty: Caller) -> None:
    await mighty.show("<script>localStorage.setItem('big', 'x'.repeat(300000))</script>")
    told = await mighty.ok("dump_storage_state")
    assert "state" not in told
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    written = json.loads(mighty.kernel.artifacts.named(session, told["uri"]).path.read_text())
    assert len(items(written, mighty.site.url(""))["big"]) == 300_000


async def test_what_the_policy_does_not_admit_stays_out(caller: Caller) -> None:
    await keeping(caller)
    await keeping(caller, caller.site.other)
    state = await state_of(caller)
    state["cookies"].append({"name": "x", "value": "y", "domain": "evil.example", "path": "/"})
    rules = (OriginRule.parse(f"127.0.0.1:{caller.site.port}"),)
    narrow = caller.another(policy=Policy(allowed=(rules,)))
    done = await narrow.ok("inject_storage_state", state=state)
    assert (done["cookies"], done["origins"], done["withheld"]) == (1, 1, 2)
    context = await narrow.kernel.sessions.find(narrow.principal, "default").started()
    assert len(await context.cookies()) == 1
    async with context.storeroom() as room:
        await room.call(caller.site.other.url(""), "() => { localStorage.setItem('a', 'b'); }")
    await context.set_cookies([Cookie("x", "y", "evil.example")])
    told = await narrow.ok("dump_storage_state")
    assert (told["cookies"], told["origins"], told["withheld"]) == (1, 1, 2)
    assert [each["origin"] for each in told["state"]["origins"]] == [caller.site.url("")]


async def test_what_cannot_be_taken_out_is_named(caller: Caller) -> None:
    await caller.show(
        "<script>const ready = (async () => { const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);"
        " const opening = indexedDB.open('keys', 1); opening.onupgradeneeded = () => opening.result.createObjectStore('s').put(key, 'k');"
        " await new Promise((resolve) => { opening.onsuccess = resolve; }); localStorage.setItem('a', 'b'); })();</script>"
    )
    await in_page(caller, "async () => { await ready; }")
    told = await caller.ok("dump_storage_state")
    assert "CryptoKey" in told["warnings"][0]
    assert items(told["state"], caller.site.url("")) == {"a": "b"}


# --- slots ----------------------------------------------------------------------------------------


async def test_a_login_is_kept_for_later_sessions(caller: Caller) -> None:
    await keeping(caller)
    saved = await caller.ok("auth_save", name="shop")
    assert (saved["name"], saved["path"], saved["cookies"], saved["origins"]) == (
        "shop",
        "shop",
        1,
        1,
    )
    await caller.ok("close_session", session="default")
    await caller.ok("open_session", session="later")
    loaded = await caller.ok("auth_load", name="shop", session="later")
    assert (loaded["cookies"], loaded["origins"]) == (1, 1)
    assert await says(caller, KEPT, "later") == EXPECTED
    assert caller.site.requests[-1].cookies == {"theme": "dark"}
    listed = await caller.ok("auth_list")
    assert listed["count"] == 1
    slot = listed["slots"][0]
    assert (slot["name"], slot["path"], slot["bytes"]) == ("shop", "shop", saved["bytes"])
    assert slot["modifiedAt"].endswith("Z")
    assert (await caller.ok("auth_delete", name="shop"))["deleted"] is True
    assert (await caller.ok("auth_delete", name="shop"))["deleted"] is False
    assert (await caller.ok("auth_list"))["count"] == 0
    assert (await caller.refused("auth_load", name="shop", session="later"))["code"] == "not_found"


async def test_slots_belong_to_a_key(caller: Caller) -> None:
    await caller.ok("cookies_set", name="a", value="1", domain="far.example", path="/")
    await caller.ok("auth_save", name="mine")
    other = caller.another()
    stranger = caller.another(tenant="elsewhere", role=Role.ADMIN)
    for someone in (other, stranger):
        assert (await someone.ok("auth_list"))["slots"] == []
        assert (await someone.refused("auth_load", name="mine"))["code"] == "not_found"
        assert (await someone.ok("auth_delete", name="mine"))["deleted"] is False
    operator = caller.another(role=Role.OPERATOR)
    [slot] = [each for each in (await operator.ok("auth_list"))["slots"] if each["name"] == "mine"]
    assert slot["owner"] == caller.principal.id
    assert (await operator.ok("auth_load", name="mine"))["cookies"] == 1
    assert (await operator.ok("auth_delete", name="mine"))["deleted"] is True
    assert (await caller.ok("auth_list"))["count"] == 0


async def test_slots_survive_the_server_and_are_encrypted(tmp_path: Path, site: Site) -> None:
    settings = load(workspace=tmp_path / "workspace", isolation=LEVEL)
    for start in range(2):
        async with running_kernel(settings) as kernel:
            caller = Caller(kernel, Principal("local", client=f"client{start}"), site)
            if start == 0:
                await caller.ok(
                    "cookies_set", name="a", value="very-secret", domain="far.example", path="/"
                )
                await caller.ok("auth_save", name="kept")
            else:
                await caller.ok("auth_load", name="kept")
                cookie = (await caller.ok("cookies_get", name="a"))["cookie"]
                assert cookie["value"] == "very-secret"
    files = [each for each in (tmp_path / "workspace").rglob("*") if each.is_file()]
    assert not any(b"very-secret" in each.read_bytes() for each in files)


async def test_names_are_plain(caller: Caller) -> None:
    for tool, name in product(
        ("auth_save", "auth_load", "auth_delete"), ("../x", "a b", ".x", "ä")
    ):
        assert (await caller.refused(tool, name=name))["code"] == "invalid_argument"


async def test_a_snapshot_is_of_a_profile_that_there_is(caller: Caller) -> None:
    refused = await caller.refused("profile_snapshot", snapshot="before", profile="work")
    assert refused["code"] == "artifact_not_found"
    assert (await caller.ok("auth_list"))["snapshots"] == []
    await caller.ok("open_session", session="other", profile="work")
    await caller.ok("navigate", url=caller.site.page("/", "x"), session="other")
    await caller.ok("profile_snapshot", snapshot="before", profile="work", session="other")
    await caller.ok("close_session", session="other")
    await caller.ok("profile_snapshot", snapshot="after", profile="work")


async def test_a_snapshot_is_restored(caller: Caller) -> None:
    await keeping(caller)
    taken = await caller.ok("profile_snapshot", snapshot="before")
    assert (taken["snapshot"], taken["profile"], taken["cookies"]) == ("before", "default", 1)
    await caller.ok("localstorage_set", key="user", value="Eve")
    await caller.ok("idb_clear", dbName="shop", storeName="orders")
    await caller.ok("cookies_clear")
    await keeping(caller, caller.site.other)
    restored = await caller.ok("profile_restore", snapshot="before")
    # What came since is gone.
    assert items(await state_of(caller), caller.site.other.url("")) == {}
    assert (restored["cookies"], restored["origins"]) == (1, 1)
    assert await says(caller, KEPT) == EXPECTED
    assert (await caller.ok("localstorage_get", key="user"))["value"] == "Ada 🍵"
    assert (await caller.refused("profile_restore", snapshot="before", profile="work"))[
        "code"
    ] == "not_found"
    assert (await caller.refused("auth_load", name="before"))["code"] == "not_found"
    listed = await caller.ok("auth_list")
    assert ([each["name"] for each in listed["snapshots"]], listed["count"]) == (
        ["default~before"],
        0,
    )
    await caller.ok("auth_delete", name="default~before", kind="snapshot")
    assert (await caller.ok("auth_list"))["snapshots"] == []


async def test_states_are_put_in_place_within_other_calls(caller: Caller) -> None:
    state = {"cookies": [{"name": "a", "value": "1", "domain": "far.example", "path": "/"}]}
    done = await caller.ok(
        "batch",
        calls=[
            {"tool": "inject_storage_state", "args": {"state": state}},
            {"tool": "auth_save", "args": {"name": "within"}},
            {"tool": "cookies_clear"},
            {"tool": "auth_load", "args": {"name": "within"}},
        ],
    )
    assert done["completed"] == 4
    assert (await caller.ok("cookies_list"))["count"] == 1
    await caller.ok("auth_delete", name="within")
