"""Material UI: every control on one page of its components."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.controls import (
    click,
    fill,
    hover,
    press,
    read,
    select,
    shows,
    then,
    type_into,
)
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
    controls = (
        Step("textarea", fill("textbox Notes", "Two\nlines"), "Two\nlines"),
        Step("number", then(fill("spinbutton Amount", "5"), press("ArrowUp")), 6),
        Step("adornment", click("button show the passphrase"), expected=True),
        Step(
            "multiple",
            then(click("combobox Towns", "option Lima", "option London"), press("Escape")),
            ["Lima", "London"],
        ),
        Step("native", select("combobox Speed", "Fast"), "fast"),
        Step("free", fill("combobox Where to", "Oslo", submit=True), "Oslo"),
        Step("cleared", click("combobox Home", "button Clear"), expected=True),
        Step("untag", press("Backspace", on="combobox Visited"), ["Lima"]),
        Step("checkbox", click("checkbox Gift wrap"), expected=True),
        Step("child", click("checkbox Tea"), expected=True),
        Step("parent", click("checkbox All drinks"), expected=False),
        Step("switch", click("switch Dark mode"), expected=True),
        Step("range", then(fill("slider From", "35"), fill("slider To", "80")), [35, 80]),
        Step("marks", fill("slider Warmth", "70"), 70),
        Step("typed", type_into("spinbutton Day", "25"), "2026-03-25"),
        Step(
            "time",
            then(
                click("button /^Choose time/"),
                press("ArrowUp", on="listbox /^Select hours/"),
                click("button PM", "button OK"),
            ),
            "21:00",
        ),
        Step(
            "datetime",
            then(
                click("button /^Choose date/ @-1", "gridcell 20", "button PM", "button Next"),
                click("option 9 hours", "option 30 minutes", "button OK"),
            ),
            "2026-03-20 21:30",
        ),
        Step("clock", type_into("spinbutton Hours @1", "1030AM"), "10:30"),
        Step("button", click("button Save"), "saved"),
        Step("double", click("button Twice", count=2), "twice"),
        Step("fab", click("button add"), "added"),
        Step("icon", click("button delete"), "deleted"),
        Step("split", click("button other ways", "menuitem Squash"), "squashed"),
        Step("toggles", click("button Bold", "button Italic"), ["bold", "italic"]),
        Step("chip", click("clickable << button Dog"), "Dog"),
        Step("pick", click("button /Filter$/"), "filter"),
        Step(
            "tooltip",
            then(hover("button Nobody else sees this"), read("Nobody else sees this")),
            "over",
        ),
        Step(
            "popover",
            then(click("button Details"), read("It weighs two pounds."), press("Escape")),
            "closed",
        ),
        Step(
            "context",
            then(click("text=Right-click here", button="right"), click("menuitem Print")),
            "Print",
        ),
        Step("dial", then(hover("button share"), click("menuitem Fax")), "Fax"),
        Step("alert", click("button Close"), "closed"),
        Step("backdrop", then(click("button Wait"), click("text=Please wait")), "left"),
        Step("tabs", then(click("tab Part Five"), shows("selected", "tab Part Five")), 4),
        Step("crumb", click("link Shop"), "shop"),
        Step("fold", click("button Inbox"), expected=True),
        Step("nested", click("button Starred"), "starred"),
        Step("action", click("button remove Ada"), "ada"),
        Step("card", click("button Lizards live everywhere."), "lizard"),
        Step("stepper", click("tab Publish"), 2),
        Step("slides", click("button Onward", "button Onward"), 2),
        Step(
            "sheet",
            then(click("button Show sheet"), read("What the sheet says."), press("Escape")),
            "closed",
        ),
        Step("expand", click("treeitem /Fruit/"), ["fruit"]),
        Step("trees", click("* @-1 << treeitem Pear"), ["pear"]),
        Step("rows", click("checkbox choose Tea", "checkbox choose Cocoa"), ["Tea", "Cocoa"]),
        Step("size", click("combobox /Rows per page/", "option 25"), 25),
    )
