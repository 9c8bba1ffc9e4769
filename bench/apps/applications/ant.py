"""Ant Design: every control on one page of its components."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Ant"]


async def _text(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Full name"), "Ada")


async def _select(hands: Hands) -> None:
    await hands.click("combobox", name="Colour")
    await hands.click(name="Green", nth=-1, fresh=True)
    await hands.read("Green")


async def _multiple(hands: Hands) -> None:
    await hands.click("combobox", name="Skills")
    await hands.click(name="Sewing", nth=-1, fresh=True)
    await hands.click(name="Welding", nth=-1)
    await hands.driver.press("Escape")


async def _search(hands: Hands) -> None:
    await hands.driver.type(await hands.line("combobox", name="Country"), "Cro")
    await hands.click(name="Croatia", nth=-1, fresh=True)


async def _autocomplete(hands: Hands) -> None:
    await hands.driver.type(await hands.line("combobox", name="Town"), "Li")
    await hands.click(name="Lima", nth=-1, fresh=True)


async def _cascader(hands: Hands) -> None:
    await hands.click("combobox", name="Place")
    await hands.click("menuitemcheckbox", name=re.compile("^Europe"), fresh=True)
    await hands.click("menuitemcheckbox", name="Spain", fresh=True)


async def _tree_select(hands: Hands) -> None:
    await hands.click("combobox", name="Produce")
    await hands.click(name=re.compile("Vegetables$"), nth=-1, fresh=True)


async def _date(hands: Hands) -> None:
    await hands.click("textbox", name="Arrival")
    await hands.click(name=re.compile("^(20|2026-03-20)$"), nth=-1, fresh=True)
    await hands.read("2026-03-20")


async def _range(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Stay"), "2026-03-20")
    await hands.driver.press("Enter")
    await hands.driver.fill(await hands.line("textbox", name="End date"), "2026-03-25")
    await hands.driver.press("Enter")


async def _time(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("textbox", name="Hour"), "14:30")
    await hands.driver.press("Enter")


async def _number(hands: Hands) -> None:
    await hands.driver.fill(await hands.line("spinbutton", name="Amount"), "5")
    await hands.driver.press("ArrowUp")
    await hands.read("6")


async def _mention(hands: Hands) -> None:
    await hands.driver.type(await hands.line("textbox", name="Comment"), "@gr")
    await hands.click("menuitem", name="grace", fresh=True)
    await hands.read("@grace")


async def _switch(hands: Hands) -> None:
    await hands.choose("Dark mode", "switch")
    await hands.has_state("checked", "switch", name="Dark mode")


async def _extras(hands: Hands) -> None:
    boxes = [await hands.choice(name, "checkbox") for name in ("Milk", "Lemon")]
    await hands.click_all(boxes)
    await hands.has_state("checked", "checkbox", name="Lemon")


async def _radio(hands: Hands) -> None:
    await hands.choose("Medium", "radio")


async def _segmented(hands: Hands) -> None:
    await hands.choose("Weekly", "radio")


async def _rating(hands: Hands) -> None:
    view = await hands.driver.see()
    stars = [each for each in view.all("radio", name="star star") if each.ref]
    after = view.after(view.one(name="Service"))
    await hands.driver.click(stars[3] if stars else after.all("listitem")[3])
    await hands.has_state("checked", "radio", name="star star", nth=3)


async def _slider(hands: Hands) -> None:
    slider = await hands.line("slider", nth=0)
    await hands.driver.press("ArrowRight", "ArrowRight", target=slider)
    await hands.read("32")


async def _dialog(hands: Hands) -> None:
    await hands.click("button", name="Open modal")
    await hands.read("Some contents.")
    await hands.click("button", name="OK", fresh=True)


async def _drawer(hands: Hands) -> None:
    await hands.click("button", name="Open drawer")
    await hands.read("Drawer contents.")
    await hands.click("button", name="Close", fresh=True)


async def _menu(hands: Hands) -> None:
    await hands.driver.hover(await hands.line("button", name="Account"))
    await hands.click("menuitem", name="Settings", fresh=True)


async def _confirm(hands: Hands) -> None:
    await hands.click("button", name="Delete")
    await hands.read("Delete the task?")
    await hands.click("button", name="Yes", fresh=True)


async def _message(hands: Hands) -> None:
    await hands.click("button", name="Save draft")
    await hands.read("Saved the draft")


async def _notification(hands: Hands) -> None:
    await hands.click("button", name="Notify")
    await hands.read("Nine tests passed.")


async def _navigation(hands: Hands) -> None:
    await hands.driver.hover(await hands.line("menuitem", name="More"))
    await hands.click("menuitem", name="Notes", fresh=True)


async def _tab(hands: Hands) -> None:
    await hands.click("tab", name="Billing")
    await hands.read("All about billing.")


async def _step(hands: Hands) -> None:
    await hands.click("button", name=re.compile("Verify"))


async def _collapse(hands: Hands) -> None:
    await hands.click("button", name="Shipping")
    await hands.read("Takes three days.")


async def _tree(hands: Hands) -> None:
    await hands.click("checkbox", name=re.compile("Fruit"))
    await hands.has_state("checked", "checkbox", name=re.compile("Fruit"))


async def _transfer(hands: Hands) -> None:
    view = await hands.driver.see()
    item = next(each for each in view if "Coffee" in each.text)
    rows = view.below(item).all("checkbox") or view.before(item).all("checkbox")[-1:]
    await hands.driver.click(rows[0])
    await hands.click(name="right", fresh=True)


async def _pagination(hands: Hands) -> None:
    await hands.click("listitem", name="4")


async def _sort(hands: Hands) -> None:
    await hands.click("columnheader", name=re.compile("^Age"))
    await hands.read(re.compile(r"Ada\W+20.*Hedy\W+21.*Charles\W+22"))


async def _select_row(hands: Hands) -> None:
    view = await hands.driver.see()
    row = next(
        each for each in view.all("row") if "Hedy" in each.text or "Hedy" in view.below(each).text
    )
    await hands.driver.click(view.below(row).one("checkbox"))


async def _paginate(hands: Hands) -> None:
    await hands.click("listitem", name="3", nth=-1)
    await hands.read("Frances")


class Ant(BundledPage):
    """`antd`."""

    name = "ant"
    title = "Ant Design"
    source = "ant.jsx"
    packages = ("react", "react-dom", "antd", "dayjs")
    flows = (
        Flow(
            "choosing",
            "Choose a colour, skills, a country, a town, a place and produce.",
            (
                Step("text", _text, "Ada"),
                Step("select", _select, "Green"),
                Step("multiple", _multiple, ["Sewing", "Welding"]),
                Step("search", _search, "Croatia"),
                Step("autocomplete", _autocomplete, "Lima"),
                Step("cascader", _cascader, ["Europe", "Spain"]),
                Step("treeselect", _tree_select, "Vegetables"),
            ),
        ),
        Flow(
            "entering",
            "Enter dates, a time, a number, a mention, choices, a rating and a volume.",
            (
                Step("date", _date, "2026-03-20"),
                Step("range", _range, ["2026-03-20", "2026-03-25"]),
                Step("time", _time, "14:30"),
                Step("number", _number, 6),
                Step("mention", _mention, "grace"),
                Step("switch", _switch, expected=True),
                Step("checkbox", _extras, ["Milk", "Lemon"]),
                Step("radio", _radio, "Medium"),
                Step("segmented", _segmented, "Weekly"),
                Step("rating", _rating, 4),
                Step("slider", _slider, 32),
            ),
        ),
        Flow(
            "overlays",
            "Confirm the modal, close the drawer, open Settings, delete the task, read messages.",
            (
                Step("dialog", _dialog, "ok"),
                Step("drawer", _drawer, "closed"),
                Step("menu", _menu, "Settings"),
                Step("confirm", _confirm, "deleted"),
                Step("message", _message, "shown"),
                Step("notification", _notification, "shown"),
            ),
        ),
        Flow(
            "navigation",
            "Go to Notes, Billing, Verify, Shipping; choose fruit; move Coffee; go to page 4.",
            (
                Step("navigation", _navigation, "Notes"),
                Step("tab", _tab, "Billing"),
                Step("step", _step, 1),
                Step("collapse", _collapse, ["shipping"]),
                Step("tree", _tree, ["Fruit", "Apple", "Pear"]),
                Step("transfer", _transfer, ["Coffee"]),
                Step("pagination", _pagination, 4),
            ),
        ),
        Flow(
            "table",
            "Sort people by age, choose Hedy, go to the last page.",
            (
                Step("sort", _sort, "ascend"),
                Step("selection", _select_row, [7]),
                Step("paginate", _paginate, 3),
            ),
        ),
    )
