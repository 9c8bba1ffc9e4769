"""Ant Design: every control on one page of its components."""

from __future__ import annotations

import re

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.controls import (
    click,
    drag,
    fill,
    hover,
    press,
    read,
    then,
    type_into,
    upload,
)
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
    item = await hands.text(re.compile("Coffee"))
    view = hands.driver.view
    rows = view.below(item).all("checkbox") or view.before(item).all("checkbox")[-1:]
    await hands.driver.click(rows[0])
    await hands.click(name="right", fresh=True)


async def _pagination(hands: Hands) -> None:
    await hands.click("listitem", name="4")


async def _sort(hands: Hands) -> None:
    await hands.click("columnheader", name=re.compile("^Age"))
    await hands.read(re.compile(r"Ada\W+20.*Hedy\W+21.*Charles\W+22"))


async def _select_row(hands: Hands) -> None:
    await hands.text(re.compile("Hedy"))
    view = hands.driver.view
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
    controls = (
        Step("textarea", fill("textbox Notes", "Two\nlines"), "Two\nlines"),
        Step("search", then(fill("* Query", "tea"), click("button search")), "tea"),
        Step("reveal", click("button Show"), expected=True),
        Step("otp", type_into("textbox /Code|OTP Input 1/", "1234"), "1234"),
        Step("clear", click("button /close-circle/"), ""),
        Step("spinner", click("button Increase Value", "button Increase Value"), 5),
        Step("range", then(fill("slider @0", "35"), fill("slider @1", "80")), [35, 80]),
        Step("untag", press("Backspace", on="combobox Visited"), ["Lima"]),
        Step("tags", type_into("combobox Labels", "urgent", submit=True), ["urgent"]),
        Step("cleared", click("button Clear"), expected=True),
        Step(
            "cascader",
            then(
                click("combobox Region", "* /^Asia/ @-1", "menuitemcheckbox Korea"), press("Escape")
            ),
            [["Asia", "Korea"]],
        ),
        Step(
            "treecheck",
            then(click("combobox Produce", "checkbox /Fruit/ @-1"), press("Escape")),
            ["Apple", "Pear"],
        ),
        Step(
            "datetime", fill("textbox Moment", "2026-03-20 14:30", submit=True), "2026-03-20 14:30"
        ),
        Step("month", click("textbox Month", "* /May/ @-1"), "2026-05"),
        Step(
            "clock",
            then(click("textbox Alarm", "listitem 07", "listitem 45 @-1"), click("button OK")),
            "07:45",
        ),
        Step(
            "colour",
            then(
                click("* #1677FF"),
                fill("textbox /1677ff/", "00ff00", submit=True),
                press("Escape"),
            ),
            "#00ff00",
        ),
        Step("radio", click("radio Paid"), "Paid"),
        Step("upload", upload("button Choose a file", "papers.txt"), "papers.txt"),
        Step("removed", click("button /Remove file/"), "papers.txt"),
        Step("dragger", upload("button /Drop scans here/", "scan.txt"), "scan.txt"),
        Step("checkbox", click("checkbox Agree"), expected=True),
        Step("switch", click("switch Sound"), expected=True),
        Step("button", click("button Save"), "saved"),
        Step("split", click("button other ways", "menuitem Squash"), "squash"),
        Step("tooltip", then(hover("button Private"), read("Nobody else sees this")), "over"),
        Step("popover", then(click("button Details"), read("Two pounds.")), expected=True),
        Step(
            "context",
            then(click("text=Right-click here", button="right"), click("menuitem Print")),
            "Print",
        ),
        Step("confirm", then(click("button Leave"), click("button OK @-1")), "ok"),
        Step("tour", then(click("button Tour"), click("button Next", "button Finish")), "finished"),
        Step("tag", click("button Close @1"), "Dog"),
        Step("checkable", click("* Likes"), expected=True),
        Step("alert", click("button /^[Cc]lose$/ @-1"), "closed"),
        Step("copy", click("button /Copy/"), "abc"),
        Step(
            "editable",
            then(click("button Edit"), fill("textbox /Draft|Edit/", "Final", submit=True)),
            "Final",
        ),
        Step("image", then(click("* /a green field/"), press("Escape")), expected=False),
        Step("float", click("button * @-1", "button call us"), "call"),
        Step("crumb", click("link Home"), "home"),
        Step("anchor", click("link Extras"), "Extras"),
        Step("inline", click("menuitem Orders", "menuitem Done ones"), "done"),
        Step("tab add", click("button Add tab"), "new"),
        Step("tab remove", click("* remove @1"), "Two"),
        Step("expand", click("clickable << treeitem /Fruit/"), ["Fruit"]),
        Step("select", click("treeitem Pear"), ["Pear"]),
        Step("carousel", click("button Next slide"), 1),
        Step("splitter", drag("separator", "text=Right"), expected=True),
        Step("calendar", click("cell 20"), "2026-03-20"),
        Step("row", then(click("button Expand row"), read("All about Tea.")), "Tea"),
        Step("filter", click("button filter", "menuitem Black", "button OK @-1"), ["black"]),
        Step("paginate", click("combobox /Page Size/", "* 4 / page @-1"), [1, 4]),
    )
