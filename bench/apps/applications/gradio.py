"""Gradio: a form whose answer is computed by the server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.apps.applications.flow import Flow, Hands, Step
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

    @property
    def environment(self) -> Mapping[str, str]:
        return {"GRADIO_ANALYTICS_ENABLED": "False"}

    def command(self) -> Sequence[str | Path]:
        return [self.bin("python"), SERVERS / "gradio_demo.py", str(self.port)]

    async def begin(self, task: str) -> str:
        del task
        self._answer.unlink(missing_ok=True)
        return self.url("/")

    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        del driver, task
        if not self._answer.is_file():
            return {}
        return {"answer": self._answer.read_text(encoding="utf-8")}

    @property
    def _answer(self) -> Path:
        return self.folder / "answer.txt"
