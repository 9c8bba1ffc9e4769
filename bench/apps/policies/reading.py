"""Tasks that are about what a page shows as one goes."""

from __future__ import annotations

import re

from bench.apps.driver import Driver, Field, Step, Target
from bench.apps.lines import Line, View
from bench.apps.policies.registry import field_after, named, nth, parse, policy, submit

__all__: list[str] = []


@policy("generate-number")
async def generate_number(driver: Driver) -> None:
    view = await driver.see()
    asked = parse(view, r"Generate (?:a number|an) (less than|greater than|odd|even)(?: (\d+))?")
    generate, done = view.one("button", name="Generate"), submit(view)
    for _ in range(20):
        await driver.click(generate)
        await driver.see()
        numbers = [line.text for line in driver.news if re.fullmatch(r"\d+", line.text)]
        if not numbers:
            # The same number again changes nothing.
            continue
        number, limit = int(numbers[-1]), int(asked[2] or 0)
        if {
            "less than": number < limit, "greater than": number > limit,
            "odd": number % 2 == 1, "even": number % 2 == 0,
        }[asked[1]]:  # fmt: skip
            await driver.click(done)
            return


@policy("find-greatest")
async def find_greatest(driver: Driver) -> None:
    view = await driver.see()
    button = submit(view)
    cards = [
        line for line in view.before(button)
        if line.ref and (line.role == "clickable" or line.state("cursor") == "pointer")
    ]  # fmt: skip
    numbers: list[int] = []
    for card in cards:
        if not re.fullmatch(r"\d+", card.text):
            await driver.click(card)
            await driver.see()
            shown = [line.text for line in driver.news if re.fullmatch(r"\d+", line.text)]
            numbers.append(int(shown[0]) if shown else -1)
        else:
            numbers.append(int(card.text))
    await driver.click_all([cards[numbers.index(max(numbers))], button])


@policy("stock-market")
async def stock_market(driver: Driver) -> None:
    view = await driver.see()
    limit = float(parse(view, r"less than \$([\d.]+)")[1].rstrip("."))
    button = view.one("button", name="Buy")
    for _ in range(25):
        prices = re.findall(r"(?<!than )\$(\d+(?:\.\d+)?)", view.text)
        if prices and float(prices[-1]) < limit - 0.5:
            await driver.click(button)
            return
        view = await driver.look()


@policy("terminal")
async def terminal(driver: Driver) -> None:
    view = await driver.see()
    ending = re.search(r"extension (\.\S+)", view.text)
    field = view.one("textbox")
    await driver.type(field, "ls", submit=True)
    await driver.see()
    names = [
        word
        for line in driver.news
        if line.role != "textbox" and "terminal below" not in line.text
        for word in line.text.split()
    ]
    fitting = [
        word
        for word in names
        if (
            word.endswith(ending[1])
            if ending
            else re.fullmatch(r"[a-z_0-9]+", word) and word not in {"ls", "user", "terminal"}
        )
    ]
    if not fitting:
        raise LookupError("no such file is listed")
    await driver.type(field, f"rm {fitting[-1]}", submit=True)


@policy("order-food")
async def order_food(driver: Driver) -> None:
    view = await driver.see()
    button = view.one("button", name=re.compile("Order"))
    names = re.search(r"Order one of each item: (.+?) Appetizers", view.text)
    kind = re.search(r"Order (\d+) items that are ([\w-]+)", view.text)
    targets: list[Target] = []
    for dish, types, plus in _dishes(view):
        if (names and dish in [each.strip() for each in names[1].split(",")]) or (
            kind and kind[2] in types and len(targets) < int(kind[1])
        ):
            targets.append(plus)
    if kind:
        targets = (targets * int(kind[1]))[: int(kind[1])]
    await driver.click_all([*targets, button])


def _dishes(view: View) -> list[tuple[str, list[str], Target]]:
    """Each dish, its kinds, and what to press for one more: by its place where it has no ref."""
    found: list[tuple[str, list[str], Target]] = []
    dish, types = "", []
    for line in view.lines[1:]:
        if line.role in {"heading", "button"} or line.text == "-":
            continue
        if line.role in {"img", "image"}:
            types.append(line.name)
        elif re.fullmatch(r"(?:- ?)?\+", line.text):
            plus = line if line.text == "+" and line.ref else f'text="+" >> nth={len(found)}'
            found.append((dish, types, plus))
        elif line.text and line.role != "clickable":
            dish, types = line.text.strip(), []
    if not found:
        raise LookupError("there is nothing to press for more of a dish")
    return found


@policy("text-editor")
async def text_editor(driver: Driver) -> None:
    view = await driver.see()
    asked = re.search(r"give (everything|the text (\S+)) the style (\w+) and", view.text)
    if asked is None:
        raise LookupError("colours are not told apart in what is shown")
    styles = ["bold", "italics", "underlined"]
    done = submit(view)
    boxes = [line for line in view.all("textbox") if line.value]
    editor = boxes[0] if boxes else view.one("paragraph")
    text = editor.value
    keys = ["Control+a"]
    if asked[2]:
        start = text.index(asked[2])
        keys = ["Control+Home", *["ArrowRight"] * start, *["Shift+ArrowRight"] * len(asked[2])]
    keys.append(["Control+b", "Control+i", "Control+u"][styles.index(asked[3])])
    presses = [Step("press", None, key) for key in keys]
    await driver.run([Step("click", editor), *presses, Step("click", done)])


@policy("highlight-text")
async def highlight(driver: Driver) -> None:
    view = await driver.see()
    done = submit(view)
    paragraph = _paragraphs(view)[0]
    await driver.click(paragraph, count=3)
    await driver.click(done)


@policy("highlight-text-2")
async def highlight_one(driver: Driver) -> None:
    view = await driver.see()
    which = nth(parse(view, r"in the (\d)\w\w paragraph")[1])
    await driver.click(_paragraphs(view)[which], count=3)
    await driver.click(submit(view))


def _paragraphs(view: View) -> list[Line]:
    return [
        line
        for line in view
        if line.text and line.role != "button" and not line.text.startswith("Highlight the")
    ]


@policy("scroll-text-2")
async def scroll_text(driver: Driver) -> None:
    view = await driver.see()
    where = parse(view, r"to the (top|bottom) of the text")[1]
    await driver.scroll(view.one("textbox"), to=where)
    await driver.click(submit(view))


@policy("sign-agreement")
async def sign_agreement(driver: Driver) -> None:
    view = await driver.see()
    asked = re.search(r'enter the name "(.+?)" then press "(\w+)"', view.text)
    if asked is None:
        await driver.click(view.one("button", name="Cancel"))
        return
    await driver.scroll(view.one("textbox"), to="bottom")
    name, button = field_after(view, "Name"), view.one("button", name=asked[2])
    await driver.fill_form([Field(name, asked[1])], button)


@policy("identify-shape")
async def identify_shape(driver: Driver) -> None:
    view = await driver.see()
    figure = next(
        (
            line
            for line in view
            if line.role != "button" and re.fullmatch(r"[A-Za-z0-9]", line.text)
        ),
        None,
    )
    if figure is None:
        shape = re.search(
            r"\b(circle|rect|rectangle|triangle|polygon)\b", view.text.partition("below.")[2]
        )
        if shape is None:
            raise LookupError("the figure is not told")
        word = {"circle": "Circle", "rect": "Rectangle", "rectangle": "Rectangle"}.get(
            shape[1], "Triangle"
        )
    else:
        word = "Number" if figure.text.isdigit() else "Letter"
    await driver.click(view.one("button", name=word))


@policy("click-pie", "click-pie-nodelay")
async def click_pie(driver: Driver) -> None:
    view = await driver.see()
    wanted = parse(view, r'item labeled "(.+?)"')[1]
    await driver.click(named(view, "+"))
    await driver.see()
    view = driver.view
    await driver.click(named(View(view.lines[1:]), wanted))
