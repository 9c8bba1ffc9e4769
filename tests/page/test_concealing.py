"""The clipboard is the origin's: what was copied on one site is not pasted on another."""

from __future__ import annotations

import pytest

from tests.support.callers import Caller

TWO = "<input id=a aria-label=A value='copied text'><input id=b aria-label=B>"


@pytest.mark.parametrize("targeted", [True, False])
async def test_within_an_origin_it_works_as_ever(caller: Caller, *, targeted: bool) -> None:
    await caller.show(TWO)
    caller.site.page("/other", TWO)
    await caller.ok("shortcut", selector="#a", keys=["Control+a", "Control+c"])
    for page in (None, "/other"):
        if page is not None:
            await caller.ok("navigate", url=caller.site.url(page))
        if targeted:
            await caller.ok("press", selector="#b", key="Control+v")
        else:
            await caller.ok("click", selector="#b")
            await caller.ok("press", key="Control+v")
        await caller.ok("verify_value", selector="#b", value="copied text")


@pytest.mark.parametrize("chord", ["Control+v", "Shift+Insert"])
@pytest.mark.parametrize("copying", ["Control+c", "Control+x", "Control+Insert"])
async def test_elsewhere_nothing_is_pasted(caller: Caller, copying: str, chord: str) -> None:
    await caller.show(TWO)
    caller.site.page("/there", TWO)
    await caller.ok("shortcut", selector="#a", keys=["Control+a", copying])
    await caller.ok("navigate", url=caller.site.url("/there", host="localhost"))
    told = await caller.refused("press", selector="#b", key=chord)
    assert told["code"] == "clipboard_refused"
    await caller.ok("click", selector="#b")
    told = await caller.refused("shortcut", keys=[chord])
    assert told["code"] == "clipboard_refused"
    assert (await caller.text("snapshot")).count("copied text") == 1
    await caller.ok("shortcut", selector="#a", keys=["Control+a", "Control+c"])
    await caller.ok("press", selector="#b", key=chord)
    assert (await caller.text("snapshot")).count("copied text") == 2


async def test_nor_into_a_frame_of_another(caller: Caller) -> None:
    caller.site.page("/inner", "<input aria-label=Inner id=i>")
    inner = caller.site.url("/inner", host="localhost")
    await caller.show(f"{TWO}<iframe src='{inner}' width=300 height=80></iframe>")
    await caller.ok("shortcut", selector="#a", keys=["Control+a", "Control+c"])
    told = await caller.refused("press", selector="role=textbox[name=Inner]", key="Control+v")
    assert told["code"] == "clipboard_refused"
    assert (await caller.text("snapshot")).count("copied text") == 1
