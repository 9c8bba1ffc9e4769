"""Gradio: a form whose answer is computed by the server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.apps.applications.controls import (
    click,
    fill,
    press,
    read,
    then,
    type_into,
    upload,
)
from bench.apps.applications.flow import CONTROLS, Flow, Hands, Step
from bench.apps.applications.server import SERVERS, ServerApplication
from bench.apps.driver import Driver

__all__ = ["Gradio"]

_ANSWER = "Ada: Large hot Coffee, strength 7, with Milk and Lemon"


async def _order(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Name"), "Ada")
    await hands.click("combobox", "listbox", "textbox", name=re.compile("^Drink"))
    await hands.click("option", name="Coffee", nth=-1, fresh=True)
    await hands.driver.fill(await hands.line("slider", name=re.compile("Strength")), "7")
    await hands.click_all(
        [
            await hands.choice("Milk", "checkbox"),
            await hands.choice("Lemon", "checkbox"),
            await hands.choice("Hot", "checkbox"),
            await hands.choice("Large", "radio"),
        ]
    )
    await hands.click("button", name="Order", nth=-1)
    await hands.read(_ANSWER)


async def _count(hands: Hands) -> None:
    await hands.click("tab", name="Count")
    await hands.driver.fill(await hands.line("spinbutton", name="Number", fresh=True), "21")
    await hands.click("button", name="Double", fresh=True)
    await hands.read(re.compile(r"Result\W+.{0,20}42"))


async def _help(hands: Hands) -> None:
    await hands.click("button", name=re.compile("^Help"))
    await hands.read("Fill in the form and press the button.")


class Gradio(ServerApplication):
    """`gradio`."""

    name = "gradio"
    package = "gradio"
    flows = (
        Flow(
            "order",
            "Order a large hot coffee with milk and lemon, then double a number, then open the help.",
            (Step("answer", _order, _ANSWER), Step("double", _count), Step("help", _help)),
            first="Strength",
        ),
    )

    first = "Notes"
    controls = (
        Step("textarea", fill("textbox Notes", "Two"), "Two"),
        Step("number", then(fill("spinbutton Amount", "5"), press("ArrowUp")), 6),
        Step(
            "multiple",
            then(
                click("combobox|listbox|textbox Drinks", "option Coffee", "option Cocoa"),
                press("Escape"),
            ),
            ["Coffee", "Cocoa"],
        ),
        Step("custom", fill("combobox|listbox|textbox Shade", "Mauve", submit=True), "Mauve"),
        Step("slider", fill("slider /Share/", "0.8"), 0.8),
        Step("checkboxes", click("checkbox Milk", "checkbox Sugar"), ["Milk", "Sugar"]),
        Step("radio", click("radio Large"), "Large"),
        Step("checkbox", click("checkbox Agree"), expected=True),
        Step("date", fill("textbox YYYY-MM-DD", "2026-03-20", submit=True), "2026-03-20"),
        Step(
            "colour",
            then(
                click("button /Paint|color/"), fill("textbox >> slider Hue", "#00ff00", submit=True)
            ),
            "#00ff00",
        ),
        Step("code", type_into("textbox /Script|Code/", "print(1)"), "print(1)"),
        Step(
            "file",
            then(upload("button /Papers|Drop File Here|upload/", "papers.txt"), read("papers.txt")),
            "papers.txt",
        ),
        Step("attach", upload("button Attach", "notes.txt"), "notes.txt"),
        Step(
            "table",
            then(
                click("gridcell Tea", count=2),
                fill("textbox Edit cell", "Milk", submit=True),
            ),
            "Milk",
        ),
        Step(
            "chat",
            then(type_into("textbox /Message|Say something/", "Hello"), press("Enter")),
            "Hello",
        ),
        Step("query", fill("textbox Query", "tea", submit=True), "tea"),
        Step("example", click("* Ask me"), "Ask me"),
        Step("button", click("button Save"), "clicked"),
        Step("clear", click("button Empty it"), "clicked"),
        Step("accordion", click("button /^Help/", "button Inside"), "clicked"),
        Step("tab", then(click("tab Part Two"), read("All about two.")), "Two"),
    )

    @property
    def environment(self) -> Mapping[str, str]:
        return {"GRADIO_ANALYTICS_ENABLED": "False"}

    def command(self) -> Sequence[str | Path]:
        return [self.bin("python"), SERVERS / "gradio_demo.py", str(self.port)]

    async def begin(self, task: str) -> str:
        self._answer.unlink(missing_ok=True)
        self._recorded.unlink(missing_ok=True)
        return self.url("/controls" if task == CONTROLS else "/")

    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        del driver
        if task == CONTROLS:
            lines = self._recorded.read_text(encoding="utf-8").splitlines()
            return dict(json.loads(line) for line in lines)
        if not self._answer.is_file():
            return {}
        return {"answer": self._answer.read_text(encoding="utf-8")}

    @property
    def _recorded(self) -> Path:
        return self.folder / "recorded.txt"

    @property
    def _answer(self) -> Path:
        return self.folder / "answer.txt"
