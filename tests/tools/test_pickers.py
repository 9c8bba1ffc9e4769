"""File pickers: what pages ask for, what they get, and where it goes that they save."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.callers import Caller
from tests.support.waiting import until

PAGE = """<p role=status id=out>-</p><input type=file multiple aria-label=Attach id=attach><script>
const say = (what) => { out.textContent += `[${what}]`; };
const tried = (name, code) => async () => { try { say(await code()); } catch (e) { say(`${name} ${e.name}`); } };
const choose = tried('open', async () => {
  const handles = await showOpenFilePicker({ multiple: true });
  const files = await Promise.all(handles.map((each) => each.getFile()));
  const texts = await Promise.all(files.map((each) => each.text()));
  return handles.map((each, at) => `${each instanceof FileSystemFileHandle} ${each.name} ${texts[at]}`).join();
});
const keep = tried('save', async () => {
  const handle = await showSaveFilePicker({ suggestedName: '../notes.txt' });
  const stream = await handle.createWritable();
  await stream.write('first ');
  await stream.write('second');
  await stream.close();
  return `saved ${handle.name}`;
});
const folder = tried('folder', async () => {
  const handle = await showDirectoryPicker({ mode: 'readwrite' });
  const names = [];
  for await (const [name] of handle) names.push(name);
  const made = await handle.getFileHandle('new.bin', { create: true });
  const stream = await made.createWritable();
  await stream.write(new Uint8Array(300_000).fill(65));
  await stream.close();
  return `folder ${names}`;
});
attach.oncancel = () => say('cancelled');
attach.onchange = () => say([...attach.files].map((each) => each.name));
</script><button onclick=choose()>choose</button><button onclick=keep()>keep</button>
<button onclick=folder()>folder</button><button onclick=attach.click()>attach</button>"""

FILE = {"name": "a.txt", "content": "hello", "encoding": "utf-8"}


async def press(caller: Caller, name: str) -> dict[str, Any]:
    """Have the page ask; the result, which need not be a success."""
    reply = await caller.reply("click", selector=f"role=button[name={name}]")
    assert reply.data is not None
    return reply.data


@pytest.mark.parametrize(
    ("name", "api", "said"),
    [
        ("choose", "showOpenFilePicker", "open AbortError"),
        ("keep", "showSaveFilePicker", "save AbortError"),
        ("folder", "showDirectoryPicker", "folder AbortError"),
        ("attach", "input", "cancelled"),
    ],
)
async def test_by_default_nothing_is_given_and_that_is_told_once(
    caller: Caller, name: str, api: str, said: str
) -> None:
    await caller.show(PAGE)
    body = await press(caller, name)
    assert (body["ok"], body["code"]) == (False, "page_asked")
    assert body["failure"] == {"source": "app"}
    [told] = body["fsPickerRequests"]
    assert (told["api"], told["handledAs"]) == (api, "raise")
    assert f"[{said}]" in await caller.text("snapshot")


async def test_files_given_in_advance(mighty: Caller) -> None:
    await mighty.show(PAGE)
    given = await mighty.ok("fs_picker_respond", api="showOpenFilePicker", files=[FILE, FILE])
    assert (given["fileCount"], given["totalBytes"], given["waiting"]) == (2, 10, 1)
    done = await press(mighty, "choose")
    assert (done["ok"], done["fsPickerRequests"][0]["handledAs"]) == (True, "allow")
    await mighty.ok("wait_for", text="[true a.txt hello,true a.txt hello]")
    # Once: the next finds nothing.
    assert not (await press(mighty, "choose"))["ok"]
    await mighty.ok("artifact_save", name="b.txt", content="bye", encoding="utf-8")
    await mighty.ok("fs_picker_respond", api="input", files=["b.txt"])
    assert (await press(mighty, "attach"))["ok"]
    await mighty.ok("wait_for", text="[b.txt]")
    await mighty.ok("set_fs_picker_policy", mode="deny")
    refusal = await mighty.refused("fs_picker_respond", api="input", files=["b.txt"])
    assert refusal["code"] == "invalid_argument"
    done = await press(mighty, "attach")
    assert (done["ok"], done["fsPickerRequests"][0]["handledAs"]) == (True, "deny")


async def test_what_pages_save_is_the_sessions(mighty: Caller) -> None:
    policy = {"mode": "deny", "perAPI": {"showSaveFilePicker": "allow"}}
    opened = await mighty.ok("open_session", fsPickerPolicy=policy)
    assert opened["fsPickerPolicy"] == policy
    await mighty.show(PAGE)
    done = await press(mighty, "keep")
    assert done["ok"]
    await mighty.ok("wait_for", text="[saved ..notes.txt]")
    [name] = await saved(mighty, 1)
    kept = await mighty.ok("artifact_get", name=name, encoding="utf-8")
    assert kept["content"] == "first second"
    await mighty.ok("set_fs_picker_policy", mode="raise", perAPI={"showDirectoryPicker": "allow"})
    await mighty.ok("fs_picker_respond", api="showDirectoryPicker", files=[FILE])
    await press(mighty, "folder")
    await mighty.ok("wait_for", text="[folder a.txt]")
    names = await saved(mighty, 2)
    kept = await mighty.ok("artifact_get", name=names[-1], encoding="utf-8")
    assert (kept["size"], set(kept["content"])) == (300_000, {"A"})


async def saved(caller: Caller, count: int) -> list[str]:
    """The names of the saved files, once there are so many."""
    found: list[str] = []

    async def there() -> bool:
        rows = (await caller.ok("artifact_list"))["artifacts"]
        found[:] = [each["name"] for each in rows if "a.txt" not in each["name"]]
        return len(found) == count

    await until(there)
    return found


async def test_what_may_not_be_chosen(caller: Caller) -> None:
    body = await caller.refused("set_fs_picker_policy", mode="allow", perAPI={"steal": "allow"})
    assert body["code"] == "invalid_argument"
    assert "steal" not in body["error"]
    body = await caller.refused("fs_picker_respond", api="input", files=["x"])
    assert body["code"] == "capability_disabled"
