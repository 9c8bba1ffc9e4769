"""Every limit of a jail, met for real, and what the caller is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from stockade.config import load
from stockade.errors import LifeLimit
from stockade.kernel.dispatch import Kernel
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.callers import Caller
from tests.support.site import Response, Site
from tests.support.websocket import WebSocket

pytestmark = pytest.mark.xdist_group("jails")

EATS = """<title>Hungry</title><script>
function eat() { const held = []; for (;;) held.push(new Uint8Array(8 << 20).fill(1)); }
</script>"""
SPINS = "() => { for (;;); }"


@asynccontextmanager
async def caller(site: Site, folder: Path, **settings: Any) -> AsyncIterator[Caller]:
    """Somebody whose sessions are in jails of some size."""
    chosen = load(workspace=folder / "workspace", isolation="bwrap", **settings)
    async with running_kernel(chosen) as kernel:
        policy = Policy(capabilities=frozenset(Capability))
        yield Caller(kernel, Principal("agent", policy=policy), site)


async def test_at_the_memory_limit_the_tab_dies_and_the_session_lives(
    site: Site, tmp_path: Path
) -> None:
    site.page("/hungry", EATS)
    site.page("/kept", "<title>Kept</title><input value=here>")
    async with caller(site, tmp_path, jail_memory=400 << 20) as who:
        await who.ok("navigate", url=site.url("/kept"))
        await who.ok("tabs", action="new", url=site.url("/hungry"))
        told = await who.refused("eval_js", expr="eat()", timeoutMs=25_000)
        assert told["code"] == "memory_limit", told
        assert "STOCKADE_JAIL_MEMORY" in told["hint"]
        tabs = (await who.ok("tabs"))["tabs"]
        kept = next(each for each in tabs if each["url"].endswith("/kept"))
        assert "Kept" in await who.text("snapshot", tab=kept["tab"])
        await who.ok("navigate", url=site.url("/kept"))


async def test_a_page_that_keeps_busy_waits_for_its_share(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Busy</title>")
    async with caller(site, tmp_path, jail_cpu=0.15, call_deadline=30) as who:
        await who.ok("navigate", url=site.url("/"))
        told = await who.refused("eval_js", expr=f"({SPINS})()", timeoutMs=4000)
        assert told["code"] == "cpu_limit", told


async def test_no_more_tasks_than_there_may_be(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Many</title>")
    workers = """async () => { for (let n = 0; n < 300; n++)
      new Worker(URL.createObjectURL(new Blob(["setInterval(() => 0, 1000)"])));
      await new Promise(done => setTimeout(done, 20000)); }"""
    async with caller(site, tmp_path, jail_tasks=150) as who:
        await who.ok("navigate", url=site.url("/"))
        told = await who.refused("eval_js", expr=f"({workers})()", timeoutMs=25_000)
        assert told["code"] == "tasks_limit", told


async def test_no_more_open_files_than_there_may_be(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Many</title>")
    site.websocket("/ws", _staying)
    sockets = f"""async () => {{ for (let n = 0; n < 250; n++)
      new WebSocket("ws://127.0.0.1:{site.port}/ws");
      await new Promise(done => setTimeout(done, 3000)); }}"""
    async with caller(site, tmp_path, jail_open_files=180) as who:
        await who.ok("navigate", url=site.url("/"))
        await who.reply("eval_js", expr=f"({sockets})()", timeoutMs=20_000)
        codes = []
        for number in range(5):
            reply = await who.reply("tabs", action="new", url=site.url(f"/?{number}"))
            codes.append(reply.error.code if reply.error is not None else "")
        assert "open_files_limit" in codes


async def _staying(socket: WebSocket) -> None:
    while await socket.receive() is not None:
        pass


async def test_a_download_that_does_not_fit(site: Site, tmp_path: Path) -> None:
    site.page("/", "<a href=/large download>Get</a>")
    large = Response(b"x" * (48 << 20), content_type="application/octet-stream")
    site.route("/large", _answering(large))
    async with caller(site, tmp_path, jail_disk=64 << 20) as who:
        await who.ok("navigate", url=site.url("/"))
        await who.ok("downloads_capture", on=True)
        clicked = await who.ok("click", selector="a")
        (download,) = clicked["downloads"]
        told = await who.refused("download_get", id=download["id"])
        assert told["code"] == "disk_limit", told


def _answering(response: Response) -> Any:
    async def answer(_request: object) -> Response:
        return response

    return answer


async def test_as_many_jails_and_as_long_as_there_may_be(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Home</title>")
    async with caller(site, tmp_path, jails=1, jail_life=1000, session_idle=0) as who:
        await who.ok("navigate", url=site.url("/"))
        await who.ok("open_session", session="second")
        told = await who.refused("navigate", url=site.url("/"), session="second")
        assert told["code"] == "jails_limit", told
        session = who.kernel.sessions.find(who.principal, "default")
        session.life.last_used -= 4000
        await who.kernel.sessions.tidy()
        with pytest.raises(LifeLimit, match="unused for 1000 s"):
            who.kernel.sessions.find(who.principal, "default")
        await who.ok("navigate", url=site.url("/"), session="second")
        assert len(_jails(who.kernel)) == 1


def _jails(kernel: Kernel) -> list[object]:
    return [*kernel.sessions.jailer.jails]


async def test_jails_of_one_tenant(site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Home</title>")
    async with caller(site, tmp_path, jails_per_tenant=1) as who:
        await who.ok("navigate", url=site.url("/"))
        other = who.another(tenant="acme", policy=who.principal.policy)
        await other.ok("navigate", url=site.url("/"))
        await who.ok("open_session", session="second")
        told = await who.refused("navigate", url=site.url("/"), session="second")
        assert told["code"] == "jails_limit", told
