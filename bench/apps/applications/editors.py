"""CodeMirror and Quill: editors that are contenteditable."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Editors"]


async def _code(hands: Hands) -> None:
    await hands.read("console.log(answer);")
    await hands.click("textbox", nth=0)
    await hands.driver.press("Control+End")
    await hands.driver.type(await hands.line("textbox", nth=0), "let total = 0;")
    await hands.read("let total = 0;")


async def _rich(hands: Hands) -> None:
    below = await hands.text("Quill")
    view = await hands.driver.see()
    fields = [each for each in view.after(below).all("textbox") if each.ref]
    if not fields:
        # Where the field has no role, what holds its text is taken.
        text = view.after(below).one(name=re.compile("^Hello"))
        fields = [each for each in view.before(text) if each.ref][-1:]
    await hands.driver.fill(fields[0], "A fresh start")
    await hands.driver.press("Control+a")
    await hands.click("button", name="bold")
    await hands.read("A fresh start")


class Editors(BundledPage):
    """`codemirror` and `quill`."""

    name = "editors"
    title = "Editors"
    source = "editors.js"
    # Its latest tag names a release with the code of version 5.
    packages = ("codemirror@6.0", "@codemirror/lang-javascript", "quill")
    flows = (
        Flow(
            "write",
            "Add a line of code; replace the rich text and make it bold.",
            (
                Step("code", _code, "const answer = 42;\nconsole.log(answer);\nlet total = 0;"),
                Step("rich", _rich, "<p><strong>A&nbsp;fresh&nbsp;start</strong></p>"),
            ),
        ),
    )
