"""What the tools of the tab API take: a tab by the name that no other tab has."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from stockade.kernel.arguments import InTab, OptionalTarget

__all__ = ["InNamedTab", "OnElement"]

TabId = Annotated[str | None, Field(alias="tabId", max_length=100)]


class InNamedTab(InTab):
    """A tool that works in the tab it names."""

    tab: TabId


class OnElement(OptionalTarget):
    """An element of the tab it names; where both are given, its ref counts."""

    patience: ClassVar[float] = 1.0

    tab: TabId

    @model_validator(mode="before")
    @classmethod
    def _one_way(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        blank = {name for name in ("ref", "selector") if given.get(name) in (None, "")}
        if "ref" in given and "ref" not in blank:
            blank.add("selector")
        return {name: value for name, value in given.items() if name not in blank}
