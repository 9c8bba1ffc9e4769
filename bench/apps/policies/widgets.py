"""Menus, sliders, calendars, suggestions, pages to turn, lists to sort."""

from __future__ import annotations

import re
from itertools import pairwise

from bench.apps.driver import Driver, Field, Step, Target
from bench.apps.lines import Line, View
from bench.apps.policies.calendar import pick_date
from bench.apps.policies.registry import first, named, nth, parse, policy, shown, submit

__all__: list[str] = []


@policy("click-menu")
async def click_menu(driver: Driver) -> None:
    view = await driver.see()
    path = parse(view, r"Select (\S+)")[1].split(">")
    for word, following in pairwise(path):
        # A click on an item that has a menu of its own would choose it.
        await driver.hover(view.all("menuitem", name=word)[-1])
        await shown(driver, lambda view, name=following: view.all("menuitem", name=name))  # type: ignore[misc]
        view = driver.view
    await driver.click(view.all("menuitem", name=path[-1])[-1])


@policy("click-menu-2")
async def click_menu_item(driver: Driver) -> None:
    view = await driver.see()
    wanted = re.search(r'labeled "(.+?)"', view.text)
    await driver.click(view.one("button", name="Menu"))
    view = await driver.see()
    if wanted is None:
        raise LookupError("the icon that is asked for is not shown")
    word = wanted[1]
    if not view.has("menuitem", name=word):
        await driver.click(view.one("menuitem", name="Playback"))
    items = await shown(driver, lambda view: view.all("menuitem", name=word))
    await driver.click(items[-1])


_LOOKS_LIKE = {
    "phone": r"^\d{3}-\d{3}-\d{4}$",
    "email": r"^\S+@\S+$",
    "address": r"^\d+ [A-Z][a-z]+ ",
}


@policy("phone-book")
async def phone_book(driver: Driver) -> None:
    view = await driver.see()
    person, what = parse(view, r"Find (\w+) in the contact book and click on their (\w+)").groups()
    for _ in range(6):
        heading = view.all("heading", name=person)
        if heading:
            looks = re.compile(_LOOKS_LIKE[what])
            entries = view.after(heading[-1])
            await driver.click(first(line for line in entries if looks.search(line.text)))
            return
        await driver.click(view.all("link", name=">")[-1])
        view = await driver.see()
    raise LookupError(f"{person} is not in the book")


@policy("search-engine")
async def search_engine(driver: Driver) -> None:
    view = await driver.see()
    words, place = parse(view, r'enter "(.+?)" and press.* the (\d)\w\w search result').groups()
    button = view.one("button", name="Search")
    await driver.fill_form([Field(view.one("textbox"), words)], button)
    page, at = divmod(nth(place), 3)
    if page:
        view = await driver.see()
        await driver.click(view.one("link", name=str(page + 1)))
    await driver.see()
    results = [line for line in driver.news.all("link") if not re.fullmatch(r"\d|<|>", line.name)]
    await driver.click(results[at])


@policy("use-autocomplete", "use-autocomplete-nodelay")
async def use_autocomplete(driver: Driver) -> None:
    view = await driver.see()
    start = parse(view, r'starts with "(.+?)"')[1]
    end = re.search(r'ends with "(.+?)"', view.text)
    button = submit(view)
    await driver.type(view.one("textbox", "combobox"), start)

    def fitting(view: View) -> list[Line]:
        return [
            line
            for line in view
            if line.role not in {"textbox", "combobox"}
            and line.text.startswith(start)
            and line.text.endswith(end[1] if end else "")
        ]

    found = await shown(driver, fitting)
    await driver.click_all([named(View([found[-1]]), found[-1].text), button])


@policy("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
async def choose_date(driver: Driver) -> None:
    view = await driver.see()
    month, day = parse(view, r"Select (\d\d)/(\d\d)/\d{4} as").groups()
    button = submit(view)
    await pick_date(driver, view.one("textbox"), int(month), int(day))
    await driver.click(button)


@policy("use-spinner")
async def use_spinner(driver: Driver) -> None:
    view = await driver.see()
    number = parse(view, r"Select (-?\d+) with")[1]
    await driver.fill_form([Field(view.one("spinbutton", "textbox"), number)], submit(view))


def _slide(handle: Target | None, now: int, wanted: int) -> list[Step]:
    """Arrow keys; where the handle is not shown, Tab gets to it."""
    key = "ArrowRight" if wanted > now else "ArrowLeft"
    presses = [Step("press", None, key)] * abs(wanted - now)
    if handle is None:
        return [Step("press", None, "Tab"), *presses]
    return [Step("press", handle, key), *presses[1:]] if presses else []


def _handles(view: View) -> list[Line]:
    return [
        line
        for line in view
        if line.ref and (line.role == "slider" or (line.role in {"clickable", "generic"} and not line.text and not view.below(line).lines))
    ]  # fmt: skip


_FAR = 15


@policy("use-slider")
async def use_slider(driver: Driver) -> None:
    view = await driver.see()
    wanted = int(parse(view, r"Select (-?\d+) with the slider")[1])
    now, button, handles = _value(view), submit(view), _handles(view)
    handle = handles[0] if handles else None
    if abs(wanted - now) > _FAR:
        # A page's worth at a time, once it is known how much that is.
        key = "PageUp" if wanted > now else "PageDown"
        await driver.run([Step("press", handle, key)] if handle else _keys("Tab", key))
        page = abs(_value(await driver.see(), driver.news) - now)
        now = _value(driver.view, driver.news)
        pages = abs(wanted - now) // page if page else 0
        now += (page if wanted > now else -page) * pages
        arrow = "ArrowRight" if wanted > now else "ArrowLeft"
        keys = [*[key] * pages, *[arrow] * abs(wanted - now)]
        await driver.run([*_keys(*keys), Step("click", button)])
        return
    await driver.run([*_slide(handle, now, wanted), Step("click", button)])


def _keys(*keys: str) -> list[Step]:
    return [Step("press", None, key) for key in keys]


def _value(view: View, news: View | None = None) -> int:
    """The number beside a slider: what was shown last."""
    for shown_lines in (news, view):
        numbers = [line.text for line in shown_lines or () if re.fullmatch(r"-?\d+", line.text)]
        if numbers:
            return int(numbers[-1])
    raise LookupError("no value is shown")


@policy("use-slider-2")
async def use_sliders(driver: Driver) -> None:
    view = await driver.see()
    wanted = [int(each) for each in parse(view, r"combination \[(.+?)\]")[1].split(",")]
    values = [int(line.text) for line in view if re.fullmatch(r"-?\d+", line.text)]
    handles = _handles(view)
    steps: list[Step] = []
    for number in range(3):
        handle = handles[number] if len(handles) == 3 else None
        steps += _slide(handle, values[number], wanted[number])
    await driver.run([*steps, Step("click", submit(view))])


@policy("form-sequence")
async def slider_and_checkbox(driver: Driver) -> None:
    view = await driver.see()
    wanted, box = parse(view, r"Select (-?\d+) with the slider, click the (\d)").groups()
    value = first(line for line in view if re.fullmatch(r"-?\d+", line.text))
    handles = _handles(view)
    steps = _slide(handles[0] if handles else None, int(value.text), int(wanted))
    box_line = view.all("checkbox")[nth(box)]
    await driver.run([*steps, Step("click", box_line), Step("click", submit(view))])


@policy("form-sequence-3")
async def dropdown_and_button(driver: Driver) -> None:
    view = await driver.see()
    option, button = parse(view, r'Choose (.+?) from the dropdown, .* labeled "(.+?)"').groups()
    await driver.fill_form([Field(view.one("combobox"), option)], view.one("button", name=button))


@policy("drag-items")
async def drag_items(driver: Driver) -> None:
    view = await driver.see()
    name, where = parse(view, r"Drag (\w+) (.+? (?:position|top|bottom))\.").groups()
    items = view.all("listitem")
    now = first(at for at, line in enumerate(items) if name in _words(view, line))
    place = {
        "to the top": 0,
        "to the bottom": 4,
        "down by one position": now + 1,
        "up by one position": now - 1,
    }.get(where)
    to = nth(where.split()[2]) if place is None else place
    await _drag_to(driver, view, items, now, to)


_GRID = {"top left": 0, "top center": 1, "top right": 2, "center left": 3, "center": 4,
         "center right": 5, "bottom left": 6, "bottom center": 7, "bottom right": 8}  # fmt: skip
_MOVES = {"up": -3, "down": 3, "left": -1, "right": 1}


@policy("drag-items-grid")
async def drag_in_grid(driver: Driver) -> None:
    view = await driver.see()
    name, where = parse(view, r"Drag (\w+) (to the [a-z ]+|\w+ by one)\.").groups()
    items = view.all("listitem")
    now = first(at for at, line in enumerate(items) if name in _words(view, line))
    to = _GRID[where[7:]] if where.startswith("to the") else now + _MOVES[where.split()[0]]
    await _drag_to(driver, view, items, now, to)


@policy("drag-sort-numbers")
async def sort_numbers(driver: Driver) -> None:
    view = await driver.see()
    button = submit(view)
    for place in range(4):
        items = view.all("listitem")
        numbers = [int(_words(view, line)[0]) for line in items]
        now = numbers.index(sorted(numbers)[place])
        if now != place:
            await _drag_to(driver, view, items, now, place)
            view = await driver.look()
    await driver.click(button)


async def _drag_to(driver: Driver, view: View, items: list[Line], now: int, to: int) -> None:
    del view
    await driver.drag(items[now], items[to], after=to > now)


def _words(view: View, line: Line) -> list[str]:
    return (line.text or view.below(line).text).split()


@policy("drag-box")
async def drag_box(driver: Driver) -> None:
    view = await driver.see()
    await driver.drag(view.one(name="s"), view.one(name="L"))
    await driver.click(submit(view))
