"""Streamlit: widgets after each of which the page is made anew by the server."""

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

__all__ = ["Streamlit"]


async def _fill(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Name"), "Ada", submit=True)
    await hands.read("Ada spends 3 days in Lisbon")
    await hands.click("combobox", name=re.compile("Town"))
    await hands.click("option", name="Lima", nth=-1, fresh=True)
    await hands.click("combobox", name=re.compile("Interests"), fresh=True)
    await hands.click("option", name="Art", nth=-1, fresh=True)
    await hands.driver.press("Escape")
    await hands.driver.fill(await hands.line("slider", fresh=True), "5")
    if "spends 5 days" not in (await hands.driver.see()).text:
        # It tells the server when it is moved by a key, not when its value is set.
        await hands.driver.press("ArrowLeft", "ArrowRight")
    await hands.choose("Fast", "radio")
    await hands.choose("With a guide", "checkbox")
    people = await hands.line("spinbutton", name="People", fresh=True)
    await hands.driver.fill(people, "4", submit=True)
    await hands.read("Ada spends 5 days in Lima, fast, guided, for Art, 4 people")


async def _costs(hands: Hands) -> None:
    await hands.choose("Costs", "tab")
    await hands.read("It costs 1000 euros")


async def _book(hands: Hands) -> None:
    await hands.choose("Book", "button")
    await hands.read("Booked Lima for Ada")


async def _details(hands: Hands) -> None:
    await hands.click(name=re.compile("Details$"), fresh=True)
    await hands.read("Breakfast is included.")


class Streamlit(ServerApplication):
    """`streamlit`."""

    name = "streamlit"
    package = "streamlit"
    flows = (
        Flow(
            "trip",
            "Plan five days in Lima for four with a guide, read the costs, book, read the details.",
            (
                Step("plan", _fill),
                Step("costs", _costs),
                Step(
                    "booked", _book, ["Ada", "Lima", ["Art"], 5, "Fast", True, 4, "2026-03-10", ""]
                ),
                Step("details", _details),
            ),
            first="Details",
        ),
    )

    first = "Say something"
    controls = (
        Step("textarea", then(fill("textbox Notes", "Two"), press("Control+Enter")), "Two"),
        Step("toggle", click("switch|checkbox Dark mode"), expected=True),
        Step("steps", then(click("button /Increment/", "button /Increment/"), read("5 things")), 5),
        Step("words", then(fill("slider @0", "Large"), read("things, Large")), "Large"),
        Step(
            "range",
            then(fill("slider @1", "35"), fill("slider @2", "80"), read("(35, 80)")),
            [35, 80],
        ),
        Step("date", type_into("spinbutton day, Day", "20"), "2026-03-20"),
        Step(
            "days",
            then(
                type_into("spinbutton day, Stay start date", "20"),
                type_into("spinbutton day, Stay end date", "25"),
                read("/25/"),
            ),
            ["2026-03-20", "2026-03-25"],
        ),
        Step(
            "time", then(type_into("spinbutton hour, Alarm", "0930"), read("09:30:00")), "09:30:00"
        ),
        Step(
            "colour",
            then(
                click("button Paint color picker"),
                fill("textbox /[Hh]ex|#/", "#00ff00", submit=True),
                press("Escape"),
            ),
            "#00ff00",
        ),
        Step("segmented", click("button|radio Week"), "Week"),
        Step("pills", click("button|checkbox Cat", "button|checkbox Dog"), ["Cat", "Dog"]),
        Step("stars", click("button|radio /star/ @3"), 3),
        Step("checkbox", click("checkbox Agree"), expected=True),
        Step("radio", click("radio Fast"), "Fast"),
        Step("untag", click("button|presentation /Lille|Delete/ @-1"), ["Lima"]),
        Step("button", click("button Save"), expected=True),
        Step("download", click("button Fetch"), expected=True),
        Step(
            "file", upload("button|group|region /Papers|Browse|Upload/", "papers.txt"), "papers.txt"
        ),
        Step(
            "popover",
            then(click("button Options"), click("checkbox Loud"), press("Escape")),
            expected=True,
        ),
        Step("form", then(fill("textbox Town", "Lima"), click("button Go")), "Lima"),
        Step("expander", then(click("* /More$/"), click("button Inside")), expected=True),
        Step("dialog", then(click("button Ask"), click("button Surely")), "yes"),
        Step("sidebar", click("button Aside"), expected=True),
        Step("chat", then(type_into("textbox /Say something/", "Hello"), press("Enter")), "Hello"),
    )

    def command(self) -> Sequence[str | Path]:
        return [
            self.bin("streamlit"),
            "run",
            SERVERS / "streamlit_demo.py",
            f"--server.port={self.port}",
            "--server.address=127.0.0.1",
            "--server.headless=true",
            "--browser.gatherUsageStats=false",
        ]

    async def begin(self, task: str) -> str:
        self._booked.unlink(missing_ok=True)
        self._recorded.unlink(missing_ok=True)
        return self.url("/?controls" if task == CONTROLS else "/")

    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        del driver
        if task == CONTROLS:
            known: dict[str, Any] = json.loads(self._recorded.read_text(encoding="utf-8"))
            return known
        if not self._booked.is_file():
            return {}
        return {"booked": json.loads(self._booked.read_text(encoding="utf-8"))}

    @property
    def _recorded(self) -> Path:
        return self.folder / "recorded.json"

    @property
    def _booked(self) -> Path:
        return self.folder / "booked.json"
