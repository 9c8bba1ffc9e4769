"""What canvas apps say of themselves."""

from __future__ import annotations

import pytest

from stockade.engines.values import Point
from stockade.page.canvas import transform_of
from tests.support.tabs import Tab

STAGE = """<style>body { margin: 0 } canvas { position: absolute; left: 50px; top: 20px }</style>
<canvas width=10 height=10></canvas><canvas width=400 height=200></canvas><script>%s</script>"""


@pytest.mark.parametrize(
    ("app", "source", "screen"),
    [
        ("app = { viewport: { zoom: 2, center: { x: 10, y: 10 } } }", "app.viewport", (250, 120)),
        ("app = { scale: 2, offset: { x: 5, y: 7 } }", "app.{scale,offset}", (75, 47)),
        ("app = { transform: { matrix: [2, 0, 0, 3, 1, 1] } }", "app.transform", (71, 51)),
        ("app = { transform: { matrix: new DOMMatrix('scale(2)') } }", "app.transform", (70, 40)),
        (
            "editor = { transform: { matrix: new Float32Array([2,0,0, 0,2,0, 1,1,1]) } }",
            "editor.transform",
            (71, 41),
        ),
    ],
)
async def test_usual_shapes(tab: Tab, app: str, source: str, screen: tuple[int, int]) -> None:
    await tab.show(STAGE % app)
    found = await transform_of(tab.agent)
    assert found is not None
    transform, said = found
    assert said == source
    assert transform.to_screen(Point(10, 10)) == screen


async def test_a_page_without_an_app_says_nothing(tab: Tab) -> None:
    await tab.show("<p>plain</p>")
    assert await transform_of(tab.agent) is None
