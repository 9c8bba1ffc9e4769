"""A tool: one typed function, and what surfaces need to know about it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_type_hints

from stockade.kernel.arguments import Arguments
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Role

if TYPE_CHECKING:
    from stockade.kernel.call import Call

__all__ = ["Reach", "Tool", "tool"]

Reach = Literal["server", "session", "tab"]
"""What must be there, and be held, before a tool runs."""

Alters = Literal["", "origin", "session"]

Effect = Literal["acts", "looks", "wraps"]

A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True)
class Tool:
    """One operation, defined once and offered on every surface."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Call, Any], Awaitable[Any]]
    gives: Any
    """What its data looks like: a `TypedDict` or model, or `str` for a tool that gives text."""
    capability: Capability | None
    toolset: str
    reach: Reach
    reads: bool
    """Changes nothing, in the page or here."""
    destructive: bool
    idempotent: bool
    structured: bool
    """Programs read its result, so surfaces that can give it as data too."""
    inner: bool
    """May be called by batch and its like."""
    held_by_dialog: bool
    """Has to wait until an open dialog is answered."""
    opens: bool
    """Its session is opened if it is not there."""
    raw: bool
    """Shows what a page holds as it is: refused where a secret was filled in."""
    alters: Alters
    """What pages are or do afterwards is its caller's doing too: those of the origins that its tab
    shows, or all of the session."""
    effect: Effect
    """Whether it may change something that belongs to a page; `looks`: it only looks on or makes
    files; `wraps`: the calls within it do, and each is judged on its own."""
    presses: bool
    """Presses the element it is given, as a pointer does."""
    confirm: str
    """The item of `confirm_required` that it always is; empty: none."""
    role: Role
    """Who may call it, at least; nobody else is shown it."""


def tool(  # noqa: PLR0913
    capability: Capability | None,
    *,
    gives: Any,
    reach: Reach = "tab",
    toolset: str = "core",
    reads: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    structured: bool = False,
    inner: bool = True,
    held_by_dialog: bool = True,
    opens: bool = False,
    raw: bool = False,
    alters: Alters = "",
    effect: Effect = "acts",
    presses: bool = False,
    confirm: str = "",
    role: Role = Role.AGENT,
) -> Callable[[Callable[[Call, A], Awaitable[Any]]], Tool]:
    """Make a tool of `async def name(call, args)`: its docstring is what agents read."""

    def made(function: Callable[[Call, A], Awaitable[Any]]) -> Tool:
        hints = get_type_hints(function, localns={"Call": Any})
        _, arguments = list(inspect.signature(function).parameters)
        return Tool(
            name=function.__name__.removesuffix("_"),
            description=" ".join((inspect.getdoc(function) or "").split()),
            arguments=hints[arguments],
            run=function,
            gives=gives,
            capability=capability,
            toolset=toolset,
            reach=reach,
            reads=reads,
            destructive=destructive,
            idempotent=idempotent or reads,
            structured=structured,
            inner=inner,
            held_by_dialog=held_by_dialog,
            opens=opens,
            raw=raw,
            alters=alters,
            effect=effect,
            presses=presses,
            confirm=confirm,
            role=role,
        )

    return made
