"""Asking the page agent's own nouns about a document, for tests of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.support.tabs import Tab

MODULES = "const { Dom, Text, Aria } = stockade.modules;"
TARGET = "const el = document.getElementById('t');"


async def evaluate(tab: Tab, body: str, *arguments: Any) -> Any:
    """Run the body of a function of `args` beside the agent in the document shown now."""
    await tab.agent.call(tab.page.main_frame, "aria_elements")
    return await tab.page.main_frame.call(f"(...args) => {{ {MODULES} {body} }}", *arguments)


async def about(tab: Tab, html: str, expression: str) -> Any:
    """Show `html` and evaluate an expression about `el`, the element whose id is t."""
    await tab.show(html)
    return await evaluate(tab, f"{TARGET} return {expression};")


async def each(tab: Tab, documents: Iterable[str], expression: str) -> dict[str, Any]:
    """The same question about many documents, written one after another into one tab."""
    wanted = list(documents)
    await tab.show("<p>any")
    answers = await evaluate(
        tab,
        "return args[0].map((html) => {"
        " document.open(); document.write(html); document.close();"
        f" {TARGET} return {expression}; }});",
        wanted,
    )
    return dict(zip(wanted, answers, strict=True))
