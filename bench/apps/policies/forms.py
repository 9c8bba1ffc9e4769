"""Tasks that fill fields and send them."""

from __future__ import annotations

import re

from bench.apps.driver import ActionFailed, Driver, Field, Step
from bench.apps.policies.registry import field_after, first, nth, parse, policy, submit

__all__: list[str] = []


@policy("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
async def click_checkboxes(driver: Driver) -> None:
    view = await driver.see()
    names = parse(view, r"Select (.+?) and click Submit")[1].split(", ")
    boxes = [line for line in view.all("checkbox") if line.name in names]
    await driver.fill_form([Field(box, value=True) for box in boxes], submit(view))


_SIMILAR = [
    "big large huge enormous gigantic", "small tiny little mini petite",
    "red scarlet crimson vermillion", "happy cheerful joyful gleeful delighted",
    "sad unhappy sorrowful miserable tragic", "angry mad furious irritated",
    "evil wicked immoral sinful corrupt depraved", "wrong incorrect mistaken erroneous",
    "real genuine actual", "strange odd peculiar unusual weird", "stop cease halt end finish",
    "scared terrified panicked fearful frightened afraid", "quiet calm peaceful serene mild",
    "old aged archaic", "love like adore favor", "kill murder assassinate",
    "keep retain preserve sustain maintain", "hide conceal camouflage",
    "hate despise loathe detest dislike", "funny humorous amusing comical laughable",
    "fat fleshy plump chubby", "stupid dumb dull unwise", "delicious savory delectable appetizing",
    "cut slice carve chop", "brave courageous fearless", "begin start initiate launch",
    "answer reply response", "television televisions TV TVs", "house home houses homes",
    "fire flame fires flames", "pig pork swine", "rabbit rabbits bunny bunnies",
    "car cars automobile automobiles vehicle vehicles",
]  # fmt: skip


@policy("click-checkboxes-soft")
async def click_similar(driver: Driver) -> None:
    view = await driver.see()
    names = parse(view, r"similar to (.+?) and click Submit")[1].split(", ")
    groups = [set(group.lower().split()) for group in _SIMILAR]

    def similar(word: str) -> bool:
        return any(
            word.lower() == name.lower()
            or any({word.lower(), name.lower()} <= group for group in groups)
            for name in names
        )

    boxes = [line for line in view.all("checkbox") if similar(line.name)]
    await driver.fill_form([Field(box, value=True) for box in boxes], submit(view))


@policy("click-option")
async def click_option(driver: Driver) -> None:
    view = await driver.see()
    name = parse(view, r"Select (.+?) and click Submit")[1]
    await driver.fill_form([Field(view.one("radio", name=name), value=True)], submit(view))


@policy("choose-list")
async def choose_list(driver: Driver) -> None:
    view = await driver.see()
    name = parse(view, r"Select (.+?) from the list")[1]
    await driver.fill_form([Field(view.one("combobox"), name)], submit(view))


@policy("click-scroll-list")
async def choose_several(driver: Driver) -> None:
    view = await driver.see()
    names = parse(view, r"Select (.+?) from the scroll list")[1].split(", ")
    await driver.select(view.one("listbox"), *names)
    await driver.click(submit(view))


@policy("enter-text", "enter-text-dynamic")
async def enter_text(driver: Driver) -> None:
    view = await driver.see()
    text = parse(view, r'Enter "(.+?)" into')[1]
    await driver.fill_form([Field(view.one("textbox"), text)], submit(view))


@policy("enter-text-2")
async def enter_in_case(driver: Driver) -> None:
    view = await driver.see()
    text, case = parse(view, r'Type "(.+?)" in all (\w+) case').groups()
    text = text.upper() if case == "upper" else text.lower()
    await driver.fill_form([Field(view.one("textbox"), text)], submit(view))


@policy("enter-password")
async def enter_password(driver: Driver) -> None:
    view = await driver.see()
    word = parse(view, r'password "(.+?)"')[1]
    await driver.fill_form([Field(line, word) for line in view.all("textbox")[:2]], submit(view))


@policy("enter-date")
async def enter_date(driver: Driver) -> None:
    view = await driver.see()
    month, day, year = parse(view, r"Enter (\d\d)/(\d\d)/(\d{4}) as").groups()
    await driver.fill_form([Field(view.one("textbox"), f"{year}-{month}-{day}")], submit(view))


@policy("enter-time")
async def enter_time(driver: Driver) -> None:
    view = await driver.see()
    hour, minute, half = parse(view, r"Enter (\d+):(\d\d) (AM|PM) as").groups()
    hours = int(hour) % 12 + (12 if half == "PM" else 0)
    await driver.fill_form([Field(view.one("textbox"), f"{hours:02}:{minute}")], submit(view))


@policy("login-user")
async def log_in(driver: Driver) -> None:
    view = await driver.see()
    user, word = parse(view, r'username "(.+?)" and the password "(.+?)"').groups()
    one, other = view.all("textbox")[:2]
    await driver.fill_form([Field(one, user), Field(other, word)], submit(view, "Login"))


@policy("login-user-popup")
async def log_in_with_popup(driver: Driver) -> None:
    view = await driver.see()
    user, word = parse(view, r'username "(.+?)" and the password "(.+?)"').groups()
    for _ in range(3):
        one, other = view.all("textbox")[:2]
        try:
            await driver.fill_form(
                [Field(one, user), Field(other, word)], submit(view, "OK", "Login")
            )
        except ActionFailed:
            view = await driver.look()
        else:
            view = await driver.see()
        # What came in front asks whether to leave.
        stay = [line for line in view.all(name=re.compile(r"^Cancel$")) if line.ref]
        if not stay:
            return
        await driver.click(stay[0])
        view = await driver.see()


@policy("multi-layouts", "multi-orderings")
async def search_movies(driver: Driver) -> None:
    view = await driver.see()
    genre, director, year = parse(
        view, r"Search for (.+?) movies directed by (.+?) from year (\d+)"
    ).groups()
    fields = [
        Field(field_after(view, label), value)
        for label, value in (("Year|Date", year), ("Genre", genre), ("Director", director))
    ]
    await driver.fill_form(fields, submit(view, "Submit", "Go!", "Search", "Search!", "Go"))


@policy("read-table")
async def read_table(driver: Driver) -> None:
    view = await driver.see()
    label = parse(view, r"the value of (.+?) into")[1]
    cells = {row[0]: row[1] for row in view.rows() if len(row) > 1}
    await driver.fill_form([Field(view.one("textbox"), cells[label])], submit(view))


@policy("read-table-2")
async def read_table_twice(driver: Driver) -> None:
    view = await driver.see()
    cells = {row[0]: row[1] for row in view.rows() if len(row) > 1}
    fields = []
    for line in view.all("textbox"):
        label = [each for each in view.before(line) if each.text.endswith(":")][-1]
        fields.append(Field(line, cells[label.text.rstrip(":")]))
    await driver.fill_form(fields, submit(view))


@policy("copy-paste", "copy-paste-2")
async def copy_and_paste(driver: Driver) -> None:
    view = await driver.see()
    boxes = view.all("textbox")
    which = re.search(r"the (\d)\w\w text area", view.text)
    full = [line for line in boxes if line.value]
    source = full[nth(which[1]) if which else 0]
    empty = first(line for line in boxes if not line.value)
    await driver.run(
        [
            Step("press", source, "Control+a"),
            Step("press", None, "Control+c"),
            Step("press", empty, "Control+v"),
            Step("click", submit(view)),
        ]
    )


@policy("find-word")
async def find_word(driver: Driver) -> None:
    view = await driver.see()
    which = nth(parse(view, r"the (\d+)\w\w word")[1])
    asks = first(line for line in view if "word in the paragraph" in line.text)
    paragraph = first(line for line in view.after(asks) if line.text)
    word = paragraph.text.split()[which].strip(".,")
    await driver.fill_form([Field(view.one("textbox"), word)], submit(view))


@policy("scroll-text")
async def last_word(driver: Driver) -> None:
    view = await driver.see()
    long, short = view.all("textbox")[:2]
    # What a field holds goes on below its line where it is long.
    words = f"{long.value} {view.below(long).text}".split()
    await driver.fill_form([Field(short, words[-1].strip(".,"))], submit(view))


@policy("simple-arithmetic")
async def arithmetic(driver: Driver) -> None:
    view = await driver.see()
    one, sign, other = parse(view, r"(-?\d+) ?([-+x*]) ?(-?\d+) ?=").groups()
    answer = _calculate(int(one), sign, int(other))
    await driver.fill_form([Field(view.one("textbox"), str(answer))], submit(view))


@policy("simple-algebra")
async def algebra(driver: Driver) -> None:
    view = await driver.see()
    one, sign, other, total = parse(view, r"(x|-?\d+) ([-+*]) (x|-?\d+) = (-?\d+)").groups()
    known = int(other if one == "x" else one)
    if sign == "+":
        answer = int(total) - known
    elif one == "x":
        answer = int(total) + known
    else:
        answer = known - int(total)
    await driver.fill_form([Field(view.one("textbox"), str(answer))], submit(view))


def _calculate(one: int, sign: str, other: int) -> int:
    if sign == "+":
        return one + other
    return one - other if sign == "-" else one * other


@policy("text-transform")
async def text_transform(driver: Driver) -> None:
    view = await driver.see()
    asks = first(line for line in view if "Type the text below" in line.text)
    field = view.one("textbox")
    letters = "".join(line.text for line in view.before(field).after(asks))
    await driver.fill_form([Field(field, letters.replace(" ", ""))], submit(view))


@policy("form-sequence-2")
async def form_sequence(driver: Driver) -> None:
    view = await driver.see()
    radio, number, box = parse(
        view, r'Check the (\d)\w\w radio button and enter the number "(-?\d+)" into the (\d)\w\w'
    ).groups()
    fields = [
        Field(view.all("radio")[nth(radio)], value=True),
        Field(view.all("textbox")[nth(box)], number),
    ]
    await driver.fill_form(fields, submit(view))


@policy("guess-number")
async def guess_number(driver: Driver) -> None:
    view = await driver.see()
    low, high = 0, 9
    for _ in range(5):
        guess = (low + high) // 2
        await driver.fill_form([Field(view.one("spinbutton", "textbox"), str(guess))], submit(view))
        view = await driver.see()
        told = driver.news.text
        if "higher" in told:
            low = guess + 1
        elif "lower" in told:
            high = guess - 1
        else:
            return
