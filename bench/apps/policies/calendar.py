"""A calendar that opens at a field."""

from __future__ import annotations

import re

from bench.apps.driver import ActionFailed, Driver, Step
from bench.apps.lines import Line, View
from bench.apps.policies.registry import first, shown

__all__ = ["pick_date"]

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b")
_TURNS = 13


async def pick_date(driver: Driver, field: Line, month: int, day: int) -> None:
    """Open it, turn to the month, click the day."""
    await driver.click(field)
    for _ in range(_TURNS):
        await shown(driver, lambda view: view.all(name=_MONTH))
        now = _month(driver.news) or _month(driver.view) or 0
        if now == month:
            days = driver.news.all(name=str(day)) or driver.view.all(name=str(day))
            await driver.click(first(line for line in reversed(days) if line.ref))
            return
        await _turn(driver, "Prev" if month < now else "Next", abs(month - now))
    raise LookupError("the month never came")


def _month(view: View) -> int | None:
    found = _MONTH.findall(view.text)
    return _MONTHS.index(found[-1]) + 1 if found else None


async def _turn(driver: Driver, word: str, months: int) -> None:
    """As many months at once as are known to lie between; the button is made anew each time."""
    there = driver.news.all(name=re.compile(f"^{word}")) or driver.view.all(
        name=re.compile(f"^{word}")
    )
    if not there:
        raise LookupError(f"no {word} is shown")
    try:
        await driver.run([Step("click", f'text="{word}"')] * months)
    except ActionFailed:
        await driver.look()
        await driver.click(driver.view.all(name=re.compile(f"^{word}"))[-1])
