"""Uploads and downloads of the tab API, over the kernel."""

from __future__ import annotations

import asyncio
import base64
import os
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stockade.engines.events import DownloadChanged, DownloadStarted
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from tests.support.asking import downloaded
from tests.support.callers import Caller
from tests.support.expecting import expecting
from tests.support.site import Request, Response
from tests.tools.camofox.test_acting import Tab

ASKS = """<form><label>Letter <input type=file name=letter onchange="show(this)"></label>
<label>Papers <input type=file multiple name=papers onchange="show(this)"></label></form>
<div id=zone role=button tabindex=0 onclick="picker.click()">Drop files here</div>
<button onclick="setTimeout(() => { panel.innerHTML = '<input type=file hidden onchange=show(this)>' }, 100)">
Add a photo</button><div id=panel></div>
<button onclick="document.forms[0].remove()">Fewer</button>
<p role=status id=out></p><script>
const picker = document.createElement('input');
picker.type = 'file';
picker.onchange = () => show(picker);
async function show(input) {
  const parts = [];
  for (const file of input.files) parts.push(file.name + '=' + await file.text());
  out.textContent = (input.name || 'other') + ':' + parts.join(';');
}</script>"""


@pytest.fixture
def uploads(mighty: Caller) -> Path:
    """The upload directory of the workspace, with some files."""
    place = mighty.kernel.settings.workspace / "uploads"
    place.mkdir(mode=0o700, exist_ok=True, parents=True)
    (place / "a.txt").write_text("A")
    (place / "b.txt").write_text("B")
    return place


async def test_files_go_to_the_element_that_is_meant(mighty: Caller, uploads: Path) -> None:
    tab = await Tab.at(mighty, ASKS)
    a, b = str(uploads / "a.txt"), str(uploads / "b.txt")

    async def given(path: Any, via: str, said: str, **where: str) -> None:
        done = await tab.ok("upload", path=path, **where)
        assert done["attached"] == ([a] if path in ("a.txt", a) else [a, b])
        assert (done["ok"], done["via"], done["refsAvailable"]) == (True, via, True)
        await tab.ok("wait_for", text=said)

    await given(a, "direct_input", "letter:a.txt=A", selector="[name=letter]")
    await given([a, b], "direct_input", "papers:a.txt=A;b.txt=B", selector="label >> having=Papers")
    await given(
        "a.txt", "filechooser", "other:a.txt=A", ref=await tab.ref('button "Drop files here"')
    )
    several = await tab.refused("upload", path=a)
    assert (several.code, several.details["count"]) == ("ambiguous", 2)
    assert [each["name"] for each in several.details["candidates"]] == ["letter", "papers"]
    assert (await tab.refused("upload", path=a, selector="form")).code == "ambiguous"
    one = await tab.refused("upload", path=[a, b], selector="[name=letter]")
    assert (one.code, "takes one file" in one.message) == ("invalid_argument", True)
    assert (await tab.refused("upload", path=a, ref="e9999")).code == "stale_ref"
    await tab.ok("click", selector="text=Fewer")
    none = await tab.refused("upload", path=a)
    assert (none.code, "no file input" in none.message) == ("invalid_argument", True)
    await given(a, "panel_input", "other:a.txt=A", selector="text=Add a photo")
    # Now it is the only one.
    await given(a, "direct_input", "other:a.txt=A")


async def test_no_other_file_leaves(mighty: Caller, uploads: Path) -> None:
    tab = await Tab.at(mighty, "<input type=file>")
    (uploads / "out").symlink_to("/etc")
    (uploads / "key").symlink_to(uploads.parent / "key")
    os.mkfifo(uploads / "pipe")
    problems = {
        "/etc/passwd": "upload_path_outside_root",
        "../key": "upload_path_outside_root",
        "out/passwd": "upload_path_outside_root",
        str(uploads): "upload_path_outside_root",
        "missing.txt": "file_not_found",
        "pipe": "invalid_upload_path",
        "a\0.txt": "invalid_upload_path",
        "": "invalid_upload_path",
        7: "invalid_upload_path",
    }
    for path, problem in problems.items():
        refusal = await tab.refused("upload", path=path)
        assert (refusal.code, refusal.details["problem"]) == ("invalid_argument", problem), path
        # Before the element is looked for.
        refusal = await tab.refused("upload", path=["a.txt", path], selector="#nowhere")
        assert refusal.details["problem"] == problem
    assert await tab.value("document.querySelector('input').files.length") == 0
    assert stat.S_IMODE(uploads.stat().st_mode) == 0o700


async def test_downloads_are_listed_read_and_consumed(mighty: Caller) -> None:
    more = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"x" * 1000
        await more.wait()
        yield b"y"

    async def slow(_: Request) -> Response:
        return Response(slowly(), headers={"content-disposition": "attachment; filename=slow.zip"})

    attached = {"content-disposition": "attachment; filename=report.csv"}
    mighty.site.page("/report.csv", "a,b", headers=attached)
    mighty.site.route("/slow", slow)
    tab = await Tab.at(
        mighty, "<a href=/report.csv target=_blank>Report</a> <a href=/slow>Slow</a>"
    )
    (began,) = (await tab.ok("click", selector="text=Report"))["downloads"]
    await tab.ok("click", selector="text=Slow")
    await tab.ok("download", downloadId=began["id"])
    report, running = (await tab.ok("downloads", includeData=True))["downloads"]
    assert base64.b64decode(report.pop("dataBase64")) == b"a,b"
    assert report.pop("createdAt").endswith("Z")
    assert report == {
        "id": began["id"],
        "url": mighty.site.url("/report.csv"),
        "suggestedFilename": "report.csv",
        "mimeType": "text/csv",
        "bytes": 3,
        "failure": None,
    }
    assert (running["failure"], running["bytes"] <= 1000, "dataBase64" in running) == (
        None,
        True,
        False,
    )
    skipped = (await tab.ok("downloads", includeData=True, maxBytes=2))["downloads"][0]
    assert (skipped["dataSkipped"], "dataBase64" in skipped) == ("max_bytes_exceeded", False)
    # Reading needs a capability that listing does not.
    policy = Policy(capabilities=frozenset({Capability.READ}))
    reader = replace(mighty, principal=replace(mighty.principal, policy=policy))
    assert await reader.ok("camofox_downloads", tabId=tab.id)
    assert (await reader.refused("camofox_download", tabId=tab.id, downloadId="x"))["code"] == (
        "capability_disabled"
    )
    await tab.ok("downloads", consume=True)
    more.set()
    await tab.ok("download", downloadId=running["id"])
    (left,) = (await tab.ok("downloads", consume=True))["downloads"]
    assert (left["id"], left["bytes"]) == (running["id"], 1001)
    assert (await tab.ok("downloads"))["downloads"] == []
    (session,) = mighty.kernel.sessions.all()
    assert downloaded(session) == []
    assert mighty.kernel.artifacts.of(session) == []
    assert (await tab.refused("download", downloadId=running["id"])).code == "artifact_not_found"


async def test_a_broken_download_says_so_and_only_the_last_are_kept(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stockade.tools.camofox.files._MOST_KEPT", 2)
    never = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        yield b"x" * 1000
        await never.wait()

    async def stuck(_: Request) -> Response:
        return Response(endless(), headers={"content-disposition": "attachment; filename=y.txt"})

    mighty.site.route("/stuck", stuck)
    tab = await Tab.at(mighty, "<a id=link download=x.txt href='data:text/plain,x'>x</a>")
    (session,) = mighty.kernel.sessions.all()
    context = await session.started()
    for _ in range(2):
        async with expecting(context.events, DownloadStarted) as started:
            await tab.ok("evaluate", expression="link.click()")
        await tab.ok("download", downloadId=started.result().download.id)
    async with expecting(context.events, DownloadStarted) as started:
        await tab.ok("evaluate", expression="location = '/stuck'")
    broken = started.result().download
    async with expecting(
        context.events, DownloadChanged, where=lambda event: event.download.state == "canceled"
    ):
        await context.cancel_download(broken.id)
    rows = (await tab.ok("downloads", includeData=True))["downloads"]
    assert len(rows) == 2
    assert (rows[-1]["failure"], rows[-1]["bytes"]) == ("the download was canceled", None)
    assert "dataBase64" not in rows[-1]
    # The browser removes what it had of a broken one in its own time.
    kept = [each for each in downloaded(session) if not each.endswith(".crdownload")]
    assert len(kept) == 1
