"""What the tools of the tab API take: a tab by the name that no other tab has."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from stockade.kernel.arguments import InTab, OptionalTarget

__all__ = ["InNamedTab", "OnElement"]

TabId = Annotated[str | None, Field(alias="tabId", max_length=100)]


class InNamedTab(InTab):
    """A tool that works in the tab it names."""

    tab: TabId


class OnElement(OptionalTarget):
    """An element of the tab it names."""

    tab: TabId
