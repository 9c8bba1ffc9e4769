"""Shoelace: every control on one page of its web components."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.controls import (
    click,
    denied,
    fill,
    hover,
    press,
    read,
    shows,
    then,
)
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
    controls = (
        Step("number", then(fill("spinbutton Amount", "5"), press("ArrowUp", "Tab")), "6"),
        Step("reveal", click("button Show password"), "toggled"),
        Step("clear", click("button Clear entry"), "sl-clear"),
        Step("checkbox", click("checkbox Gift wrap"), expected=True),
        Step("switch", click("switch Dark mode"), expected=True),
        Step("radio", click("radio Large"), "large"),
        Step("segmented", then(click("radio Week"), shows("checked", "radio Week")), "week"),
        Step("untag", click("button Remove"), ["welding"]),
        Step("cleared", click("button Clear entry @-1"), "sl-clear"),
        Step("rating", fill("slider Service", "4"), 4),
        Step(
            "colour",
            then(
                click("button /Paint/"),
                fill("textbox @-1", "#00ff00", submit=True),
                press("Escape"),
            ),
            "#00ff00",
        ),
        Step("range", fill("slider Share", "0.8"), 0.8),
        Step("button", click("button Save"), "click"),
        Step("icon", click("button Settings"), "click"),
        Step("right", click("button Right"), "click"),
        Step("copy", denied(click("button >> button Right")), "denied"),
        Step("tooltip", then(hover("button Private"), read("Nobody else sees this")), "sl-show"),
        Step("alert", click("button Close"), "sl-hide"),
        Step("check", click("button View", "menuitemcheckbox Grid"), expected=True),
        Step(
            "submenu",
            then(click("button View"), hover("menuitem Find"), click("menuitem Find next")),
            "next",
        ),
        Step("tag", click("button Remove @-1"), "removed"),
        Step("crumb", click("button Home"), "click"),
        Step("tabs", click("button Close @-1"), "closed"),
        Step("details", click("button Shipping"), "sl-hide"),
        Step("expand", press("ArrowRight", on="treeitem Fruit"), "sl-expand"),
        Step("tree", click("treeitem Pear"), 1),
        Step("split", fill("separator", "60"), 60),
        Step("comparer", fill("scrollbar", "60"), 60),
        Step("carousel", click("button Next slide", "button Next slide"), 2),
    )
