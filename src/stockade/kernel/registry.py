"""The registry: every tool by name, and which of them a caller is shown."""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from stockade.errors import BadSetting, NotShown, UnknownTool
from stockade.kernel.tool import Tool
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal, Role

__all__ = ["ALL_TOOLSETS", "Listed", "Registry"]

ALL_TOOLSETS = "all"
CORE = "core"
_NAMED = re.compile(r"`([a-z_]+)`")
"""A tool in a hint, or something else that is written so."""


@dataclass(frozen=True)
class Listed:
    """A tool, as far as it is known without its code."""

    name: str
    toolset: str
    capability: Capability | None
    role: Role
    load: Callable[[], Tool]

    @classmethod
    def of(cls, tool: Tool) -> Listed:
        """One that is loaded already."""
        return cls(tool.name, tool.toolset, tool.capability, tool.role, lambda: tool)


class Registry:
    """The tools there are, each loaded when it is first wanted.

    Toolsets that stand `apart` say what others say with another system's names: they are shown to
    whoever asks for them by name, and are no part of `all`.
    """

    def __init__(self, tools: Iterable[Listed], apart: frozenset[str] = frozenset()) -> None:
        self._apart = apart
        self._loaded: set[str] = set()
        self._tools: dict[str, Listed] = {}
        for each in tools:
            if each.name in self._tools:
                raise ValueError(f"two tools are called {each.name}")
            self._tools[each.name] = each

    def __iter__(self) -> Iterator[Tool]:
        """Every tool of our own."""
        return (each.load() for each in self._tools.values() if each.toolset not in self._apart)

    @property
    def apart(self) -> list[Tool]:
        """Those with another system's names."""
        return [each.load() for each in self._tools.values() if each.toolset in self._apart]

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

    def shown(self, toolsets: frozenset[str], principal: Principal) -> list[Tool]:
        """What a caller with those toolsets is offered: what it may use."""
        on = {None, *principal.policy.capabilities}
        return [
            each.load()
            for each in self._tools.values()
            if each.toolset in toolsets and each.capability in on and principal.has_role(each.role)
        ]

    def worded(self, hint: str, toolsets: frozenset[str] | None, principal: Principal) -> str:
        """A hint for a caller: of a tool in backticks that it was not shown, it says why."""

        def named(found: re.Match[str]) -> str:
            tool = self._tools.get(found[1])
            if tool is None:
                return found[0]
            lacks = _lacks(tool, toolsets, principal)
            return f"{tool.name} ({lacks})" if lacks else tool.name

        return _NAMED.sub(named, hint)

    async def load(self, name: str) -> None:
        """Have the code of a tool loaded in a thread: with a first call others do not wait."""
        if name in self._tools and name not in self._loaded:
            await asyncio.to_thread(self._tools[name].load)
            self._loaded.add(name)

    def find(self, name: str) -> Tool:
        """The tool of that name."""
        found = self._tools.get(name)
        if found is None:
            near = [f"`{each}`" for each in difflib.get_close_matches(name[:100], self._tools, n=3)]
            raise UnknownTool(
                f"there is no tool {name[:100]!r}",
                hint=f"Did you mean {' or '.join(near)}?" if near else "List the tools there are.",
            )
        return found.load()

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


def _lacks(tool: Listed, toolsets: frozenset[str] | None, principal: Principal) -> str:
    """What a caller would need to be shown a tool."""
    if not principal.has_role(tool.role):
        return f"for the {tool.role} alone"
    if tool.capability is not None and tool.capability not in principal.policy.capabilities:
        return f"capability {tool.capability} is off"
    if toolsets is not None and tool.toolset not in toolsets:
        return f"toolset {tool.toolset}"
    return ""
