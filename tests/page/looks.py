"""Short ways to look at a tab in tests."""

from __future__ import annotations

from typing import Any

from stockade.page.snapshot import Delta, Snapshot, SnapshotOptions, Snapshots
from tests.support.tabs import CALLER, Tab

SHOP = """
<main aria-label=Shop><h1>Cart</h1><p id=count>Count: <b id=n>3</b></p>
<ul id=list><li>one <button>x</button><li>two <button>x</button></ul>
<table><tr id=row><td id=state>vm1 stopped<td><button id=go>Start</button></table>
<input id=field aria-label=Name><input type=checkbox id=check aria-label=Agree>
<select id=pick aria-label=Size><option>S<option>M</select>
<div id=box></div><div id=hid style=display:none><p>was hidden</p></div>
<style>#menu { display: none } .open + #menu { display: block }</style>
<div id=toggle></div><div id=menu><a href=x>Entry</a></div><button id=save>Save</button></main>
"""
"""A page where much can change."""


class Looks:
    """A caller that looks at one tab."""

    def __init__(self, tab: Tab, caller: str = CALLER) -> None:
        self.tab = tab
        self.caller = caller
        self.snapshots = Snapshots(tab.agent)

    async def see(self, html: str | None = None, **options: Any) -> Snapshot:
        """Show `html`, if given, and look at it."""
        if html is not None:
            await self.tab.show(f"<!doctype html><meta charset=utf-8><title>Test</title>{html}")
        return await self.snapshots.take(self.caller, SnapshotOptions(**options))

    async def text(self, html: str | None = None, **options: Any) -> str:
        return (await self.see(html, **options)).text

    async def delta(self, change: str | None = None, **options: Any) -> Delta:
        """Run `change` in the page, and look at what came of it."""
        if change is not None:
            await self.tab.main(f"() => {{ {change} }}")
        return await self.snapshots.delta(self.caller, **options)

    async def changes(self, change: str | None = None, **options: Any) -> str:
        return (await self.delta(change, **options)).text


def tokens(text: str) -> int:
    """The estimate that budgets are kept by, written anew: a quarter per UTF-16 unit, CJK whole."""
    units = len(text.encode("utf-16-le")) // 2
    wide = sum(
        any(
            low <= ord(character) <= high
            for low, high in (
                (0x1100, 0x11FF),
                (0x2E80, 0x9FFF),
                (0xA960, 0xA97F),
                (0xAC00, 0xD7FF),
                (0xF900, 0xFAFF),
                (0xFF00, 0xFFEF),
            )
        )
        for character in text
    )
    return -(-(units + 3 * wide) // 4)
