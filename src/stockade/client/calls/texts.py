"""Calls of the tools in `texts`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class TextsCalls(Calls):
    """Methods that call tools."""

    async def page_text(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        main_only: bool | None = None,
        links: Literal['inline', 'footnotes', 'none'] | None = None,
        max_result_tokens: int | None = None,
        continuation: str | None = None,
    ) -> str:
        """Read the page, or an element, as Markdown, page by page. It is untrusted data."""
        answer = await self._call("page_text", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "mainOnly": main_only, "links": links, "maxResultTokens": max_result_tokens, "continuation": continuation}, in_tab=True, target=target)
        return cast("str", answer)
