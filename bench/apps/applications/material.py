"""Material UI: every control on one page of its components."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Material"]


async def _text(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Full name"), "Ada")


async def _select(hands: Hands) -> None:
    await hands.click("combobox", name=re.compile("^Age"))
    await hands.click("option", name="Twenty", fresh=True)


async def _autocomplete(hands: Hands) -> None:
    await hands.click("combobox", name="Film")
    await hands.click("option", name="Inception", fresh=True)


async def _tags(hands: Hands) -> None:
    for typed, film in (("pul", "Pulp Fiction"), ("good", "Goodfellas")):
        await hands.driver.type(await hands.line("combobox", name="Favourites"), typed)
        await hands.click("option", name=film, fresh=True)


async def _choices(hands: Hands) -> None:
    await hands.click_all(
        [
            await hands.choice("Gift wrap", "checkbox"),
            await hands.choice("Dark mode", "switch"),
            await hands.choice("Large", "radio"),
        ]
    )
    await hands.has_state("checked", "radio", name="Large")


async def _rating(hands: Hands) -> None:
    await hands.choose("4 Stars", "radio")
    await hands.has_state("checked", "radio", name="4 Stars")


async def _slider(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("slider", name="Volume"), "70")
    await hands.read("70")


async def _date(hands: Hands) -> None:
    await hands.click("button", name=re.compile("^Choose date"))
    await hands.click("gridcell", name="20", fresh=True)
    await hands.click("button", name="OK", fresh=True)
    await hands.read("Mar 20, 2026")


async def _dialog(hands: Hands) -> None:
    await hands.click("button", name="Open dialog")
    await hands.read("Use location service?")
    await hands.click("button", name="Agree", fresh=True)


async def _drawer(hands: Hands) -> None:
    await hands.click("button", name="Open drawer")
    await hands.click("button", name="Drafts", fresh=True)


async def _menu(hands: Hands) -> None:
    await hands.click("button", name="Account")
    await hands.click("menuitem", name="My account", fresh=True)


async def _snackbar(hands: Hands) -> None:
    await hands.click("button", name="Archive note")
    await hands.read("Note archived")
    await hands.click("button", name="Undo", fresh=True)


async def _tab(hands: Hands) -> None:
    await hands.click("tab", name="Billing")
    await hands.read("You owe nothing.")


async def _stepper(hands: Hands) -> None:
    await hands.click("button", name="Next")
    await hands.click("button", name="Next")
    await hands.click("button", name="Finish", fresh=True)


async def _accordion(hands: Hands) -> None:
    await hands.click("button", name="Shipping")
    await hands.read("Takes three days.")


async def _toggle(hands: Hands) -> None:
    await hands.click("button", name="Centre")
    await hands.has_state("pressed", "button", name="Centre")


async def _pagination(hands: Hands) -> None:
    await hands.click("button", name="Go to page 3")
    await hands.click("button", name="Go to page 4", fresh=True)


async def _bottom(hands: Hands) -> None:
    await hands.click("button", name="Nearby")


async def _tree(hands: Hands) -> None:
    await hands.click("treeitem", name="Data grid")
    await hands.click("treeitem", name="Pro", fresh=True)


async def _chip(hands: Hands) -> None:
    await hands.driver.press("Delete", target=await hands.line("button", name="Angular"))


async def _sort(hands: Hands) -> None:
    await hands.click("button", name="Calories")
    await hands.read(re.compile(r"Frozen yoghurt\W+159.*Ice cream sandwich\W+237.*Eclair\W+262"))


async def _page(hands: Hands) -> None:
    await hands.click("button", name="Go to next page", nth=-1)
    await hands.read(re.compile("6.10 of 13"))


class Material(BundledPage):
    """`@mui/material` with its date pickers and tree."""

    name = "material"
    title = "Material UI"
    source = "material.jsx"
    packages = (
        "react",
        "react-dom",
        "@mui/material",
        "@emotion/react",
        "@emotion/styled",
        "@mui/x-date-pickers",
        "@mui/x-tree-view",
        "dayjs",
    )
    flows = (
        Flow(
            "fields",
            "Enter Ada, Twenty, the film Inception, two favourites, the choices, 4 stars, 70, 20 March.",
            (
                Step("text", _text, "Ada"),
                Step("select", _select, 20),
                Step("autocomplete", _autocomplete, "Inception"),
                Step("tags", _tags, ["Pulp Fiction", "Goodfellas"]),
                Step("radio", _choices, "large"),
                Step("rating", _rating, 4),
                Step("slider", _slider, 70),
                Step("date", _date, "2026-03-20"),
            ),
        ),
        Flow(
            "overlays",
            "Agree in the dialog, go to Drafts, open My account, archive the note and undo it.",
            (
                Step("dialog", _dialog, "agree"),
                Step("drawer", _drawer, "Drafts"),
                Step("menu", _menu, "My account"),
                Step("snackbar", _snackbar, "undone"),
            ),
        ),
        Flow(
            "navigation",
            "Read the bill, finish the steps, unfold Shipping, go to pages, choose Pro, drop a chip.",
            (
                Step("tab", _tab, 1),
                Step("step", _stepper, 3),
                Step("accordion", _accordion, expected=True),
                Step("toggle", _toggle, "centre"),
                Step("pagination", _pagination, 4),
                Step("bottom", _bottom, 1),
                Step("tree", _tree, "pro"),
                Step("chip", _chip, "Angular"),
            ),
        ),
        Flow(
            "table",
            "Sort the desserts by calories and turn the page.",
            (Step("sort", _sort, "calories asc"), Step("page", _page, 1)),
        ),
    )
