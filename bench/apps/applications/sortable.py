"""SortableJS: lists whose items are dragged."""

from __future__ import annotations

from bench.apps.applications.bundle import BundledPage
from bench.apps.applications.flow import Flow, Hands, Step

__all__ = ["Sortable"]


async def _move(hands: Hands) -> None:
    await hands.driver.drag(await hands.line(name="Buy milk"), await hands.line(name="Wash car"))
    view = await hands.driver.see()
    done = view.after(next(each for each in view if each.text == "Done")).text
    if "Buy milk" not in done:
        raise LookupError("the item is not in the other list")


class Sortable(BundledPage):
    """`sortablejs`."""

    name = "sortable"
    title = "Sortable lists"
    source = "sortable.js"
    packages = ("sortablejs",)
    flows = (Flow("move", "Move Buy milk to what is done.", (Step("lists", _move),)),)
