"""The registry: every tool by name, and which of them a caller is shown."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import ModuleType

from stockade.errors import BadSetting, NotShown, UnknownTool
from stockade.kernel.tool import Tool
from stockade.policy.policy import Policy

__all__ = ["ALL_TOOLSETS", "Registry"]

ALL_TOOLSETS = "all"
CORE = "core"


class Registry:
    """The tools there are.

    Toolsets that stand `apart` say what others say with another system's names: they are shown to
    whoever asks for them by name, and are no part of `all`.
    """

    def __init__(self, tools: Iterable[Tool], apart: frozenset[str] = frozenset()) -> None:
        self._apart = apart
        self._tools: dict[str, Tool] = {}
        for each in tools:
            if each.name in self._tools:
                raise ValueError(f"two tools are called {each.name}")
            self._tools[each.name] = each

    @classmethod
    def of(cls, *modules: ModuleType, apart: frozenset[str] = frozenset()) -> Registry:
        """Every tool defined in those modules, in the order they stand there."""
        return cls(
            (
                value
                for module in modules
                for value in vars(module).values()
                if isinstance(value, Tool) and value.run.__module__ == module.__name__
            ),
            apart,
        )

    def __iter__(self) -> Iterator[Tool]:
        """Every tool of our own."""
        return (each for each in self._tools.values() if each.toolset not in self._apart)

    @property
    def apart(self) -> list[Tool]:
        """Those with another system's names."""
        return [each for each in self._tools.values() if each.toolset in self._apart]

    def knows(self, name: str) -> bool:
        """Whether there is a tool of that name."""
        return name in self._tools

    @cached_property
    def toolsets(self) -> tuple[str, ...]:
        """The names of the toolsets, `core` first."""
        names = dict.fromkeys([CORE, *(each.toolset for each in self._tools.values())])
        return tuple(names)

    def chosen(self, names: Sequence[str]) -> frozenset[str]:
        """The toolsets of those names; unknown ones are an error."""
        for name in names:
            if name not in {*self.toolsets, ALL_TOOLSETS}:
                raise BadSetting(
                    f"{name[:40]!r} is not a toolset",
                    hint=f"There are: {', '.join(self.toolsets)}, {ALL_TOOLSETS}.",
                )
        all_of_ours = set(self.toolsets) - self._apart if ALL_TOOLSETS in names else set()
        return frozenset({*names, *all_of_ours} - {ALL_TOOLSETS})

    def shown(self, toolsets: frozenset[str], policy: Policy) -> list[Tool]:
        """What a client with those toolsets and that policy is offered."""
        return [
            each
            for each in self._tools.values()
            if each.toolset in toolsets
            and (each.capability is None or each.capability in policy.capabilities)
        ]

    def find(self, name: str) -> Tool:
        """The tool of that name."""
        found = self._tools.get(name)
        if found is None:
            near = difflib.get_close_matches(name[:100], self._tools, n=3)
            raise UnknownTool(
                f"there is no tool {name[:100]!r}",
                hint=f"Did you mean {' or '.join(near)}?" if near else "List the tools there are.",
            )
        return found

    def offered(self, name: str, toolsets: frozenset[str] | None) -> Tool:
        """The tool of that name, if the client's toolsets have it."""
        found = self.find(name)
        if toolsets is not None and found.toolset not in toolsets:
            raise NotShown(
                f"{name} is in the toolset {found.toolset}, which this client was not given",
                hint=f"Start the client with --toolsets core,{found.toolset}",
                toolset=found.toolset,
            )
        return found
