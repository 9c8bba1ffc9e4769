"""Canvas apps: pixels, gestures and coordinates."""

from __future__ import annotations

import base64
from dataclasses import replace
from io import BytesIO

import PIL.Image

from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from tests.support.callers import Caller
from tests.tools.inside import in_page

DRAWN = """<style>body { margin: 0 }</style><canvas width=40 height=20></canvas><script>
const pen = document.querySelector('canvas').getContext('2d');
pen.fillStyle = 'rgb(200, 10, 30)'; pen.fillRect(0, 0, 20, 20);
</script>"""
GL = """<style>body { margin: 0; background: white }</style><canvas width=30 height=10></canvas><script>
const gl = document.querySelector('canvas').getContext('webgl', { preserveDrawingBuffer: false });
const draw = () => { gl.clearColor(0, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
%s
</script>"""
PAD = """<style>body { margin: 0 }</style><canvas width=300 height=200></canvas><p role="status"></p>
<script>
const said = document.querySelector('p'), path = [];
const canvas = document.querySelector('canvas');
canvas.onpointerdown = () => { path.length = 0; };
canvas.onpointermove = (e) => { if (e.buttons && e.isTrusted) path.push([e.offsetX, e.offsetY]); };
canvas.onpointerup = () => { const end = path.at(-1); said.textContent = `stroke to ${end}`; };
canvas.onwheel = (e) => { said.textContent += ` wheel ${e.deltaY}`; };
</script>"""


async def test_the_pixels_of_a_2d_canvas(mighty: Caller) -> None:
    await mighty.show(DRAWN)
    reply = await mighty.reply("canvas_capture")
    assert reply.data is not None
    assert (reply.data["width"], reply.data["height"], reply.data["blank"]) == (40, 20, False)
    picture = PIL.Image.open(BytesIO(reply.images[0].data))
    assert picture.getpixel((5, 5)) == (200, 10, 30, 255)
    assert picture.getpixel((30, 5)) == (0, 0, 0, 0)
    raw = await mighty.ok("canvas_capture", selector="canvas", format="2d-imagedata")
    pixels = base64.b64decode(raw["dataBase64"])
    assert (len(pixels), pixels[:4]) == (40 * 20 * 4, bytes([200, 10, 30, 255]))
    same = await mighty.ok(
        "canvas_diff",
        beforeBase64=raw["dataBase64"],
        afterBase64=raw["dataBase64"],
        width=40,
        height=20,
    )
    assert same["changedPixelCount"] == 0
    assert "uri" in raw


async def test_webgl_is_read_before_it_is_let_go_of(mighty: Caller) -> None:
    loop = "const loop = () => { draw(); requestAnimationFrame(loop); }; loop();"
    await mighty.show(GL % loop)
    looped = await mighty.ok("canvas_capture", format="webgl-framebuffer")
    assert (looped["shown"], looped["blank"]) == ("canvas", False)
    assert base64.b64decode(looped["dataBase64"])[:4] == bytes([0, 0, 255, 255])
    # Drawn once and shown: only the screen still has it.
    await mighty.show(GL % "draw();", path="/once")
    once = await mighty.ok("canvas_capture", format="webgl-framebuffer")
    assert once["shown"] == "screen"
    assert base64.b64decode(once["dataBase64"])[:4] == bytes([0, 0, 255, 255])
    assert once["warnings"]


async def test_canvases_that_may_not_be_read(mighty: Caller) -> None:
    file = BytesIO()
    PIL.Image.new("RGB", (8, 8), "red").save(file, "PNG")
    mighty.site.other.page("/cat.png", file.getvalue(), content_type="image/png")
    cat = mighty.site.other.url("/cat.png")
    await mighty.show(
        f"""<canvas width=8 height=8></canvas><img src="{cat}"><script>
        onload = () => document.querySelector('canvas').getContext('2d')
          .drawImage(document.querySelector('img'), 0, 0);</script>"""
    )
    for kind in ("png", "webgl-framebuffer", "2d-imagedata"):
        body = await mighty.refused("canvas_capture", format=kind)
        assert (body["code"], "screenshot" in body["hint"]) == ("tainted-canvas", True)
        assert "dataBase64" not in body
    await mighty.show("<canvas width=20000 height=2></canvas>", path="/wide")
    assert (await mighty.refused("canvas_capture"))["code"] == "canvas-too-large"
    await mighty.show("<canvas></canvas><canvas></canvas><p id=p>x</p>", path="/two")
    assert (await mighty.refused("canvas_capture"))["code"] == "ambiguous"
    assert (await mighty.refused("canvas_capture", selector="#p"))["code"] == "invalid_argument"


async def test_a_gesture_is_made_step_by_step(mighty: Caller) -> None:
    await mighty.show(PAD)
    result = await mighty.ok(
        "gesture_chain",
        steps=[
            {"kind": "down", "x": 20, "y": 20},
            {"kind": "move", "x": 120, "y": 80, "ms": 30},
            {"kind": "move", "x": 150, "y": 90, "ms": 1},
            {"kind": "wait", "ms": 10},
            {"kind": "up"},
            {"kind": "wheel", "x": 50, "y": 50, "deltaY": 40},
        ],
    )
    assert result["stepsExecuted"] == 6
    assert result["totalDurationMs"] >= 45
    assert any("at least 5 ms" in each for each in result["warnings"])
    shown = await mighty.text("snapshot")
    assert "stroke to 150,90" in shown
    assert "wheel 40" in shown
    held = await mighty.ok("gesture_chain", steps=[{"kind": "down", "x": 9, "y": 9}])
    assert any("held" in each for each in held["warnings"])
    await mighty.ok("mouse_up")
    too_many = [{"kind": "wait"}] * 201
    assert (await mighty.refused("gesture_chain", steps=too_many))["code"] == "invalid_argument"
    reader = replace(
        mighty, principal=replace(
            mighty.principal, id="reader",
            policy=Policy(capabilities=frozenset({Capability.CANVAS, Capability.READ, Capability.NAVIGATION})),
        ),
    )  # fmt: skip
    await reader.show(PAD)
    refused = await reader.refused("gesture_chain", steps=[{"kind": "up"}])
    assert refused["requiredCapability"] == "action"


async def test_coordinates_there_and_back(mighty: Caller) -> None:
    await mighty.show("<style>body { margin: 0 }</style><canvas width=200 height=100></canvas>")
    transform = {"scale": 2, "panX": 10, "panY": 20}
    there = await mighty.ok("canvas_world_to_screen", x=5, y=6, transform=transform)
    assert (there["x"], there["y"], there["source"]) == (20, 32, "explicit")
    back = await mighty.ok("canvas_screen_to_world", x=20, y=32, transform=transform)
    assert (back["x"], back["y"]) == (5, 6)
    none = await mighty.refused("canvas_world_to_screen", x=1, y=1)
    assert (none["code"], "transform" in none["hint"]) == ("no-transform", True)
    await in_page(
        mighty, "() => { globalThis.app = { viewport: { zoom: 2, center: { x: 10, y: 10 } } } }"
    )
    found = await mighty.ok("canvas_world_to_screen", x=10, y=10)
    assert (found["x"], found["y"], found["source"]) == (100, 50, "app.viewport")
    assert found["warnings"]
    flat = {"scale": 0, "panX": 0, "panY": 0}
    refused = await mighty.refused("canvas_screen_to_world", x=1, y=1, transform=flat)
    assert refused["code"] == "invalid_argument"


async def test_no_canvas_is_read_where_a_secret_was_filled_in(mighty: Caller) -> None:
    await mighty.show("<canvas width=4 height=4></canvas><input type=password>")
    site = mighty.site.url("")
    await mighty.ok("register_secret", name="PW", value="correct-horse-9", scope=site)
    await mighty.ok("fill", selector="input", value="<PW>", mode="none")
    for kind in ("png", "webgl-framebuffer", "2d-imagedata"):
        assert (await mighty.refused("canvas_capture", format=kind))["code"] == "document_tainted"
    await mighty.show("<canvas width=4 height=4></canvas>", path="/next")
    await mighty.ok("canvas_capture")
