"""A picture that may leave."""

from __future__ import annotations

import ast
from pathlib import Path

from stockade.media.picture import Picture

SOURCE = Path(__file__).parents[2] / "src" / "stockade"
PIXELS = {"screenshot", "pdf", "start_screencast", "screencast_frame", "ScreencastFrame"}
"""Where pixels of a page come from."""
MAKERS = {
    "media/camera.py": "takes them",
    "media/cast.py": "takes them",
    "media/veil.py": "paints over them",
    "media/marks.py": "paints on one",
    "kernel/portrait.py": "paints on one",
    "tools/series.py": "writes one in another format",
    "tools/differences.py": "compares two",
    "tools/canvas.py": "is refused while a document knows a secret",
}


def _named(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def test_it_says_what_it_is() -> None:
    assert Picture(b"", "webp").mime_type == "image/webp"


def test_no_pixels_of_a_page_leave_past_the_camera() -> None:
    """Whoever is not named above neither asks a browser for pixels nor vouches for any."""
    past: list[str] = []
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith("engines/") or name in MAKERS:
            continue
        source = path.read_text()
        if not any(each in source for each in (*PIXELS, "Picture(")):
            continue
        for node in ast.walk(ast.parse(source)):
            made = isinstance(node, ast.Call) and _named(node.func) == "Picture"
            asked = _named(node) in PIXELS and not (
                isinstance(node, ast.Attribute) and _named(node.value) == "camera"
            )
            if made or asked:
                past.append(f"{name}:{getattr(node, 'lineno', 0)} {_named(node)}")
    assert not past
