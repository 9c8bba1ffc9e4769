"""Cookies and traces of a user of the tab API."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from stockade.policy.capabilities import Capability
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from tests.support.callers import Caller


async def kept(caller: Caller, session: str) -> dict[str, str]:
    rows = (await caller.ok("cookies_list", session=session))["cookies"]
    return {each["name"]: each["value"] for each in rows}


async def test_a_list_opens_the_session_and_reaches_the_site(caller: Caller) -> None:
    cookies: list[Any] = [
        {"name": "sid", "value": "S3CRET", "domain": "127.0.0.1", "expires": 0, "priority": "High"},
        {"name": "odd", "value": "x;y", "domain": "127.0.0.1"},
    ]
    done = await caller.ok("camofox_import_cookies", session="u1", cookies=cookies)
    assert done["count"] == 1
    assert [each["index"] for each in done["skipped"]] == [1]
    caller.site.page("/", "hi")
    await caller.ok("navigate", session="u1", url=caller.site.url("/"), mode="none")
    assert caller.site.requests[-1].cookies == {"sid": "S3CRET"}
    await caller.ok("open_session", session="u2")
    assert await kept(caller, "u2") == {}
    assert (await caller.ok("camofox_import_cookies", session="u2", cookies=[]))["count"] == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, 'Missing "cookies" field in request body'),
        ({"cookies": None}, "cookies must be an array"),
        ({"cookies": {"name": "n"}}, "cookies must be an array"),
        ({"cookies": [{}] * 501}, "Too many cookies. Maximum 500 per request."),
        ({"cookies": [], "cookiesPath": "a.txt"}, "not both"),
        ({"cookiesPath": "a.txt"}, "file-io"),
    ],
)
async def test_what_is_refused(caller: Caller, given: dict[str, Any], said: str) -> None:
    assert said in (await caller.refused("camofox_import_cookies", session="u1", **given))["error"]


async def test_fields_that_are_missing_are_named(caller: Caller) -> None:
    rows = [{"name": "n", "value": "S3CRET"}]
    refused = await caller.refused("camofox_import_cookies", session="u1", cookies=rows)
    assert refused["invalid"] == [{"index": 0, "missing": ["domain"]}]
    assert "S3CRET" not in json.dumps(refused)


async def test_files_and_the_policy(
    caller: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = Policy(
        capabilities=caller.principal.policy.capabilities | {Capability.FILE_IO},
        blocked=(OriginRule.parse("blocked.example.com"),),
    )
    caller = replace(caller, principal=replace(caller.principal, policy=policy))
    settings = caller.kernel.settings.model_copy(update={"cookies_dir": tmp_path})
    monkeypatch.setattr(caller.kernel, "settings", settings)
    hosts = ["example.com", "a.example.com", "badexample.com", "blocked.example.com"]
    lines = [f"{host}\tFALSE\t/\tFALSE\t0\tn{at}\tv" for at, host in enumerate(hosts)]
    (tmp_path / "cookies.txt").write_text("# comment\nnonsense\n" + "\r\n".join(lines))
    done = await caller.ok(
        "camofox_import_cookies",
        session="u1",
        cookiesPath="cookies.txt",
        domainSuffix=".example.com",
    )
    assert done["count"] == 2
    assert [each["line"] for each in done["skipped"]] == [2, 6]
    assert await kept(caller, "u1") == {"n0": "v", "n1": "v"}
    many = [{"name": f"n{at}", "value": "v", "domain": "many.example"} for at in range(501)]
    (tmp_path / "many.json").write_text(json.dumps(many))
    refused = await caller.refused("camofox_import_cookies", session="u1", cookiesPath="many.json")
    assert "Too many cookies" in refused["error"]
    path = {"cookiesPath": "many.json", "domainSuffix": "other.example"}
    assert (await caller.ok("camofox_import_cookies", session="u1", **path))["count"] == 0


async def test_traces_are_listed_and_deleted_without_a_session(caller: Caller) -> None:
    assert (await caller.ok("camofox_traces", session="u1"))["traces"] == []
    traces = caller.kernel.traces
    old = traces.save(caller.principal, "u1", BytesIO(b"one"), 3).name
    (path,) = caller.kernel.settings.workspace.rglob(old)
    os.utime(path, (path.stat().st_mtime - 10,) * 2)
    name = traces.save(caller.principal, "u1", BytesIO(b"three"), 5).name
    rows = (await caller.ok("camofox_traces", session="u1"))["traces"]
    assert [each["sizeBytes"] for each in rows] == [5, 3]
    assert rows[0]["filename"] == name
    assert rows[0]["createdAt"] > 1e12
    assert (await caller.another().ok("camofox_traces", session="u1"))["traces"] == []
    gone = await caller.another().refused("camofox_delete_trace", session="u1", filename=name)
    assert (gone["code"], gone["error"]) == ("not_found", "not found")
    odd = await caller.refused("camofox_delete_trace", session="u1", filename="../a.zip")
    assert (odd["code"], odd["error"]) == ("invalid_argument", "invalid filename")
    assert await caller.ok("camofox_delete_trace", session="u1", filename=name) == {"ok": True}
    assert [each.size for each in traces.all(caller.principal, "u1")] == [3]
    assert caller.kernel.sessions.visible_to(caller.principal) == []
