"""Tasks that want one thing clicked, or a few in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bench.apps.driver import Driver
from bench.apps.lines import Line
from bench.apps.policies.registry import first, named, nth, parse, policy, submit

__all__: list[str] = []


@policy("click-button", "unicode-test")
async def click_button(driver: Driver) -> None:
    view = await driver.see()
    await driver.click(view.one("button", name=parse(view, r'Click on the "(.+?)" button')[1]))


@policy("click-test", "click-test-2", "click-test-transfer")
async def click_test(driver: Driver) -> None:
    view = await driver.see()
    wanted = re.search(r"Click button (\w+)\.", view.text)
    await driver.click(view.one("button", name=wanted[1] if wanted else None))


@policy("click-button-sequence")
async def click_sequence(driver: Driver) -> None:
    view = await driver.see()
    await driver.click_all([view.one("button", name="ONE"), view.one("button", name="TWO")])


@policy("click-dialog", "click-dialog-2")
async def click_dialog(driver: Driver) -> None:
    view = await driver.see()
    wanted = re.search(r'labeled "(.+?)"', view.text)
    name = wanted[1] if wanted and wanted[1] != "x" else "Close"
    await driver.click(view.one("button", name=name))


@policy("click-link")
async def click_link(driver: Driver) -> None:
    view = await driver.see()
    await driver.click(named(view, parse(view, r'link "(.+?)"\.')[1]))


@policy("focus-text", "focus-text-2")
async def focus_text(driver: Driver) -> None:
    view = await driver.see()
    which = re.search(r"the (\d)\w\w input", view.text)
    await driver.click(view.all("textbox")[nth(which[1]) if which else 0])


@policy("click-widget")
async def click_widget(driver: Driver) -> None:
    view = await driver.see()
    wanted = parse(view, r'Click on a "(\w+)" widget')[1]
    role = {"text": "textbox", "textarea": "textbox"}.get(wanted, wanted)
    await driver.click(view.one(role))


@policy("click-tab")
async def click_tab(driver: Driver) -> None:
    view = await driver.see()
    name = parse(view, r"Click on (Tab #\d)\.")[1]
    await driver.click(view.all("link", "tab", name=name)[-1])


@policy("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard")
async def find_in_tabs(driver: Driver) -> None:
    view = await driver.see()
    wanted = parse(view, r'link "(.+?)"\.')[1]
    shown = view.all("link") or view.all("tab")
    tabs = [line for line in shown if re.fullmatch(r"(?:Tab #)?\d", line.name)]
    for number, tab in enumerate(tabs):
        if number:
            await driver.click(tab)
            view = await driver.see()
        if _reads(view.only(lambda line: line.role not in {"tab", "tablist"}).lines[1:], wanted):
            await driver.click(named(view, wanted))
            return
    raise LookupError(f"{wanted} is in no tab")


@policy("click-collapsible-2", "click-collapsible-2-nodelay")
async def find_in_sections(driver: Driver) -> None:
    view = await driver.see()
    wanted = parse(view, r'link "(.+?)"\.')[1]
    for section in view.all("tab"):
        await driver.click(section)
        view = await driver.see()
        if _reads(view.lines[1:], wanted):
            await driver.click(named(view, wanted))
            return
    raise LookupError(f"{wanted} is in no section")


@policy("click-collapsible", "click-collapsible-nodelay")
async def expand_and_submit(driver: Driver) -> None:
    view = await driver.see()
    await driver.click(view.one("tab"))
    await driver.click(submit(await driver.see()))


@policy("buy-ticket")
async def buy_ticket(driver: Driver) -> None:
    view = await driver.see()
    how, what = parse(view, r"Buy the (?:ticket with the )?(\w+)(?: (duration))?").groups()
    buttons = view.all("button", name=re.compile("Book"))
    if what:
        lasting = re.findall(r"(\d+)h (\d+)m", view.text)
        costs = [int(hours) * 60 + int(minutes) for hours, minutes in lasting]
    else:
        costs = [int(parse_price(line)) for line in buttons]
    best = max(costs) if how in {"longest", "highest", "most"} else min(costs)
    await driver.click(buttons[costs.index(best)])


def parse_price(line: Line) -> str:
    return line.name.partition("$")[2].replace(",", "")


@policy("odd-or-even")
async def odd_or_even(driver: Driver) -> None:
    view = await driver.see()
    targets = []
    for line in view:
        if line.role != "button" and re.fullmatch(r"-?\d+", line.text):
            odd = int(line.text) % 2 == 1
            before = view.before(line).all("button", name="Odd")[-1]
            targets.append(before if odd else view.after(line).one("button", name="Even"))
    await driver.click_all([*targets, submit(view)])


@policy("navigate-tree")
async def navigate_tree(driver: Driver) -> None:
    view = await driver.see()
    wanted = parse(view, r'named "(.+?)"')[1]
    opened: set[str] = set()
    for _ in range(12):
        things = [
            line
            for line in view.lines[1:]
            if line.ref and line.text and line.role not in {"list", "text"}
        ]
        here = [line for line in things if wanted in {line.name, line.value}]
        if here:
            await driver.click(here[-1])
            return
        folder = first(
            line for line in things if line.ref not in opened and line.text != view.lines[0].text
        )
        opened.add(folder.ref)
        await driver.click(folder)
        view = await driver.see()
    raise LookupError(f"{wanted} is not in the tree")


def _reads(lines: Sequence[Line], wanted: str) -> bool:
    text = " ".join(line.text for line in lines)
    return re.search(rf"(?<!\S){re.escape(wanted)}(?!\S)", text) is not None
