"""jQuery UI: every widget and interaction on one page."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.controls import (
    click,
    drag,
    hover,
    press,
    read,
    select,
    then,
    type_into,
)
from bench.apps.applications.flow import Either, Flow, Hands, Step

__all__ = ["JQueryUi"]


async def _autocomplete(hands: Hands) -> None:
    await hands.driver.type(await hands.line("textbox", name="Language"), "jav")
    await hands.click(name="JavaScript", nth=-1, fresh=True)
    await hands.read("JavaScript")


async def _date(hands: Hands) -> None:
    await hands.click("textbox", name="Arrival")
    await hands.click(name="Next", fresh=True)
    await hands.read("April 2026")
    await hands.click("link", name="20", fresh=True)
    await hands.read("04/20/2026")


async def _select(hands: Hands) -> None:
    await hands.click("combobox", nth=0)
    await hands.click("option", name="Fast", fresh=True)


async def _spinner(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("spinbutton", name="Amount"), "5")
    await hands.driver.press("ArrowUp")
    await hands.read("6")


async def _radio(hands: Hands) -> None:
    await hands.choose("3 stars", "radio")


async def _checkbox(hands: Hands) -> None:
    await hands.choose("Breakfast", "checkbox")
    await hands.has_state("checked", "checkbox", name="Breakfast")


async def _dialog(hands: Hands) -> None:
    await hands.click("button", name="Delete items")
    await hands.read("These items will be deleted.")
    await hands.click("button", name="Delete all", fresh=True)


async def _menu(hands: Hands) -> None:
    await hands.click("menuitem", name="Books")
    await hands.click("menuitem", name="Novels", fresh=True)


async def _tab(hands: Hands) -> None:
    await hands.click("tab", "link", name="Billing")
    await hands.read("You owe nothing.")


async def _accordion(hands: Hands) -> None:
    await hands.click("tab", name="Returns")
    await hands.read("Within a month.")


async def _drop(hands: Hands) -> None:
    await hands.driver.drag(await hands.line(name="Drag me"), await hands.text("Drop here"))
    await hands.read("Dropped!")


async def _sort(hands: Hands) -> None:
    first, last = await hands.line(name="Item 1"), await hands.line(name="Item 3")
    await hands.driver.drag(first, last)
    await hands.read(re.compile("Item 2.*Item [13].*Item [13]"))


async def _selectable(hands: Hands) -> None:
    await hands.click(name="Row 2")


class JQueryUi(BundledPage):
    """`jquery-ui`."""

    name = "jquery-ui"
    title = "jQuery UI"
    source = "jquery_ui.js"
    packages = ("jquery@3", "jquery-ui")
    flows = (
        Flow(
            "fields",
            "Enter JavaScript, 20 April, Fast, 6, three stars and breakfast.",
            (
                Step("autocomplete", _autocomplete, "JavaScript"),
                Step("date", _date, "04/20/2026"),
                Step("select", _select, "Fast"),
                Step("spinner", _spinner, 6),
                Step("radio", _radio, "3"),
                Step("checkbox", _checkbox, expected=True),
            ),
        ),
        Flow(
            "widgets",
            "Delete all items, choose Novels, read the bill and the returns.",
            (
                Step("dialog", _dialog, "deleted"),
                Step("menu", _menu, "Novels"),
                Step("tab", _tab, "Billing"),
                Step("accordion", _accordion, "Returns"),
            ),
        ),
        Flow(
            "interactions",
            "Drop the box on the other, move item 1 down, choose row 2.",
            (
                Step("drop", _drop, "dropped"),
                Step(
                    "sort",
                    _sort,
                    Either(["Item 2", "Item 3", "Item 1"], ["Item 2", "Item 1", "Item 3"]),
                ),
                Step("selectable", _selectable, ["Row 2"]),
            ),
        ),
    )
    controls = (
        Step("arrows", click("button >> spinbutton Amount", "button >> spinbutton Amount"), 5),
        Step(
            "keys",
            then(
                type_into("textbox Town", "Li"),
                read("Lima"),
                press("ArrowDown", "ArrowDown", "Enter"),
            ),
            "Lima",
        ),
        Step(
            "birth",
            then(
                click("textbox Birthday"),
                select("combobox @-1", "1990"),
                select("combobox @-2", "May"),
                click("link 9 @-1"),
            ),
            "05/09/1990",
        ),
        Step("inline", click("* Next", "link 20"), "04/20/2026"),
        Step("slider", press("ArrowRight", "ArrowRight", on="clickable slider handle @0"), 32),
        Step(
            "range",
            then(
                press("ArrowRight", on="clickable slider handle @1"),
                press("ArrowLeft", on="clickable slider handle @2"),
            ),
            [80, 295],
        ),
        Step("group", click("combobox /Compact/", "option Large"), "Large"),
        Step("check", click("checkbox Navigation"), expected=True),
        Step("book", click("button Book"), "clicked"),
        Step("button", click("button Save"), "clicked"),
        Step("submit", click("button Send"), "clicked"),
        Step("link", click("link|button Read"), "clicked"),
        Step("tooltip", then(hover("button Private"), read("Nobody else sees this")), "open"),
        Step(
            "close",
            then(click("button Show notice"), read("What the notice says."), click("button Close")),
            "closed",
        ),
        Step("accordion", then(click("tab Returns"), read("Within a month.")), "Returns"),
        Step("drag", drag("* Move me", "text=A place to move it to"), "moved"),
    )
