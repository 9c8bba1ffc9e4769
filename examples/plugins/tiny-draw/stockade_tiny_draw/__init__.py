"""An adapter for Tiny Draw: the shapes on its canvas, where they are, and a way to move them.

Tiny Draw keeps its shapes in `window.tinyDraw.shapes`, each `{id, x, y, width, height}` in pixels
of its canvas.
"""

from __future__ import annotations

from typing import Any

_SHAPES = "globalThis.tinyDraw ? tinyDraw.shapes : null"
_CORNER = """(() => {
  const box = document.querySelector('canvas').getBoundingClientRect();
  return [box.left, box.top];
})()"""


async def shapes(api: Any, args: dict[str, Any]) -> list[dict[str, Any]]:
    """The shapes on the canvas; `kind` keeps those of one kind."""
    found = (await api.call_tool("eval_js", {"expr": _SHAPES}))["value"]
    if found is None:
        raise LookupError("this page is not Tiny Draw")
    kind = args.get("kind")
    return [each for each in found if kind is None or each.get("kind") == kind]


async def move(api: Any, args: dict[str, Any]) -> dict[str, Any]:
    """Drag the shape `id` by `dx`, `dy`, as a person would."""
    shape = next(each for each in await shapes(api, {}) if each["id"] == args["id"])
    left, top = (await api.call_tool("eval_js", {"expr": _CORNER}))["value"]
    x, y = left + shape["x"] + shape["width"] / 2, top + shape["y"] + shape["height"] / 2
    steps = [
        {"kind": "down", "x": x, "y": y},
        {"kind": "move", "x": x + args["dx"], "y": y + args["dy"], "ms": 50},
        {"kind": "up"},
    ]
    await api.call_tool("gesture_chain", {"steps": steps, "mode": "none"})
    return next(each for each in await shapes(api, {}) if each["id"] == args["id"])


class _TinyDraw:
    """What the entry point names."""

    namespace = "tiny-draw"
    version = "1.0.0"
    capabilities = ("eval", "canvas", "action")
    depends_on = ()
    ops = {"shapes": shapes, "move": move}  # noqa: RUF012


adapter = _TinyDraw()
