"""The element that a person is asked about, in its surroundings."""

from __future__ import annotations

import io

from PIL import Image

from tests.support.callers import Caller
from tests.support.desk import Desk

PAGE = """<body style='margin:0;background:#fff'>
<button style='position:absolute;left:400px;top:300px;width:200px;height:50px;background:#0a0'>Go
</button>"""


async def test_it_shows_the_element_with_a_line_around_it(caller: Caller) -> None:
    settings = caller.kernel.settings
    caller.kernel.settings = settings.model_copy(update={"approval_wait": 0.01})
    try:
        desk = Desk.of(caller, "tool:click")
        caller.site.page("/in", PAGE)
        await desk.agent.show(PAGE)
        await desk.waits("click", selector="button")
        frame = "<body style='margin:0'><iframe src=/in style='border:0;margin-left:90px' width=900 height=600>"
        await desk.agent.show(frame, path="/framed")
        found = (await desk.agent.ok("find", query="Go"))["candidates"][0]["ref"]
        await desk.waits("click", ref=found)
    finally:
        caller.kernel.settings = settings
    for question in desk.pending:
        assert question.picture is not None
        image = Image.open(io.BytesIO(question.picture.data)).convert("RGB")
        assert image.size == (720, 290)
        middle = image.getpixel((360, 130))
        assert middle == (0, 170, 0)
        assert image.getpixel((360, 118)) == (208, 32, 32)
        assert image.getpixel((10, 10)) == (255, 255, 255)
