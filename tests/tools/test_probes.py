"""One element, one point, what does not fit, and locators."""

from __future__ import annotations

import base64

import pytest

from tests.support.callers import Caller
from tests.support.pictures import decode_png, picture_size

CARD = """<body style='margin:0'><div style='position:absolute;left:10px;top:20px;width:100px;
height:30px;overflow:hidden;white-space:nowrap'>A long text that does not fit in here at all</div>
<button style='position:absolute;left:200px;top:20px;width:80px;height:30px'>Buy</button>"""


async def test_inspect_tells_box_styles_and_overflow(caller: Caller) -> None:
    await caller.show(CARD)
    found = await caller.ok("inspect", selector="div", styles=["white-space", "position"])
    assert found["found"] is True
    assert found["box"] == {"x": 10, "y": 20, "width": 100, "height": 30}
    assert found["styles"] == {"white-space": "nowrap", "position": "absolute"}
    assert found["overflowing"] == {"x": True, "y": False}
    assert found["visible"] is True
    assert found["childCount"] == 0
    by_point = await caller.ok("inspect", coords={"x": 240, "y": 35})
    assert (by_point["role"], by_point["name"]) == ("button", "Buy")
    assert (await caller.refused("inspect"))["code"] == "invalid_argument"
    nowhere = await caller.refused("inspect", coords={"x": 90000, "y": 1})
    assert nowhere["code"] == "not_found"


async def test_a_point_is_probed_through_frames_with_a_crop(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", CARD)
    await caller.show(
        f"<body style='margin:0;background:#00ff00'><iframe src='{inner}' style='border:0;"
        "position:absolute;left:100px;top:100px;width:400px;height:200px;background:#ffffff'>"
    )
    seen = await caller.ok("point_probe", coords={"x": 340, "y": 135}, crop=True)
    assert seen["ok"] is True
    assert seen["point"] == {"x": 340, "y": 135}
    assert [each["tag"] for each in seen["stack"][:2]] == ["button", "body"]
    assert seen["clickableAncestor"]["name"] == "Buy"
    picture = base64.b64decode(seen["cropBase64"])
    assert picture_size(picture) == (200, 200)
    assert decode_png(picture).pixel(100, 30)[:3] == (0, 255, 0), "above the frame"
    corner = await caller.ok("point_probe", coords={"x": 1, "y": 1}, crop=True)
    assert picture_size(base64.b64decode(corner["cropBase64"])) == (200, 200)
    assert "cropBase64" not in await caller.ok("point_probe", coords={"x": 1, "y": 1})


async def test_overflow_is_found_in_all_frames(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", CARD)
    await caller.show(
        f"<div style='width:3000px'>Wide</div><div style='width:50px;overflow:hidden;"
        "text-overflow:ellipsis;white-space:nowrap' id=short>A text that is shortened</div>"
        f"<iframe src='{inner}' width=400 height=200></iframe>"
    )
    found = await caller.ok("overflow_detect")
    types = {each["type"]: each for each in found["findings"]}
    assert types["text-ellipsis"]["selector"] == "#short"
    assert "viewport-horizontal" in types
    clipped = types["clipped"]
    assert clipped["ref"].startswith("f1e")
    frame = await caller.ok("inspect", selector="iframe")
    assert clipped["bbox"]["y"] == pytest.approx(frame["box"]["y"] + 22, abs=1)
    only = await caller.ok("overflow_detect", types=["text-ellipsis"], scope="document", limit=1)
    assert [each["type"] for each in only["findings"]] == ["text-ellipsis"]
    assert (only["ok"], only["truncated"], only["scope"]) == (True, False, "document")


async def test_a_locator_means_one_element(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<label>Card number <input></label>")
    await caller.show(
        "<nav aria-label=Main><a href=/1>Help</a></nav><footer><a href=/2>Help</a></footer>"
        f"<button>Buy</button><i></i><i></i><iframe title=Payment src='{inner}'></iframe>"
    )

    async def made(selector: str) -> tuple[str, str]:
        ref = (await caller.ok("inspect", selector=selector))["ref"]
        found = await caller.ok("generate_locator", ref=ref)
        assert found["ok"] is True
        assert found["unique"] is True
        assert found["components"]
        return found["playwright"], found["stability"]

    assert await made("button") == ("page.getByRole('button', { name: 'Buy' })", "medium")
    locator, _ = await made("nav a")
    assert locator.startswith("page.getByRole('navigation', { name: 'Main', exact: true })")
    locator, _ = await made("label=Card number")
    assert locator == (
        "page.frameLocator('iframe[title=\"Payment\"]')"
        ".getByRole('textbox', { name: 'Card number' })"
    )
    ref = (await caller.ok("inspect", selector="i >> nth=1"))["ref"]
    low = await caller.ok("generate_locator", ref=ref)
    assert low["stability"] == "low"
    assert low["warnings"]


async def test_what_a_field_holds_is_told_whole_or_told_to_be_cut(caller: Caller) -> None:
    whole = " ".join(f"word{number}" for number in range(300))
    await caller.show(f"<textarea aria-label=Note>{whole}</textarea>")
    told = await caller.ok("inspect", selector="textarea")
    assert told["value"] == whole
    assert "truncated" not in told
    for tool in ("page_text", "read_dom"):
        assert whole in await caller.text(tool, maxResultTokens=5000)
    long = "x" * 200_000
    await caller.show(f"<input aria-label=Long value={long}>")
    assert (await caller.ok("inspect", selector="input"))["truncated"]


async def test_a_locator_of_what_a_selector_means(caller: Caller) -> None:
    await caller.show("<button data-testid=buy>Buy</button>")
    made = await caller.ok("generate_locator", selector="text=Buy")
    assert made["playwright"] == "page.getByTestId('buy')"
    assert (await caller.refused("generate_locator"))["code"] == "invalid_argument"
