"""Monaco: an editor whose text is not in the field that takes the keys."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Monaco"]

_BEFORE = 'def greet(name):\n    return "Hello " + name\n'


async def _write(hands: Hands) -> None:
    await hands.read('return "Hello " + name')
    view = await hands.driver.see()
    field = view.one("textbox", name="Editor content")
    if field.ref:
        await hands.driver.type(field, "import sys")
        await hands.driver.press("Enter")
    else:
        # The field takes keys when a line of the text is clicked.
        await hands.click(name=re.compile("^def greet"))
        await hands.driver.press("Control+Home", *"import", "Space", *"sys", "Enter")
    await hands.read("import sys")


class Monaco(BundledPage):
    """`monaco-editor`."""

    name = "monaco"
    title = "Monaco"
    source = "monaco.js"
    packages = ("monaco-editor",)
    workers = (("monaco.worker", "monaco-editor/esm/vs/editor/editor.worker.js"),)
    flows = (
        Flow(
            "write",
            "Read the code and write an import before it.",
            (Step("text", _write, f"import sys\n{_BEFORE}"),),
        ),
    )
