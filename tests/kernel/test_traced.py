"""A trace tells what was done in a session, without what nobody else is to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from zipfile import ZipFile

import pytest

from stockade.errors import Conflict
from stockade.kernel.call import Call
from stockade.kernel.dispatch import Kernel
from stockade.kernel.traced import start_tracing
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.callers import Caller

PAGE = """<h1>Shop</h1><label>Name <input></label>
<button onclick="console.warn('bought hunter22'); fetch('/api?k=hunter22')">Buy</button>"""


def in_session(caller: Caller) -> Call:
    kernel, principal = caller.kernel, caller.principal
    tool = kernel.registry.find("navigate")
    arguments = tool.arguments.model_validate({"url": "about:blank"})
    call = Call("call_0", kernel, principal, tool, arguments, deadline=0.0)
    call.session_or_none = kernel.sessions.open(principal, "default")
    return call


@contextmanager
def opened(kernel: Kernel, owner: Principal) -> Iterator[ZipFile]:
    (found,) = kernel.traces.all(owner, "default")
    with kernel.traces.open(owner, "default", found.name) as file, ZipFile(file) as archive:
        yield archive


def rows(archive: ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(name).splitlines()]


async def test_a_session_from_its_start_to_its_end(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = mighty.kernel
    monkeypatch.setattr(kernel, "masker", Masker())
    kernel.masker.add("CODE", "hunter22")
    mighty.site.page("/api", '{"code": "hunter22"}', content_type="application/json")
    call = in_session(mighty)
    await start_tracing(call, call.session)
    await start_tracing(call, call.session)
    await mighty.show(PAGE, path="/shop")
    await mighty.ok("fill", selector="input", value="S3CRET")
    await mighty.ok("click", selector="button")
    await mighty.refused("click", selector="#none", timeoutMs=500)
    await mighty.ok("batch", calls=[{"tool": "press", "args": {"key": "a"}}])
    await kernel.sessions.close(call.session)

    with opened(kernel, mighty.principal) as archive:
        told = rows(archive, "trace.trace")
        before = {each["method"]: each for each in told if each["type"] == "before"}
        assert list(before) == ["navigate", "fill", "click", "batch", "press"]
        assert before["fill"]["params"] == {"selector": "input", "value": "<6 characters>"}
        assert before["press"]["parentId"] == before["batch"]["callId"]
        ends = {each["callId"]: each for each in told if each["type"] == "after"}
        assert "error" in ends[before["click"]["callId"]]
        assert [each["text"] for each in told if each["type"] == "console"] == ["bought <CODE>"]
        pictures = [each for each in told if each["type"] == "screencast-frame"]
        assert pictures
        assert archive.read(f"resources/{pictures[0]['sha1']}").startswith(b"\xff\xd8")
        exchanges = [each["snapshot"] for each in rows(archive, "trace.network")]
        page, api = (each for each in exchanges if "favicon" not in each["request"]["url"])
        assert archive.read(f"resources/{page['response']['content']['_sha1']}").decode() == (
            PAGE.replace("hunter22", "<CODE>")
        )
        assert api["request"]["url"].endswith("/api?k=<CODE>")
        assert b"S3CRET" not in archive.read("trace.trace")


async def test_one_that_has_begun_untraced_stays_so(caller: Caller) -> None:
    call = in_session(caller)
    await caller.show("here")
    with pytest.raises(Conflict, match="session creation"):
        await start_tracing(call, call.session)


async def test_a_server_that_stops_writes_it_without_bodies_that_nobody_may_read(
    caller: Caller,
) -> None:
    async with running_kernel(caller.kernel.settings) as kernel:
        mine = Caller(kernel, caller.principal, caller.site)
        call = in_session(mine)
        await start_tracing(call, call.session)
        await mine.show(PAGE)
    with opened(kernel, caller.principal) as archive:
        assert "before" in {each["type"] for each in rows(archive, "trace.trace")}
        (page,) = (
            each["snapshot"]
            for each in rows(archive, "trace.network")
            if "favicon" not in each["snapshot"]["request"]["url"]
        )
        assert "_sha1" not in page["response"]["content"]
