"""Each step of a flow in the words of Playwright."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from stockade.flows.recording import Found, Masked, Step
from stockade.page.playwright import in_javascript

__all__ = ["Line", "Page", "lines_of", "literal"]

_NAME = re.compile(r"<([A-Z][A-Z0-9_]*)>")
_WAYS = {
    "label": "getByLabel",
    "placeholder": "getByPlaceholder",
    "alt": "getByAltText",
    "title": "getByTitle",
    "testid": "getByTestId",
}
_OURS = re.compile(r"(label|placeholder|alt|title|testid)=(.*)", re.DOTALL)
_ONLY_OURS = re.compile(r"(^|>> )having=|>> .*(label|placeholder|alt|title|testid)=|=.* >> ")
_SECRET = re.compile(r"<[A-Z][A-Z0-9_]*>")


@dataclass(frozen=True)
class Line:
    """A statement; without code, what could not be said."""

    code: str = ""
    comment: str = ""
    fragile: bool = False


@dataclass(frozen=True)
class Page:
    """The variable of the tab a step is in, and how to get one for another."""

    name: str
    another: Callable[[str], str]


class _Unsaid(Exception):
    """Playwright has no words for it."""


def literal(value: Any) -> str:
    """A value in JavaScript; secrets are read from the environment of whoever runs it."""
    if isinstance(value, str) and (isinstance(value, Masked) or _SECRET.fullmatch(value)):
        if found := _NAME.fullmatch(value):
            return f"process.env.{found[1]}"
        escaped = value.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")
        return "`" + _NAME.sub(r"${process.env.\1}", escaped) + "`"
    if isinstance(value, str):
        inner = json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
        inner = inner.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        return f"'{inner}'"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key}: {literal(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value)


def lines_of(step: Step, page: Page) -> Iterator[Line]:
    """The statements that do what the step did."""
    teller = _TELLERS.get(step.tool)
    if teller is None:
        yield Line(comment=f"{step.id}, {step.tool}: a test has no words for it")
        return
    try:
        yield from list(teller(step, page))
    except _Unsaid as reason:
        yield Line(comment=f"{step.id}, {step.tool}: {reason}")


# --- elements and places ------------------------------------------------------------------------


def _named(found: Found | None, page: Page) -> tuple[str, bool]:
    """The locator, and whether it may find something else next time."""
    if found is None or found.locator is None:
        raise _Unsaid("its element could not be named")
    locator = found.locator
    words = locator.playwright.removeprefix("page")
    return f"{page.name}{words}", locator.stability == "low" or not locator.unique


def _options(options: dict[str, Any]) -> str:
    given = {key: value for key, value in options.items() if value}
    return literal(given) if given else ""


def _on(step: Step, page: Page, method: str, *arguments: str) -> Line:
    name, fragile = _named(step.targets.get(""), page)
    inside = ", ".join(each for each in arguments if each)
    return Line(f"await {name}.{method}({inside});", fragile=fragile)


def _at(place: dict[str, Any]) -> str:
    return f"{literal(place['x'])}, {literal(place['y'])}"


# --- going --------------------------------------------------------------------------------------


def _navigate(step: Step, page: Page) -> Iterator[Line]:
    yield Line(f"await {page.name}.goto({literal(step.arguments['url'])});")


def _history(method: str) -> Callable[[Step, Page], Iterator[Line]]:
    def teller(_: Step, page: Page) -> Iterator[Line]:
        yield Line(f"await {page.name}.{method}();")

    return teller


def _tabs(step: Step, page: Page) -> Iterator[Line]:
    action = step.arguments.get("action", "list")
    if action == "new":
        name = page.another(step.opened[0] if step.opened else step.id)
        yield Line(f"const {name} = await page.context().newPage();")
        if url := step.arguments.get("url"):
            yield Line(f"await {name}.goto({literal(url)});")
    elif action == "close":
        yield Line(f"await {page.name}.close();")
    elif action == "select":
        yield Line(f"await {page.name}.bringToFront();")
    else:
        raise _Unsaid("nothing was done")


def _set_viewport(step: Step, page: Page) -> Iterator[Line]:
    size = {"width": step.arguments["width"], "height": step.arguments["height"]}
    yield Line(f"await {page.name}.setViewportSize({literal(size)});")


def _scroll(step: Step, page: Page) -> Iterator[Line]:
    given = step.arguments
    if given.get("intoView"):
        yield _on(step, page, "scrollIntoViewIfNeeded")
        return
    if by := given.get("by"):
        way = f"{{ left: {literal(by.get('x', 0))}, top: {literal(by.get('y', 0))} }}"
        call = f"scrollBy({way})"
    else:
        edge = {
            "top": "top: 0",
            "left": "left: 0",
            "bottom": "top: it.scrollHeight",
            "right": "left: it.scrollWidth",
        }[given["to"]]
        call = f"scrollTo({{ {edge} }})"
    if "" in step.targets:
        yield _on(step, page, "evaluate", f"it => it.{call}")
    else:
        body = f"const it = document.scrollingElement; it.{call};"
        yield Line(f"await {page.name}.evaluate(() => {{ {body} }});")


# --- doing --------------------------------------------------------------------------------------


def _click(method: str, mouse: str) -> Callable[[Step, Page], Iterator[Line]]:
    def teller(step: Step, page: Page) -> Iterator[Line]:
        given = step.arguments
        button = given.get("button") if given.get("button") != "left" else None
        options: dict[str, Any] = {"button": button, "modifiers": list(given.get("modifiers", ()))}
        if given.get("count", 1) > 1:
            options["clickCount"] = given["count"]
        if coords := given.get("coords"):
            options.pop("modifiers")
            inside = ", ".join(each for each in (_at(coords), _options(options)) if each)
            yield Line(f"await {page.name}.mouse.{mouse}({inside});", fragile=True)
        else:
            yield _on(step, page, method, _options(options))

    return teller


def _hover(step: Step, page: Page) -> Iterator[Line]:
    if coords := step.arguments.get("coords"):
        yield Line(f"await {page.name}.mouse.move({_at(coords)});", fragile=True)
    else:
        yield _on(step, page, "hover")


def _fill(step: Step, page: Page) -> Iterator[Line]:
    yield _on(step, page, "fill", literal(step.arguments["value"]))


def _type(step: Step, page: Page) -> Iterator[Line]:
    text = literal(step.arguments["text"])
    if "" in step.targets:
        # It goes after what the field holds.
        yield _on(step, page, "press", literal("ControlOrMeta+End"))
        yield _on(step, page, "pressSequentially", text)
    else:
        yield Line(f"await {page.name}.keyboard.type({text});")
    if step.arguments.get("submit"):
        yield Line(f"await {page.name}.keyboard.press('Enter');")


def _press(step: Step, page: Page) -> Iterator[Line]:
    keys = step.arguments.get("keys", step.arguments.get("key"))
    for index, key in enumerate([keys] if isinstance(keys, str) else keys or ()):
        if "" in step.targets and not index:
            yield _on(step, page, "press", literal(key))
        else:
            yield Line(f"await {page.name}.keyboard.press({literal(key)});")


def _select(step: Step, page: Page) -> Iterator[Line]:
    values = list(step.arguments["values"])
    yield _on(step, page, "selectOption", literal(values[0] if len(values) == 1 else values))


def _choose(step: Step, page: Page) -> Iterator[Line]:
    found = step.targets.get("")
    chosen = step.chosen or step.arguments["option"]
    if found is not None and found.tag == "select":
        yield _on(step, page, "selectOption", literal({"label": chosen}))
        return
    if found is not None and found.type == "text" and found.tag == "input":
        yield _on(step, page, "fill", literal(chosen))
    else:
        yield _on(step, page, "click")
    option = literal({"name": chosen, "exact": True})
    if found is not None and found.role in {"radiogroup", "group", "radio"}:
        yield Line(f"await {page.name}.getByRole('radio', {option}).check();", fragile=True)
    else:
        yield Line(
            f"await {page.name}.getByRole('option', {option})"
            f".or({page.name}.getByRole('menuitem', {option})).click();",
            fragile=True,
        )


def _fill_form(step: Step, page: Page) -> Iterator[Line]:
    for index, row in enumerate(step.arguments["fields"]):
        found = step.targets.get(f"fields.{index}")
        name, fragile = _named(found, page)
        yield Line(f"await {name}.{_put(found, row['value'])};", fragile=fragile)
    if "submit" in step.targets:
        name, fragile = _named(step.targets["submit"], page)
        yield Line(f"await {name}.click();", fragile=fragile)


def _put(found: Found | None, value: Any) -> str:
    """How a field takes its value, by its kind."""
    if found is not None and found.tag == "select":
        return f"selectOption({literal(value)})"
    if found is not None and found.role in {"checkbox", "radio", "switch"}:
        on = value if isinstance(value, bool) else str(value).lower() in {"true", "on", "yes", "1"}
        return f"setChecked({literal(on)})"
    return f"fill({literal(value if isinstance(value, str) else str(value))})"


def _upload(step: Step, page: Page) -> Iterator[Line]:
    given = step.arguments
    name = given.get("name") or (given.get("path") or given.get("artifact") or "file")
    line = _on(step, page, "setInputFiles", "process.env.UPLOAD_FILE")
    yield Line(line.code, f"the path of {name}", fragile=True)


def _drag(step: Step, page: Page) -> Iterator[Line]:
    start, end = step.targets.get("from"), step.targets.get("to")
    if start is not None and end is not None:
        source, fragile = _named(start, page)
        target, also = _named(end, page)
        yield Line(f"await {source}.dragTo({target});", fragile=fragile or also)
        return
    mouse = f"{page.name}.mouse"
    places = [step.arguments.get(key, {}).get("coords") for key in ("from", "to")]
    if None in places:
        raise _Unsaid("an element and a point")
    yield Line(f"await {mouse}.move({_at(places[0])});", fragile=True)
    yield Line(f"await {mouse}.down();", fragile=True)
    steps = literal({"steps": step.arguments.get("steps", 12)})
    yield Line(f"await {mouse}.move({_at(places[1])}, {steps});", fragile=True)
    yield Line(f"await {mouse}.up();", fragile=True)


def _mouse(method: str) -> Callable[[Step, Page], Iterator[Line]]:
    def teller(step: Step, page: Page) -> Iterator[Line]:
        given = step.arguments
        if coords := given.get("coords"):
            yield Line(f"await {page.name}.mouse.move({_at(coords)});", fragile=True)
        if method == "wheel":
            way = f"{literal(given.get('deltaX', 0))}, {literal(given.get('deltaY', 0))}"
            yield Line(f"await {page.name}.mouse.wheel({way});", fragile=True)
        elif method != "move":
            button = given.get("button")
            options = _options({"button": button if button != "left" else None})
            yield Line(f"await {page.name}.mouse.{method}({options});", fragile=True)

    return teller


def _evaluate(step: Step, page: Page) -> Iterator[Line]:
    if "" in step.targets:
        raise _Unsaid("a script with an element")
    method = "waitForFunction" if step.tool == "poll_eval" else "evaluate"
    yield Line(f"await {page.name}.{method}({literal(step.arguments['expr'])});", fragile=True)


def _answered(step: Step, page: Page) -> Iterator[Line]:
    yield Line(f"// {step.id}: the dialog on {page.name} was answered above")


def _dialog_policy(step: Step, page: Page) -> Iterator[Line]:
    mode = step.arguments["mode"]
    if mode not in {"accept", "dismiss", "accept-prompt-with"}:
        raise _Unsaid("dialogs wait for an answer")
    text = literal(step.arguments.get("text") or "") if mode == "accept-prompt-with" else ""
    answer = "dismiss()" if mode == "dismiss" else f"accept({text})"
    yield Line(f"{page.name}.on('dialog', dialog => dialog.{answer});")


# --- expecting ----------------------------------------------------------------------------------


def _around(found: Found | None, page: Page) -> str:
    """The frame an element is in; a test looks only where it is told to."""
    if found is None or found.locator is None:
        return page.name
    frames = [each for each in found.locator.components if each.kind == "frame"]
    return page.name + in_javascript(frames).removeprefix("page")


def _expect(step: Step, page: Page, what: str) -> Line:
    """What was asked for by a selector is asked for by the same: it says what was meant."""
    found = step.targets.get("")
    try:
        name, fragile = _selected(step.arguments.get("selector"), _around(found, page)), False
    except _Unsaid:
        name, fragile = _named(found, page)
    return Line(f"await expect({name}).{what};", fragile=fragile)


def _visible(step: Step, page: Page) -> Iterator[Line]:
    yield _expect(step, page, "toBeVisible()")


def _text(step: Step, page: Page) -> Iterator[Line]:
    method = "toHaveText" if step.arguments.get("exact") else "toContainText"
    yield _expect(step, page, f"{method}({literal(step.arguments['text'])})")


def _value(step: Step, page: Page) -> Iterator[Line]:
    yield _expect(step, page, f"toHaveValue({literal(step.arguments['value'])})")


def _attribute(step: Step, page: Page) -> Iterator[Line]:
    given = step.arguments
    inside = [literal(given["attr"])]
    if given.get("value") is not None:
        inside.append(literal(given["value"]))
    yield _expect(step, page, f"toHaveAttribute({', '.join(inside)})")


def _selected(selector: str | None, around: str) -> str:
    """Our selectors are CSS, or words that Playwright knows by others."""
    if not selector or _ONLY_OURS.search(selector):
        raise _Unsaid("a selector of several parts")
    if found := _OURS.fullmatch(selector):
        words = found[2].strip()
        exact = len(words) > 1 and words[0] == words[-1] == '"'
        options = ", { exact: true }" if exact else ""
        return f"{around}.{_WAYS[found[1]]}({literal(words.strip(chr(34)))}{options})"
    return f"{around}.locator({literal(selector)})"


def _count(step: Step, page: Page) -> Iterator[Line]:
    given = step.arguments
    if given.get("selector"):
        name = _selected(given["selector"], page.name)
    else:
        name = f"{page.name}.getByText({literal(given['text'])})"
    yield Line(f"await expect({name}).toHaveCount({literal(given['n'])});")


def _wait_for(step: Step, page: Page) -> Iterator[Line]:
    given = step.arguments
    found = step.targets.get("")
    state = "toBeHidden()" if given.get("gone") else "toBeVisible()"
    if part := given.get("urlContains"):
        check = f"url => url.href.includes({literal(part)})"
        yield Line(f"await {page.name}.waitForURL({check});")
    elif given.get("text"):
        name = f"{_around(found, page)}.getByText({literal(given['text'])}).first()"
        yield Line(f"await expect({name}).{state};")
    elif given.get("selector"):
        name = f"{_selected(given['selector'], _around(found, page))}.first()"
        yield Line(f"await expect({name}).{state};")
    else:
        yield _expect(step, page, state)


_TELLERS: dict[str, Callable[[Step, Page], Iterator[Line]]] = {
    "answer_dialog": _answered,
    "choose_option": _choose,
    "click": _click("click", "click"),
    "double_click": _click("dblclick", "dblclick"),
    "drag": _drag,
    "eval_js": _evaluate,
    "fill": _fill,
    "fill_form": _fill_form,
    "go_back": _history("goBack"),
    "go_forward": _history("goForward"),
    "hover": _hover,
    "mouse_down": _mouse("down"),
    "mouse_move": _mouse("move"),
    "mouse_up": _mouse("up"),
    "mouse_wheel": _mouse("wheel"),
    "navigate": _navigate,
    "poll_eval": _evaluate,
    "press": _press,
    "reload": _history("reload"),
    "scroll": _scroll,
    "select": _select,
    "set_dialog_policy": _dialog_policy,
    "set_viewport": _set_viewport,
    "shortcut": _press,
    "tabs": _tabs,
    "type": _type,
    "upload_file": _upload,
    "verify_attribute": _attribute,
    "verify_count": _count,
    "verify_text": _text,
    "verify_value": _value,
    "verify_visible": _visible,
    "wait_for": _wait_for,
}
