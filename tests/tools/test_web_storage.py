"""Local and session storage, as tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.urls import origin_of
from tests.support.callers import Caller
from tests.tools.inside import in_page

# A page that does what it can to be in the way.
HOSTILE = """<title>Mine</title><script>
  const fake = { getItem: () => 'lie', setItem() {}, removeItem() {}, clear() {}, length: 0, key: () => 'lie' };
  localStorage.setItem('tea', 'green');
  localStorage.setItem('length', '7');
  localStorage.setItem('getItem', 'item');
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: fake });
  Storage.prototype.getItem = () => 'lie';
  Storage.prototype.setItem = () => {};
</script>"""


async def entries(caller: Caller, area: str, **arguments: Any) -> dict[str, str]:
    data = await caller.ok(f"{area}storage_list", **arguments)
    assert data["count"] == len(data["entries"])
    return {each["key"]: each["value"] for each in data["entries"]}


@pytest.mark.parametrize("area", ["local", "session"])
async def test_items_are_those_of_the_page(mighty: Caller, area: str) -> None:
    await mighty.show(f"<script>{area}Storage.setItem('tea', 'grün 🍵')</script>")
    origin = mighty.site.url("")
    got = await mighty.ok(f"{area}storage_get", key="tea")
    assert (got["key"], got["value"], got["origin"]) == ("tea", "grün 🍵", origin)
    assert (await mighty.ok(f"{area}storage_get", key="none"))["value"] is None
    await mighty.ok(f"{area}storage_set", key="cup", value="")
    told = await in_page(mighty, f"() => ({{...{area}Storage}})")
    assert told == {"tea": "grün 🍵", "cup": ""}
    assert await entries(mighty, area) == {"cup": "", "tea": "grün 🍵"}
    gone = await mighty.ok(f"{area}storage_delete", key="tea")
    assert gone["deleted"] is True
    assert (await mighty.ok(f"{area}storage_delete", key="tea"))["deleted"] is False
    assert (await mighty.ok(f"{area}storage_clear"))["cleared"] == 1
    assert await entries(mighty, area) == {}


async def test_what_a_page_did_to_its_globals_does_not_matter(caller: Caller) -> None:
    await caller.show(HOSTILE)
    assert await entries(caller, "local") == {"getItem": "item", "length": "7", "tea": "green"}
    await caller.ok("localstorage_set", key="tea", value="black")
    assert (await caller.ok("localstorage_get", key="tea"))["value"] == "black"
    assert (await caller.ok("localstorage_clear"))["cleared"] == 3


async def test_a_frame_has_the_storage_of_its_origin(caller: Caller) -> None:
    inner = caller.site.other.page(
        "/inner", "<script>localStorage.setItem('who', 'inner')</script>"
    )
    await caller.show(
        f"<script>localStorage.setItem('who', 'outer')</script><iframe src={inner}></iframe>"
    )
    await caller.text("snapshot")
    got = await caller.ok("localstorage_get", key="who", frame="f1")
    assert (got["value"], got["origin"]) == ("inner", caller.site.other.url(""))
    assert (await caller.ok("localstorage_get", key="who"))["value"] == "outer"
    assert (await caller.refused("localstorage_get", key="who", frame="f9"))[
        "code"
    ] == "invalid_argument"


async def test_a_frame_that_the_policy_does_not_admit_is_not_read(caller: Caller) -> None:
    inner = caller.site.other.page(
        "/inner", "<script>localStorage.setItem('who', 'inner')</script>"
    )
    rules = (OriginRule.parse(f"127.0.0.1:{caller.site.port}"),)
    narrow = caller.another(policy=Policy(allowed=(rules,)))
    await narrow.show("<p>Here")
    # Also if the way out lets it through.
    session = caller.kernel.sessions.find(narrow.principal, "default")
    await session.outgoing.admit(origin_of(inner))
    await narrow.show(f"<iframe src={inner}></iframe>")
    await narrow.text("snapshot")
    refused = await narrow.refused("localstorage_set", key="who", value="me", frame="f1")
    assert refused["code"] == "address_denied"


@pytest.mark.parametrize(
    "html",
    [
        "<iframe sandbox='allow-scripts' srcdoc='<p>hi'></iframe>",
        "<iframe src='data:text/html,x'></iframe>",
    ],
)
async def test_an_opaque_origin_has_none(caller: Caller, html: str) -> None:
    assert (await caller.refused("localstorage_list"))["code"] == "unsupported"
    await caller.show(html)
    await caller.text("snapshot")
    refused = await caller.refused("sessionstorage_list", frame="f1")
    assert refused["code"] == "unsupported"
    assert "opaque" in refused["error"]


async def test_a_blank_frame_has_the_storage_of_its_maker(caller: Caller) -> None:
    await caller.show("<script>localStorage.setItem('a', 'b')</script><iframe></iframe>")
    await caller.text("snapshot")
    assert (await caller.ok("localstorage_get", key="a", frame="f1"))["value"] == "b"


async def test_too_much_is_refused_and_leaves_what_was_there(caller: Caller) -> None:
    await caller.show("<p>hello")
    await caller.ok("localstorage_set", key="a", value="small")
    refused = await caller.refused("localstorage_set", key="a", value="x" * 6_000_000)
    assert refused["code"] == "quota_exceeded"
    assert (await caller.ok("localstorage_get", key="a"))["value"] == "small"


async def test_large_content_is_never_cut(mighty: Caller) -> None:
    await mighty.show(
        "<script>for (let i = 0; i < 300; i++) localStorage.setItem('k' + i, 'v'.repeat(1000))</script>"
    )
    data = await mighty.ok("localstorage_list")
    assert data["count"] == 300
    assert 0 < data["shown"] == len(data["entries"]) < 300
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    kept = mighty.kernel.artifacts.named(session, data["uri"])
    whole = json.loads(kept.path.read_text())
    assert len(whole) == 300
    assert {len(each["value"]) for each in whole} == {1000}
    await mighty.ok("localstorage_clear")
    await mighty.ok("localstorage_set", key="big", value="é" * 400_000)
    got = await mighty.ok("localstorage_get", key="big")
    assert "value" not in got
    assert mighty.kernel.artifacts.named(session, got["uri"]).path.read_text() == "é" * 400_000


async def test_an_open_dialog_is_told_of_and_then_out_of_the_way(caller: Caller) -> None:
    await caller.show("<button onclick='confirm(1)'>Ask</button>")
    asked = await caller.refused("click", selector="text=Ask")
    assert asked["code"] == "dialog_open"
    assert (await caller.refused("localstorage_list"))["code"] == "dialog_open"
    await caller.ok("answer_dialog", accept=False)
    assert (await caller.ok("localstorage_list"))["count"] == 0
