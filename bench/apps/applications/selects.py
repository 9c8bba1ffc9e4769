"""select2 and Choices.js: lists that take the place of native ones."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Selects"]


async def _single(hands: Hands) -> None:
    await hands.click(name="Alabama")
    await hands.click("option", name="Arizona", nth=-1, fresh=True)


async def _searched(hands: Hands) -> None:
    await hands.click(name="Arizona", fresh=True)
    await hands.driver.type(await hands.line("searchbox", nth=-1, fresh=True), "ark")
    await hands.click("option", name="Arkansas", nth=-1, fresh=True)


async def _multiple(hands: Hands) -> None:
    await hands.click("searchbox", "textbox", name=re.compile("Search|Several"))
    await hands.click("option", name="Utah", nth=-1, fresh=True)


async def _city(hands: Hands) -> None:
    view = await hands.driver.see()
    boxes = view.after(view.one("heading", name="Choices.js")).all("combobox")
    await hands.driver.click(next(each for each in boxes if each.ref))
    await hands.click("option", name=re.compile("^London( |$)"), nth=-1, fresh=True)


async def _cities(hands: Hands) -> None:
    await hands.click("searchbox", "textbox", name="Cities")
    await hands.click("option", name=re.compile("^Lyon"), nth=-1, fresh=True)


async def _tags(hands: Hands) -> None:
    await hands.driver.type(await hands.line("searchbox", "textbox", name="Tags", nth=-1), "second")
    await hands.driver.press("Enter")
    await hands.read("second")


class Selects(BundledPage):
    """`select2` and `choices.js`."""

    name = "selects"
    title = "Selects"
    source = "selects.js"
    packages = ("jquery@3", "select2", "choices.js")
    flows = (
        Flow(
            "select2",
            "Choose Arizona, then search for Arkansas; add Utah.",
            (
                Step("single", _single),
                Step("single", _searched, "Arkansas"),
                Step("multiple", _multiple, ["Utah"]),
            ),
        ),
        Flow(
            "choices",
            "Choose London, add Lyon, add the tag second.",
            (
                Step("city", _city, "London"),
                Step("cities", _cities, ["Lyon"]),
                Step("tags", _tags, ["first", "second"]),
            ),
        ),
    )
