"""Files of the tab API: given, listed, fetched whole and in part."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.surfaces.tabs.conftest import KEYED, Tabs


async def test_files_go_in_and_out(tabs: Tabs) -> None:
    tab = await tabs.open()
    (tabs.uploads / "cat.txt").write_text("miau", encoding="utf-8")
    given = await tabs.post(f"/tabs/{tab}/upload", userId="u", path="cat.txt")
    assert given["attached"] == [str(tabs.uploads / "cat.txt")]
    assert given["via"] == "direct_input"
    assert await tabs.run(tab, "document.querySelector('[type=file]').files[0].text()") == "miau"
    link = f"<a href='{tabs.site.url('/download')}'>Get</a>"
    await tabs.run(tab, f"document.body.innerHTML = {json.dumps(link)}")
    await tabs.post(f"/tabs/{tab}/click", userId="u", selector="a")
    row: dict[str, Any] = {}
    async with asyncio.timeout(10):
        while not row or row["bytes"] != 11:
            listed = await tabs.get(f"/tabs/{tab}/downloads", userId="u", includeData="true")
            row = (listed["downloads"] or [{}])[0]
    assert row["suggestedFilename"] == "report.txt"
    file = f"/tabs/{tab}/downloads/{row['id']}"
    whole = await tabs.send("GET", file, params={"userId": "u"})
    assert (whole.status_code, whole.content) == (200, b"hello world")
    part = await tabs.send("GET", file, params={"userId": "u"}, headers={"range": "bytes=6-"})
    assert (part.status_code, part.content) == (206, b"world")
    await tabs.get(f"/tabs/{tab}/downloads/nothing", 404, userId="u")
    await tabs.get(file, 400)
    await tabs.get(f"/tabs/{tab}/downloads", userId="u", consume="true")
    assert (await tabs.get(f"/tabs/{tab}/downloads", userId="u"))["downloads"] == []
    await tabs.get(file, 404, userId="u")


async def test_uploads_that_are_refused_say_why(tabs: Tabs) -> None:
    upload = f"/tabs/{await tabs.open()}/upload"
    for path, code in (
        ("nothing.txt", "file_not_found"),
        ("/etc/passwd", "upload_path_outside_root"),
        ("", "invalid_upload_path"),
    ):
        assert (await tabs.post(upload, 400, userId="u", path=path))["code"] == code


async def test_a_trace_is_made_listed_fetched_and_deleted(tabs: Tabs) -> None:
    await tabs.open(user="traced", trace=True)
    await tabs.delete("/sessions/traced")
    listed = (await tabs.send("GET", "/sessions/traced/traces", headers=KEYED)).json()["traces"]
    assert len(listed) == 1
    path = f"/sessions/traced/traces/{listed[0]['filename']}"
    file = await tabs.send("GET", path, headers=KEYED)
    assert file.headers["content-type"] == "application/zip"
    assert file.content.startswith(b"PK")
    assert len(file.content) == listed[0]["sizeBytes"]
    assert tabs.checked(await tabs.send("DELETE", path, headers=KEYED), 200)["ok"] is True
    assert tabs.checked(await tabs.send("DELETE", path, headers=KEYED), 404)["error"] == "not found"
    for method in ("GET", "DELETE"):
        bad = await tabs.send(method, "/sessions/traced/traces/..%2Fx", headers=KEYED)
        assert tabs.checked(bad, 400)["error"] == "invalid filename"
        gone = await tabs.send(method, path, headers=KEYED)
        assert tabs.checked(gone, 404)
    tab = await tabs.open(user="late")
    late = {"userId": "late", "sessionKey": "s", "trace": True}
    assert tab
    await tabs.post("/tabs", 409, **late)
