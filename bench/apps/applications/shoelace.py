"""Shoelace: every control on one page of its web components."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step
from bench.apps.driver import ActionFailed

__all__ = ["Shoelace"]


async def _text(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Full name"), "Ada")


async def _notes(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Notes"), "By the window")


async def _select(hands: Hands) -> None:
    await hands.click("combobox", name=re.compile("^Colour"))
    await hands.click("option", name="Green", fresh=True)


async def _multiple(hands: Hands) -> None:
    field = await hands.line("combobox", name=re.compile("^Skills"))
    try:
        await hands.driver.click(field)
    except ActionFailed:
        # It is covered by what holds it.
        around = [each for each in (await hands.driver.look()).before(field) if each.ref]
        if holders := [each for each in around if each.depth < field.depth]:
            await hands.driver.click(holders[-1])
        else:
            await hands.driver.press("ArrowDown", target=field)
    await hands.click("option", name="Sewing", fresh=True)
    await hands.click("option", name="Welding")
    await hands.driver.press("Escape")


async def _choices(hands: Hands) -> None:
    lines = [
        await hands.choice("Gift wrap", "checkbox"),
        await hands.choice("Dark mode", "switch"),
        await hands.choice("Large", "radio"),
        await hands.choice("Week", "radio"),
    ]
    await hands.click_all(lines)
    await hands.has_state("checked", "radio", name="Week")


async def _range(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("slider", name="Volume"), "70")


async def _rating(hands: Hands) -> None:
    # In the middle of five stars.
    await hands.click("slider", name="Service")


async def _date(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Arrival"), "2026-03-20")


async def _dialog(hands: Hands) -> None:
    await hands.click("button", name="Open dialog")
    await hands.read("Let us send anonymous location data.")
    await hands.click("button", name="Agree", fresh=True)


async def _drawer(hands: Hands) -> None:
    await hands.click("button", name="Open drawer")
    await hands.read("Two teas.")
    await hands.click("button", name="Pay", fresh=True)


async def _menu(hands: Hands) -> None:
    await hands.click("button", name="Account")
    await hands.click("menuitem", name="Log out", fresh=True)


async def _toast(hands: Hands) -> None:
    await hands.click("button", name="Archive note")
    await hands.read("Note archived")


async def _tab(hands: Hands) -> None:
    await hands.click("tab", name="Billing")
    await hands.read("You owe nothing.")


async def _details(hands: Hands) -> None:
    await hands.click("button", name="Shipping")
    await hands.read("Takes three days.")


async def _tree(hands: Hands) -> None:
    await hands.driver.press("ArrowRight", target=await hands.line("treeitem", name="Fruit"))
    await hands.click("treeitem", name="Pear", fresh=True)


async def _tag(hands: Hands) -> None:
    await hands.click("button", name="Remove")


async def _carousel(hands: Hands) -> None:
    await hands.click("button", name="Next slide")


class Shoelace(BundledPage):
    """`@shoelace-style/shoelace`."""

    name = "shoelace"
    title = "Shoelace"
    source = "shoelace.js"
    packages = ("@shoelace-style/shoelace",)
    flows = (
        Flow(
            "fields",
            "Enter a name, notes, a colour, skills, choices, a volume, a rating and a date.",
            (
                Step("text", _text, "Ada"),
                Step("notes", _notes, "By the window"),
                Step("select", _select, "green"),
                Step("multiple", _multiple, ["sewing", "welding"]),
                Step("segmented", _choices, "week"),
                Step("slider", _range, 70),
                Step("rating", _rating, 3),
                Step("date", _date, "2026-03-20"),
            ),
        ),
        Flow(
            "overlays",
            "Agree in the dialog, pay in the drawer, log out, archive the note.",
            (
                Step("dialog", _dialog, "agree"),
                Step("drawer", _drawer, "paid"),
                Step("menu", _menu, "logout"),
                Step("toast", _toast, "shown"),
            ),
        ),
        Flow(
            "navigation",
            "Read the bill, unfold Shipping, choose Pear, remove the tag, turn to the next slide.",
            (
                Step("tab", _tab, "billing"),
                Step("details", _details, "open"),
                Step("tree", _tree, ["Pear"]),
                Step("tag", _tag, "removed"),
                Step("carousel", _carousel, 1),
            ),
        ),
    )
