"""Files to and from pages, over the kernel."""

from __future__ import annotations

import base64

from stockade.policy.capabilities import DEFAULT
from tests.support.callers import Caller

ASKS = """<label>Letter <input type=file id=one onchange="show(this)"></label>
<label>Papers <input type=file multiple id=many onchange="show(this)"></label>
<button onclick="picker.click()">Choose</button><input type=file id=picker hidden onchange="show(this)">
<p role=status id=out></p><script>
async function show(input) {
  const parts = [];
  for (const file of input.files) parts.push(file.name + '=' + await file.text());
  out.textContent = parts.join(';');
}</script>"""


async def test_content_reaches_the_page(mighty: Caller) -> None:
    await mighty.show(ASKS)
    content = base64.b64encode("höllo".encode()).decode()
    done = await mighty.ok(
        "upload_file", selector="label=Letter", name="letter.txt", content=content
    )
    assert "letter.txt=höllo" in done["snapshotDelta"]["tree"]
    assert (done["fileCount"], done["totalBytes"]) == (1, 6)


async def test_several_files_and_a_button_that_asks(mighty: Caller) -> None:
    await mighty.show(ASKS)
    files = [
        {"name": "a.txt", "content": "A", "encoding": "utf-8"},
        {"name": "b.txt", "content": "B", "encoding": "utf-8"},
    ]
    done = await mighty.ok("upload_file", selector="label=Papers", files=files)
    assert "a.txt=A;b.txt=B" in done["snapshotDelta"]["tree"]
    done = await mighty.ok("upload_file", selector="role=button[name=Choose]", files=files[:1])
    assert "a.txt=A" in done["snapshotDelta"]["tree"]


async def test_a_name_is_made_safe_and_content_must_be_right(mighty: Caller) -> None:
    await mighty.show(ASKS)
    done = await mighty.ok(
        "upload_file",
        selector="label=Letter",
        name="../../etc/passwd",
        content="x",
        encoding="utf-8",
    )
    assert "passwd=x" in done["snapshotDelta"]["tree"]
    assert "/etc/" not in done["snapshotDelta"]["tree"]
    for given in (
        {"content": "%%%"},
        {},
        {"name": "x"},
        {"content": "eA==", "files": [{"name": "a", "content": "eA=="}]},
    ):
        refusal = await mighty.refused("upload_file", selector="label=Letter", **given)
        assert refusal["code"] == "invalid_argument"


async def test_without_the_capability_there_is_no_upload(caller: Caller) -> None:
    refusal = await caller.refused("upload_file", selector="x", content="eA==")
    assert refusal["code"] == "capability_disabled"
    assert refusal["requiredCapability"] == "file-io"
    assert refusal["activeCapabilities"] == sorted(DEFAULT)
    assert "STOCKADE_CAPABILITIES" in refusal["hint"]


async def test_a_download_is_reported_and_kept(mighty: Caller) -> None:
    mighty.site.page(
        "/report.csv",
        "a,b\n1,2\n",
        content_type="text/csv",
        headers={"content-disposition": "attachment; filename=report.csv"},
    )
    await mighty.show("<a href=/report.csv>Report</a>")
    reply = await mighty.reply("click", selector="text=Report")
    assert reply.data is not None
    (row,) = reply.data["downloads"]
    assert (row["suggestedFilename"], row["sizeBytes"], row["state"]) == (
        "report.csv",
        8,
        "completed",
    )
    (link,) = reply.links
    kept = mighty.kernel.artifacts.find(mighty.kernel.sessions, mighty.principal, link.uri)
    assert kept.path.read_bytes() == b"a,b\n1,2\n"
    got = await mighty.ok("download_get", id=row["id"])
    assert got["uri"] == link.uri
    other = mighty.another()
    await other.ok("open_session", session="mine")
    refusal = await other.refused("download_get", id=row["id"], session="mine")
    assert refusal["code"] == "artifact_not_found"
