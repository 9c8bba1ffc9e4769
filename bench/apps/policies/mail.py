"""An inbox: reply, forward, delete, mark as important; asked for in many ways."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bench.apps.driver import Driver
from bench.apps.lines import Line, View
from bench.apps.policies.icons import icons, pick_icon
from bench.apps.policies.registry import first, named, policy

__all__: list[str] = []

_NAME = r"([A-Z][a-z]+)"
_SENDER = (
    rf"(?:[Ff]rom|by|from the) {_NAME}\b", rf"\b{_NAME}'s", rf"\b{_NAME} (?:sent|wrote)", rf"the {_NAME} e-?mail",
    rf"(?:[Tt]o|[Tt]ell|[Tt]ext|contact|[Aa]nswer|message) {_NAME}\b", rf"\b{_NAME}s email",
)  # fmt: skip


@dataclass(frozen=True)
class _Errand:
    action: str
    sender: str
    to: str = ""
    text: str = ""


def _understand(asked: str, senders: set[str]) -> _Errand:
    said = re.search(r'"(.+)"', asked)
    plain = asked.replace(said[0], "") if said else asked
    names = [word for word in re.findall(r"\b[A-Z][a-z]+", plain) if word in senders]
    sender = next(
        (
            found[1]
            for pattern in _SENDER
            for found in re.finditer(pattern, plain)
            if found[1] in senders
        ),
        names[0] if names else "",
    )
    if not sender:
        raise LookupError(f"nobody who wrote is named in {asked!r}")
    if said:
        return _Errand("reply", sender, text=said[1])
    if re.search(r"trash|delet|remove|recycl|get rid|erase|discard|throw", plain, re.IGNORECASE):
        return _Errand("delete", sender)
    if re.search(r"\bstar\b|starred|important|flag|favorite|priority", plain, re.IGNORECASE):
        return _Errand("important", sender)
    to = re.search(rf"\b(?:to|[Gg]ive|[Ss]end|[Ff]orward|[Ll]et) {_NAME}\b(?!'s)", plain)
    others = [word for word in re.findall(rf"\b{_NAME}\b", plain)[1:] if word != sender]
    dest = to[1] if to and to[1] != sender else (others[-1] if others else sender)
    return _Errand("forward", sender, to=dest)


def _senders(view: View) -> dict[str, Line]:
    """What to click for each sender: the line that begins with the name, or what it stands in."""
    found: dict[str, Line] = {}
    heading = view.one("heading")
    for line in view.after(heading):
        words = line.text.split()
        if words and re.fullmatch(r"[A-Z][a-z]+", words[0]):
            target = view.holder(line)
            if target is not None and not any(each is target for each in found.values()):
                found.setdefault(words[0], target)
    return found


@policy(
    "email-inbox", "email-inbox-delete", "email-inbox-forward", "email-inbox-forward-nl",
    "email-inbox-forward-nl-turk", "email-inbox-important", "email-inbox-nl-turk",
    "email-inbox-noscroll", "email-inbox-reply", "email-inbox-star-reply",
)  # fmt: skip
async def handle_mail(driver: Driver) -> None:
    view = await driver.see()
    asked = first(line.text for line in view if line.text)
    senders = _senders(view)
    errand = _understand(asked, set(senders))
    line = senders[errand.sender]
    if errand.action in {"delete", "important"}:
        await _use_icon(driver, view, line, errand.action)
        return
    await driver.click(line)
    view = await driver.see()
    await driver.click(named(view, errand.action.capitalize()))
    view = await driver.see()
    fields = view.all("textbox", "searchbox")
    if errand.action == "reply":
        await driver.fill(fields[-1], errand.text)
    else:
        await driver.fill(fields[0], errand.to)
    label = first(each for each in view if re.match(r"to:", each.text))
    bar = View([each for each in _unhidden(view) if view.index(each) < view.index(label)])
    await driver.click(pick_icon(bar, "send", -1))


def _unhidden(view: View) -> list[Line]:
    return list(view.lines)


async def _use_icon(driver: Driver, view: View, line: Line, action: str) -> None:
    pattern = "trash|delete" if action == "delete" else "star"
    own = view.below(line)
    called = [each for each in icons(own) if re.search(pattern, each.name, re.IGNORECASE)]
    if called:
        await driver.click(called[0])
        return
    # What the list does not show may be shown with the message itself.
    await driver.click(line)
    view = await driver.see()
    there = icons(view)
    called = [each for each in there if re.search(pattern, each.name, re.IGNORECASE)]
    # Without names: the first leads back, and only the one that was asked for does anything.
    for each in called[:1] or there[1:3]:
        await driver.click(each)
