"""What waits for a person, on the console."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from stockade.engines.events import FrameNavigated
from stockade.engines.port import Page
from stockade.kernel.questions import Question
from stockade.policy.principal import Principal
from stockade.surfaces.console import questions
from tests.support.expecting import expecting
from tests.support.serving import Served, served
from tests.support.site import Site
from tests.support.waiting import until

SHOP = """<!doctype html><style>body{font:16px sans-serif}</style><h1>Shop</h1>
<form action=/pay method=post><label>Amount <input name=amount value=10></label>
<button id=go>Pay 10 EUR</button></form>"""


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """One on which forms wait for a person."""
    async with served(
        tmp_path_factory.mktemp("workspace"),
        confirm_required=("form_submit",),
        approval_wait=0.01,
        toolsets=("all",),
    ) as server:
        yield server


def question(**given: object) -> Question:
    somebody = Principal("key_1")
    due = asyncio.get_running_loop().time() + 60
    given.setdefault("kind", "action")
    return Question(asker=somebody, owner=somebody, due=due, **given)  # type: ignore[arg-type]


async def test_what_a_page_says_stays_text() -> None:
    hostile = "<script>alert(1)</script><button>Approve</button>"
    asked = question(
        facts={
            "tool": "click",
            "origin": "https://a.test",
            "within": "https://b.test",
            "target": {"described": hostile, "goesTo": hostile, "covered": hostile},
            "form": {"method": "post", "action": hostile, "fields": [{"name": "a", "value": "b"}]},
            "arguments": {"selector": hostile},
            "files": [{"name": hostile, "sizeBytes": 3, "sha256": "00"}],
            "rules": ["form_submit"],
        }
    )
    shown = questions.page([asked])
    assert "<script" not in shown
    assert shown.count("<button") == 2
    assert "a frame of https://b.test" in shown
    assert "One question waits" in questions.notice([asked])


async def test_each_kind_has_its_buttons() -> None:
    for kind, buttons in {"acknowledge": 1, "confirm": 2, "choose": 3, "input": 2}.items():
        facts = {"prompt": "Which?", "choices": ["red", "green"]}
        shown = questions.page([question(kind=kind, facts=facts)])
        assert shown.count("<button") == buttons, kind
    asked = question(facts={"tool": "click"})
    asked.state = "denied"
    assert "<button" not in questions.page([asked])
    assert questions.notice([asked]) == ""


async def test_in_a_real_browser(server: Served, page: Page, site: Site) -> None:
    _, agent = await server.key(name="agent")
    site.page("/shop", SHOP)
    site.page("/pay", "<title>paid</title>")
    await server.call("navigate", headers=agent, url=site.url("/shop"))
    waiting = await server.call("click", headers=agent, selector="#go")
    asked = waiting.json()["approval"]
    await page.navigate((await server.client.post("/v1/logins")).json()["url"], until="load")
    assert "One question waits" in await page.main_frame.call("() => document.body.innerText")
    await page.navigate(f"{server.url}/console/approvals", until="load")
    frame = page.main_frame
    said = await frame.call("() => document.body.innerText")
    for words in (
        "click",
        site.url(""),
        'button "Pay 10 EUR"',
        "Amount (amount): 10",
        "form_submit",
    ):
        assert words in said
    assert await frame.call("() => document.querySelector('.portrait').naturalWidth > 100")
    assert [message.text for message in page.console] == []
    assert await frame.call("() => document.documentElement.scrollWidth <= innerWidth")
    async with expecting(page.events, FrameNavigated):
        await frame.call("() => document.querySelector('button.yes').click()")
    told = (await server.client.get(f"/v1/approvals/{asked}")).json()["approval"]
    assert (told["state"], told["answeredBy"]) == ("approved", "console")
    done = await server.call("click", headers=agent, selector="#go", approval=asked)
    assert done.json()["ok"], done.text
    assert len(site.asked("/pay")) == 1


async def test_a_text_is_answered_in_a_real_browser(
    server: Served, page: Page, visitor: httpx.AsyncClient
) -> None:
    _, agent = await server.key(name="another")
    text = "Tuesday & \u00e9\nor so"
    called = server.call(
        "await_human", headers=agent, kind="input", prompt="Which day?", timeout_ms=60_000
    )
    async with asyncio.TaskGroup() as group:
        answer = group.create_task(called)
        await until(lambda: _waiting(server))
        (asked,) = (await server.client.get("/v1/approvals?state=pending")).json()["approvals"]
        own = {"origin": server.url}
        place = f"/console/approvals/{asked['id']}/answer"
        refused = await visitor.post(place, headers=own, json={"value": "Monday"})
        assert refused.status_code == 415
        too_many = await visitor.post(place, headers=own, data={"value": "a", "other": "b"})
        assert too_many.status_code == 422
        await page.navigate((await server.client.post("/v1/logins")).json()["url"], until="load")
        await page.navigate(f"{server.url}/console/approvals", until="load")
        frame = page.main_frame
        assert await frame.call("() => document.documentElement.scrollWidth <= innerWidth")
        async with expecting(page.events, FrameNavigated):
            await frame.call(
                """text => {
                  document.querySelector("textarea").value = text;
                  document.querySelector("button.yes").click();
                }""",
                text,
            )
    said = (await answer).json()
    assert said["ok"], said
    assert said["value"] == text
    assert [message.text for message in page.console] == []


async def _waiting(server: Served) -> bool:
    return bool((await server.client.get("/v1/approvals?state=pending")).json()["approvals"])


async def test_only_our_own_pages_answer(server: Served, visitor: httpx.AsyncClient) -> None:
    path = "/console/approvals/apr_none/approve"
    assert (await visitor.post(path)).status_code == 403
    foreign = await visitor.post(path, headers={"origin": "http://localhost:1"})
    assert foreign.status_code == 403
    own = {"origin": server.url}
    assert (await visitor.post(path, headers=own)).status_code == 404
    assert (await visitor.get("/console/approvals/apr_none/picture")).status_code == 404
    visitor.cookies.clear()
    assert (await visitor.post(path, headers=own)).status_code == 401
    assert (await visitor.get("/console/approvals")).status_code == 401


@pytest.fixture
async def visitor(server: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that has logged in."""
    link = (await server.client.post("/v1/logins")).json()["url"]
    entered = await server.stranger.get(link)
    name, value = entered.headers["set-cookie"].split(";")[0].split("=", 1)
    server.stranger.cookies.clear()
    server.stranger.cookies.set(name, value)
    yield server.stranger
    server.stranger.cookies.clear()
