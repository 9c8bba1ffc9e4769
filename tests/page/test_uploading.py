"""Files for the input that is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.errors import InvalidArgument, NotActionable, TargetAmbiguous
from stockade.page.uploading import drop_files, file_inputs, give_files, only_input
from tests.support.browsers import writable_by_browser
from tests.support.tabs import CALLER, Tab

PANEL = """<button onclick="panel.innerHTML = inputs">Add</button><div id=panel></div>
<button>Idle</button><script>let inputs = '<input type=file name=one>'</script>"""


async def test_an_input_that_a_click_brings(tab: Tab, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("x")
    await tab.show(PANEL)
    add = await tab.ref("button >> nth=0")
    with pytest.raises(InvalidArgument, match="no file input"):
        await only_input(tab.agent, caller=CALLER)
    outcome = await give_files(tab.actions, add, [str(letter)], caller=CALLER)
    assert outcome.extra == {"via": "panel_input"}
    assert await tab.main("() => panel.firstChild.files[0].name") == "letter.txt"
    (one,) = await file_inputs(tab.agent, caller=CALLER)
    assert await only_input(tab.agent, caller=CALLER) == one["ref"]
    await tab.main("() => { inputs = '<input type=file>'.repeat(2) }")
    with pytest.raises(TargetAmbiguous):
        await give_files(tab.actions, add, [str(letter)], caller=CALLER)
    idle = await tab.ref("text=Idle")
    with pytest.raises(NotActionable, match="no file chooser") as caught:
        await give_files(tab.actions, idle, [str(letter)], caller=CALLER, timeout=0.3)
    assert not caught.value.retryable, "it was clicked"


async def test_a_chooser_that_opens_late(tab: Tab, tmp_path: Path) -> None:
    """An application may look something up before it asks for a file."""
    letter = tmp_path / "letter.txt"
    letter.write_text("x")
    await tab.show(
        """<button onclick="setTimeout(() => chosen.click(), 900)">Upload</button>
        <input type=file id=chosen hidden onchange="out.textContent = this.files[0].name">
        <p id=out></p>"""
    )
    button = await tab.ref("button")
    outcome = await give_files(tab.actions, button, [str(letter)], caller=CALLER)
    assert outcome.extra == {"via": "filechooser"}
    assert await tab.main("() => out.textContent") == "letter.txt"


DROPS = """<div id=zone style='width:200px;height:100px'>Drop here</div><p id=not>Not here</p><script>
zone.ondragover = (event) => event.preventDefault();
globalThis.drops = 0; addEventListener('drop', () => { drops += 1; }, true);
zone.ondrop = (event) => { event.preventDefault(); out.textContent = event.dataTransfer.files[0].name; };
</script><p id=out></p>"""


async def test_files_are_dropped_where_they_are_taken(either_tab: Tab, tmp_path: Path) -> None:
    tab = either_tab
    file = writable_by_browser(tmp_path / "given") / "a.txt"
    file.write_text("x")
    await tab.show(DROPS)
    outcome = await drop_files(tab.actions, await tab.ref("#zone"), [str(file)], caller=CALLER)
    assert await tab.main("() => out.textContent") == "a.txt"
    assert set(outcome.extra["events"]) >= {"dragenter", "dragover", "drop"}
    with pytest.raises(NotActionable) as caught:
        await drop_files(tab.actions, await tab.ref("#not"), [str(file)], caller=CALLER)
    assert caught.value.details["reason"] == "not-a-drop-target"
    assert await tab.main("() => drops") == 1
    assert tab.page.main_frame.url.endswith("/page")
