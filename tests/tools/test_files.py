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


async def test_a_file_of_the_session_is_uploaded(mighty: Caller) -> None:
    await mighty.show(ASKS)
    await mighty.ok("artifact_save", name="letters/letter.txt", content="from the session")
    done = await mighty.ok("upload_file", selector="label=Letter", path="letters/letter.txt")
    assert "letter.txt=from the session" in str(done)
    done = await mighty.ok(
        "upload_file", selector="label=Letter", artifact="letters/letter.txt", name="again.txt"
    )
    assert "again.txt=from the session" in str(done)
    done = await mighty.ok(
        "upload_file",
        selector="label=Papers",
        files=[
            {"path": "letters/letter.txt", "name": "copy.txt"},
            {"name": "b", "contents": "Qg=="},
        ],
    )
    assert "copy.txt=from the session;b=B" in str(done)
    refusal = await mighty.refused("upload_file", selector="label=Letter", path="/etc/passwd")
    assert refusal["code"] in {"invalid_argument", "artifact_not_found"}


async def test_the_type_of_a_file_follows_its_name(mighty: Caller) -> None:
    await mighty.show(
        "<label>Letter <input type=file onchange='out.textContent = this.files[0].name"
        ' + " is " + this.files[0].type\'></label><p role=status id=out></p>'
    )
    give = {"selector": "label=Letter", "content": "eA==", "mimeType": "image/png"}
    done = await mighty.ok("upload_file", name="drawing", **give)
    assert "drawing.png is image/png" in str(done)
    assert "warnings" not in done
    done = await mighty.ok("upload_file", name="drawing.txt", **give)
    assert "drawing.txt is text/plain" in str(done)
    assert "by its name" in done["warnings"][0]


DROPS = """<div id=zone role=region aria-label="Drop here" style="width:300px;height:200px">Drop</div>
<p>Not here</p><label>Field <input type=file id=field></label><p role=status id=out></p><script>
zone.ondragover = (event) => event.preventDefault();
zone.ondrop = async (event) => {
  event.preventDefault();
  const parts = [event.isTrusted ? 'trusted' : 'made up'];
  for (const file of event.dataTransfer.files) parts.push(file.name + '=' + await file.text() + ':' + file.type);
  out.textContent = parts.join(';');
};
field.onchange = () => { out.textContent = 'field has ' + field.files[0].name; };
</script>"""


async def test_files_are_dropped_as_by_hand(mighty: Caller) -> None:
    await mighty.show(DROPS)
    await mighty.ok("artifact_save", name="notes.csv", content="a,b")
    done = await mighty.ok(
        "drop_files",
        selector="role=region",
        files=[{"path": "notes.csv"}, {"name": "ü.txt", "contents": "w7w="}],
    )
    assert "trusted;notes.csv=a,b:text/csv;ü.txt=ü:text/plain" in str(done)
    assert (done["fileCount"], done["totalBytes"], done["dropDispatched"]) == (2, 5, True)
    assert {"dragenter", "dragover", "drop"} <= set(done["eventsFired"])
    assert done["target"] == 'region "Drop here"'
    done = await mighty.ok(
        "drop_files", coords={"x": 20, "y": 100}, files=[{"name": "p.txt", "contents": ""}]
    )
    assert "p.txt=" in str(done)
    done = await mighty.ok(
        "drop_files", selector="label=Field", files=[{"name": "f.txt", "contents": ""}]
    )
    assert "field has f.txt" in str(done)


async def test_what_takes_no_files_gets_none(mighty: Caller) -> None:
    await mighty.show(DROPS)
    files = [{"name": "a.txt", "contents": "QQ=="}]
    refusal = await mighty.refused("drop_files", selector="text=Not here", files=files)
    assert (refusal["code"], refusal["reason"]) == ("not_actionable", "not-a-drop-target")
    assert (await mighty.ok("tabs"))["tabs"][0]["url"] == mighty.site.url("/page")
    for wrong in ([], [{"name": "a"}], [{"path": "a", "contents": "QQ=="}], [{"path": "nothing"}]):
        refusal = await mighty.refused("drop_files", selector="role=region", files=wrong)
        assert refusal["code"] in {"invalid_argument", "artifact_not_found"}


async def test_files_are_dropped_into_a_frame_of_another_site(mighty: Caller) -> None:
    mighty.site.page("/inner", DROPS)
    await mighty.show(
        f"<iframe src='{mighty.site.url('/inner', host='localhost')}' width=400 height=400></iframe>"
    )
    found = await mighty.ok("find", query="Drop here region")
    done = await mighty.ok(
        "drop_files",
        ref=found["candidates"][0]["ref"],
        files=[{"name": "a.txt", "contents": "QQ=="}],
    )
    assert "trusted;a.txt=A:text/plain" in str(done)


async def test_downloads_are_kept_or_not_and_forgotten(mighty: Caller) -> None:
    mighty.site.page(
        "/a.txt", "whole", headers={"content-disposition": "attachment; filename=a.txt"}
    )
    await mighty.show("<a href=/a.txt>Get</a>")
    assert (await mighty.ok("downloads_capture", on=True))["downloads"] == []
    await mighty.ok("click", selector="text=Get")
    (row,) = (await mighty.ok("downloads_capture", on=True))["downloads"]
    assert (row["suggestedFilename"], row["sizeBytes"], row["state"]) == ("a.txt", 5, "completed")
    assert (await mighty.ok("artifact_get", name=row["path"]))["content"] == "whole"
    off = await mighty.ok("downloads_capture", on=False, clear=True)
    assert (off["on"], off["count"]) == (False, 0)
    assert (await mighty.ok("artifact_list"))["count"] == 0
    done = await mighty.ok("click", selector="text=Get")
    assert "uri" not in done["downloads"][0]
    assert (await mighty.ok("artifact_list"))["count"] == 0
    reply = await mighty.reply("download_get", id=done["downloads"][0]["id"], pathOnly=True)
    assert reply.data is not None
    assert (reply.links, reply.data["path"]) == ((), "a.txt")
