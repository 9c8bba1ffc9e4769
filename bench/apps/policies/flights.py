"""Booking a flight: two places from suggestions, a date, and the best of what is found."""

from __future__ import annotations

import re

from bench.apps.driver import Driver
from bench.apps.lines import Line, View
from bench.apps.policies.calendar import pick_date
from bench.apps.policies.registry import field_after, parse, policy, shown

__all__: list[str] = []


@policy("book-flight", "book-flight-nodelay")
async def book_flight(driver: Driver) -> None:
    view = await driver.see()
    how, start, end, month, day = parse(
        view, r"Book the (\w+) one-way flight from: (.+?) to: (.+?) on (\d+)/(\d+)/\d+\."
    ).groups()
    fields = [line for line in view.all("textbox", "combobox") if not line.name]
    search, date = view.one("button", name="Search"), fields[-1]
    for label, place in (("From", start), ("To", end)):
        field = field_after(view, rf"^{label}:")
        await driver.type(field, place)
        options = await shown(driver, lambda view, place=place: _suggestions(view, place))  # type: ignore[misc]
        await driver.click(options[-1])
    await pick_date(driver, date, int(month), int(day))
    await driver.click(search)
    books = await shown(driver, lambda view: view.all("button", name=re.compile("Book flight for")))
    if how == "cheapest":
        prices = [int(line.name.partition("$")[2]) for line in books]
        await driver.click(books[prices.index(min(prices))])
        return
    lasting = re.findall(r"(\d+)h (\d+)m", driver.view.text)
    minutes = [int(hours) * 60 + int(rest) for hours, rest in lasting]
    await driver.click(books[minutes.index(min(minutes))])


def _suggestions(view: View, place: str) -> list[Line]:
    """Cities with the code of their airport in brackets."""
    return [
        line
        for line in view
        if line.role not in {"textbox", "combobox"}
        and place in line.text
        and re.fullmatch(r"[^()]+ \([A-Z]{3}\)", line.text)
    ]
