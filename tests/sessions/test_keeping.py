"""Profiles are written as they change: whatever happens after an answer, it is there again."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from stockade.engines.port import Browser
from stockade.engines.values import StorageKey
from stockade.files.profiles import Profiles
from stockade.kernel.dispatch import Kernel
from stockade.page.kept_storage import written_items
from stockade.sessions import keeping
from stockade.sessions.manager import Sessions
from stockade.sessions.options import SessionOptions
from stockade.sessions.session import Session
from stockade.workspace import Workspace
from tests.sessions.ground import ALICE, HandClock, LendingEngine, main, settings, until
from tests.support.callers import Caller
from tests.support.serving import Program, program
from tests.support.site import Request, Response, Site

STORE = """
  const opened = indexedDB.open('shop', 2);
  opened.onupgradeneeded = () => opened.result.createObjectStore('cart', { keyPath: 'id' });
  await new Promise((done) => { opened.onsuccess = done; });
  const writing = opened.result.transaction('cart', 'readwrite');
  writing.objectStore('cart').put({ id: 1, when: new Date(0), what: VALUE });
  await new Promise((done) => { writing.oncomplete = done; });
  opened.result.close();
"""
READ = """(async () => {
  const opened = indexedDB.open('shop');
  await new Promise((done) => { opened.onsuccess = done; });
  const reading = opened.result.transaction('cart').objectStore('cart').getAll();
  await new Promise((done) => { reading.onsuccess = done; });
  opened.result.close();
  return reading.result.map((each) => [each.when.getTime(), each.what]);
})()"""


def storing(value: str) -> str:
    return f"(async () => {{ const VALUE = '{value}'; {STORE} }})()"


@pytest.fixture
def on_disk(kernel: Kernel, mighty: Caller, tmp_path: Path) -> Callable[[], str]:
    """What somebody would find in the profile `work` if everything were killed now."""

    def read() -> str:
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir(mode=0o700)
        for each in ("key", "profiles"):
            found = kernel.settings.workspace / each
            (shutil.copytree if found.is_dir() else shutil.copy)(found, copy / each)
        profile = Profiles(lambda: Workspace.open(copy)).open(mighty.principal, "work")
        try:
            return b"\n".join(profile.read().values()).decode()
        finally:
            profile.close()

    return read


async def opened(caller: Caller) -> Session:
    await caller.ok("open_session", session="s", profile="work")
    return caller.kernel.sessions.find(caller.principal, "s")


async def run(caller: Caller, code: str) -> Any:
    return (await caller.ok("eval_js", expr=code, session="s"))["value"]


async def test_what_a_call_changed_is_written_before_its_answer(
    mighty: Caller, on_disk: Callable[[], str]
) -> None:
    await opened(mighty)
    await mighty.show("<p>hello", session="s")
    for number in range(3):
        await run(mighty, f"document.cookie = 'who=ada{number}'")
        assert f"ada{number}" in on_disk()
        await run(mighty, f"localStorage.tea = 'green{number}'")
        assert f"green{number}" in on_disk()
        await run(mighty, storing(f"milk{number}"))
        assert f"milk{number}" in on_disk()
    steps = [{"tool": "eval_js", "args": {"expr": "cookieStore.set('inner', 'yes')"}}]
    await mighty.ok("batch", calls=steps, session="s")
    assert "inner" in on_disk()
    await run(mighty, "document.cookie = 'who=; max-age=0'; localStorage.clear()")
    found = on_disk()
    assert "ada" not in found
    assert "green" not in found


async def test_what_changes_between_calls(
    mighty: Caller, site: Site, on_disk: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_QUIET", 0.01)
    held = asyncio.Event()

    async def late(_request: Request) -> Response:
        await held.wait()
        return Response(headers={"set-cookie": "late=yes; httponly"})

    site.route("/late", late)
    session = await opened(mighty)
    await mighty.show("<p>hello", session="s")
    await run(mighty, "void fetch('/late').then(() => { localStorage.b = 'x' })")
    held.set()
    context = session.context
    assert context is not None
    async with asyncio.timeout(10):
        while b"late" not in await context.cookie_jar():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    # A call that is refused is answered too.
    await mighty.refused("click", session="s", ref=7)
    assert '"late"' in on_disk()
    await until(lambda: '"b":"x"' in on_disk())


async def test_what_could_not_be_written_is_said(
    mighty: Caller, kernel: Kernel, on_disk: Callable[[], str]
) -> None:
    await opened(mighty)
    await mighty.show("<p>hello", session="s")
    [place] = kernel.settings.workspace.glob(f"profiles/*/*{mighty.principal.id}/=work")
    away = place.with_name("away")
    place.rename(away)
    code = "document.cookie = 'who=ada'; localStorage.tea = 'green'"
    said = (await mighty.ok("eval_js", expr=code, session="s"))["warnings"]
    missing = [f"local storage of {mighty.site.url('')}", "cookies", "what was altered"]
    assert said == [f"profile work is without {each}: it could not be written" for each in missing]
    refusal = await mighty.refused("click", session="s", selector="#none", timeoutMs=1000)
    assert refusal["warnings"]
    away.rename(place)
    assert "warnings" not in await mighty.ok("eval_js", expr="1", session="s")
    assert {"ada", "green"} <= {word for word in ("ada", "green") if word in on_disk()}


async def test_one_session_at_a_time_has_a_profile(mighty: Caller) -> None:
    await opened(mighty)
    refusal = await mighty.refused("open_session", session="t", profile="work")
    assert (refusal["code"], "by session s" in refusal["error"]) == ("conflict", True)
    await mighty.another().ok("open_session", session="t", profile="work")
    await mighty.ok("close_session", session="s")
    await mighty.ok("open_session", session="t", profile="work")


async def test_frames_have_their_own_and_damage_is_no_end(
    mighty: Caller, kernel: Kernel, site: Site
) -> None:
    inner = site.url("/inner", "a.localhost")
    site.page("/inner", "<script>localStorage.n = 1 + +(localStorage.n ?? 0)</script>")
    page = f"<script>localStorage.n = 1 + +(localStorage.n ?? 0)</script><iframe src='{inner}'>"
    part, _ = written_items(StorageKey(site.url("")), {})
    workspace, mine = kernel.settings.workspace, f"profiles/*/*{mighty.principal.id}/=work"
    for wanted in (["1", "1"], ["1", "2"]):
        session = await opened(mighty)
        await mighty.show(page, session="s")
        tab = await session.tab()
        await until(partial(tab.page.main_frame.reached, "load"))
        assert [await each.call("() => localStorage.n") for each in tab.page.frames] == wanted
        await mighty.ok("close_session", session="s")
        [kept] = workspace.glob(f"{mine}/{part}")
        kept.write_bytes(b"rubbish")
    assert len([*workspace.glob(f"{mine}/{part}.damaged")]) == 1


async def test_what_no_call_saw_is_written_at_the_end(
    browser: Browser, clock: HandClock, site: Site, tmp_path: Path
) -> None:
    profiles = Profiles(lambda: Workspace.open(tmp_path))
    engine, options = LendingEngine(browser), SessionOptions(profile="work")
    chosen = settings(tmp_path, isolation="shared", session_idle=60)
    site.page("/page", "<p>hello")

    async def visit(sessions: Sessions, value: str) -> str:
        tab = await sessions.open(ALICE, "s", options=options).tab()
        await tab.page.navigate(site.url("/page"))
        found = await main(tab, "() => document.cookie + localStorage.tea")
        await main(tab, f"() => {{ document.cookie = localStorage.tea = '{value}' }}")
        return str(found)

    async with Sessions(engine, chosen, clock=clock, profiles=profiles.open) as sessions:
        assert await visit(sessions, "idle") == "undefined"
        clock.advance(61)
        await until(lambda: not sessions.all())
        assert await visit(sessions, "stopped") == "idleidle"
    async with Sessions(engine, chosen, profiles=profiles.open) as sessions:
        assert await visit(sessions, "") == "stoppedstopped"


# --- for real -------------------------------------------------------------------------------------

VISIT = """<script>
  window.found = [document.cookie, localStorage.tea ?? null];
</script>"""
COOKIES = (
    "session=1",
    "lasting=2; max-age=9000",
    "hidden=3; httponly; path=/visit",
    "strict=4; samesite=strict",
    "lax=5; samesite=lax; max-age=9000",
    "safe=6; secure; samesite=none",
    "__Host-mine=7; secure; path=/",
    "short=8; max-age=1",
)
FRAME = "chips=9; secure; samesite=none; partitioned"


async def called(client: httpx.AsyncClient, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.post(f"/v1/sessions/default/tools/{tool}", json=arguments)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def kill_all(server: Program) -> None:
    """End the server and its browsers at once, without a word."""
    table = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                fields = (each / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            table[int(each.name)] = int(fields[1])
    doomed = [server.pid]
    for pid in doomed:
        doomed += [child for child, parent in table.items() if parent == pid]
    os.kill(server.pid, signal.SIGSTOP)
    for pid in reversed(doomed):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


async def test_server_and_browser_are_killed_after_an_answer(tmp_path: Path, site: Site) -> None:
    async def set_cookie(request: Request) -> Response:
        return Response(headers={"set-cookie": request.params["c"]})

    frame, popup = (site.url(path, "a.localhost") for path in ("/frame", "/popup"))
    site.route("/set", set_cookie)
    site.page("/visit", VISIT)
    site.page("/frame", "in a frame", headers={"set-cookie": FRAME})
    told = "document.cookie = 'popup=1'; localStorage.p = 1; opener.postMessage('done', '*')"
    site.page("/popup", f"<script>{told}</script>")
    site.page("/sw.js", "oninstall = e => e.waitUntil(cookieStore.set('worker', '1'))",
              content_type="text/javascript")  # fmt: skip
    workspace = tmp_path / "workspace"
    given: dict[str, Any] = {
        "isolation": "process",
        "persist_sessions": True,
        "capabilities": "all",
    }
    async with program(workspace, tmp_path, **given) as server, server.client() as client:
        await called(client, "navigate", url=site.url("/visit"))
        code = f"""(async () => {{
          for (const each of {json.dumps(COOKIES)}) await fetch('/set?c=' + encodeURIComponent(each));
          document.cookie = 'script=10';
          await cookieStore.set('stored', '11');
          await navigator.serviceWorker.register('/sw.js');
          await navigator.serviceWorker.ready;
          const frame = document.createElement('iframe');
          frame.src = '{frame}';
          document.body.append(frame);
          await new Promise((done) => {{ frame.onload = done; }});
          await new Promise((done) => {{ onmessage = done; open('{popup}'); }});
        }})()"""
        await called(client, "eval_js", expr=code)
        before = await called(client, "dump_storage_state")
        last = f"document.cookie = 'last=12'; localStorage.tea = 'green'; {storing('milk')}"
        await called(client, "eval_js", expr=last)
        kill_all(server)
        await server.ended()
    site.requests.clear()
    async with program(workspace, tmp_path, **given) as server, server.client() as client:
        await called(client, "navigate", url=site.url("/visit"))
        after = await called(client, "dump_storage_state")
        found = (await called(client, "eval_js", expr="window.found"))["value"]
        databases = (await called(client, "eval_js", expr=READ))["value"]
    [request] = site.asked("/visit")
    kept = {each["name"]: each for each in after["state"]["cookies"]}
    assert {*request.cookies} >= {"hidden", "session", "strict", "safe", "__Host-mine", "last"}
    assert kept.pop("chips")["partitionKey"] == "http://127.0.0.1"
    assert {*kept} >= {"worker", "popup", "stored", "script", "lax", "lasting"}
    assert kept.pop("last")["value"] == "12"
    for cookie in before["state"]["cookies"]:
        if cookie["name"] not in {"short", "chips"}:
            assert kept[cookie["name"]] == cookie
    assert "last=12" in found[0]
    assert (found[1], databases) == ("green", [[0, "milk"]])
