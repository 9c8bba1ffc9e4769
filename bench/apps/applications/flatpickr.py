"""flatpickr: every kind of its calendars."""

from __future__ import annotations

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.controls import (
    click,
    fill,
    press,
    then,
)
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Flatpickr"]


async def _day(hands: Hands, field: str, *days: str) -> None:
    await hands.click("textbox", name=field)
    for day in days:
        # One calendar is always shown; the one that has just opened is what is new, or comes last.
        await hands.driver.see()
        if opened := hands.driver.news.all(name=day):
            await hands.driver.click(opened[-1])
        else:
            await hands.click(name=day, nth=-1, fresh=True)


async def _date(hands: Hands) -> None:
    await _day(hands, "Arrival", "March 20, 2026")
    await hands.read("2026-03-20")


async def _range(hands: Hands) -> None:
    await _day(hands, "Stay", "March 20, 2026", "March 25, 2026")
    await hands.read("2026-03-20 to 2026-03-25")


async def _multiple(hands: Hands) -> None:
    await _day(hands, "Days off", "March 20, 2026", "March 21, 2026")
    await hands.driver.press("Escape")


async def _time(hands: Hands) -> None:
    await _day(hands, "Meeting", "March 20, 2026")
    await hands.driver.fill(await hands.line("spinbutton", name="Hour", nth=-1, fresh=True), "4")
    await hands.driver.press("Enter")


async def _clock(hands: Hands) -> None:
    await hands.click("textbox", name="Alarm")
    await hands.driver.fill(await hands.line("spinbutton", name="Hour", nth=-1, fresh=True), "7")
    await hands.driver.press("Enter")


async def _month(hands: Hands) -> None:
    await hands.driver.select(await hands.line("combobox", name="Month"), "April")
    await hands.click(name="April 9, 2026", fresh=True)


class Flatpickr(BundledPage):
    """`flatpickr`."""

    name = "flatpickr"
    title = "flatpickr"
    source = "flatpickr.js"
    packages = ("flatpickr",)
    flows = (
        Flow(
            "dates",
            "Arrive on 20 March, stay until 25 March, take two days off, set the deadline.",
            (
                Step("inline", _month, "2026-04-09"),
                Step("date", _date, "2026-03-20"),
                Step("range", _range, "2026-03-20 to 2026-03-25"),
                Step("multiple", _multiple, "2026-03-10, 2026-03-20, 2026-03-21"),
            ),
        ),
        Flow(
            "times",
            "Meet on 20 March at 4, set the alarm to 7.",
            (Step("time", _time, "2026-03-20 16:00"), Step("clock", _clock, "19:00")),
        ),
    )
    controls = (
        Step("arrows", click("textbox Arrival", "* /Next|next/", "* April 9, 2026"), "2026-04-09"),
        Step(
            "year",
            then(
                click("textbox Birthday"),
                fill("spinbutton Year @-1", "1990", submit=True),
                click("* March 9, 1990"),
            ),
            "1990-03-09",
        ),
        Step("clock", then(click("textbox Alarm"), click("* PM @-1"), press("Enter")), "00:00"),
        Step("typed", fill("textbox Typed", "2026-03-25", submit=True), "2026-03-25"),
        Step("month", click("textbox Bill", "* /^May/ @-1"), "2026-05"),
        Step("week", click("textbox Sprint", "* March 20, 2026 @-1"), "12"),
        Step(
            "confirm",
            click("textbox Meeting", "* March 20, 2026 @-1", "* OK @-1"),
            "2026-03-20 12:00",
        ),
        Step("wrap", click("button Choose", "* March 20, 2026 @-1", "button Forget"), ""),
        Step("alt", click("textbox @-1", "* March 20, 2026 @-1"), "2026-03-20"),
    )
