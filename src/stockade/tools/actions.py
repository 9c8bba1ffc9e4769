"""Doing things to elements."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from stockade.engines.values import Point
from stockade.errors import InvalidArgument, NotActionable
from stockade.kernel.action_result import ActionResult, Done
from stockade.kernel.arguments import (
    ActionOptions,
    Literally,
    OnTarget,
    OptionalTarget,
    typed_keys,
)
from stockade.kernel.call import Call
from stockade.kernel.observation import Act, observe
from stockade.kernel.results import Result
from stockade.kernel.secrets import materialised, secret_name
from stockade.kernel.tool import tool
from stockade.page.actions import Outcome
from stockade.page.hits import with_hits
from stockade.page.locator import TargetKind
from stockade.page.probe import inspect
from stockade.policy.capabilities import Capability

__all__ = [
    "act_of",
    "click",
    "element_state",
    "fill",
    "hover",
    "press",
    "required",
    "select",
    "type_",
]

_LONGEST_TEXT = 1_000_000


class Click(ActionOptions, OnTarget):
    """What to click, and how."""

    button: Literal["left", "middle", "right"] = "left"
    count: int = Field(1, ge=1, le=3)
    modifiers: Annotated[
        tuple[Literal["Alt", "Control", "Meta", "Shift"], ...], Field(max_length=4)
    ] = ()
    force: Annotated[bool, Field(description="even if covered")] = False


class Hover(ActionOptions, OnTarget):
    """What to point at."""


class Fill(ActionOptions, OptionalTarget):
    """What to put into which field."""

    kind: ClassVar[TargetKind | None] = "editable"

    value: str = Field(max_length=_LONGEST_TEXT)
    literal: Literally = False

    @property
    def entered(self) -> str | None:
        """What the field is given."""
        return None if self.literal else self.value


class Type(ActionOptions, OptionalTarget):
    """What to type where."""

    kind: ClassVar[TargetKind | None] = "editable"

    text: str = Field(max_length=10_000)
    submit: Annotated[bool, Field(description="press Enter afterwards")] = False
    literal: Literally = False

    @property
    def entered(self) -> str | None:
        """What the field is given."""
        return None if self.literal else self.text

    @property
    def pressed_keys(self) -> tuple[str, ...]:
        """Those that may press something."""
        return typed_keys(self.text, enter=self.submit)


class Press(ActionOptions, OptionalTarget):
    """Which key, where."""

    key: Annotated[str, Field(max_length=100, description="Enter, ArrowDown, Control+A, …")]

    @property
    def entered(self) -> str | None:
        """What the field is given."""
        return self.key

    @property
    def pressed_keys(self) -> tuple[str, ...]:
        """The one."""
        return (self.key,)


class Select(ActionOptions, OptionalTarget):
    """Which options."""

    kind: ClassVar[TargetKind | None] = "choice"

    values: Annotated[
        tuple[Annotated[str, Field(max_length=10_000)], ...],
        Field(min_length=1, max_length=1000),
    ]


def required(call: Call) -> str:
    """The element that the call must name."""
    if call.target is None:
        raise InvalidArgument(
            f"{call.tool.name} needs an element", hint="Give its ref (from snapshot) or a selector."
        )
    return call.target


def element_state(outcome: Outcome) -> dict[str, Any]:
    """The element as it is after an action."""
    after = dict(outcome.after)
    after.pop("active", None)
    return {"stillAttached": after.pop("attached", False), "value": None, **after}


def act_of(call: Call, outcome: Outcome, **element: Any) -> Act:
    """What an outcome says, for the result."""
    wanted = call.arguments
    probe: dict[str, Any] | None = None
    if call.target is not None:
        probe = {"ref": call.target, **element}
        if outcome.settled.effect != "dialog" and outcome.after:
            # Behind a dialog the page cannot be asked, and of a point it was not.
            probe |= element_state(outcome)
    if "hit" in outcome.extra:
        probe = {**(probe or {}), "hit": outcome.extra["hit"]}
    warnings = [f"the input went to {outcome.via} in its place"] if outcome.via else []
    return Act(
        done=Done(
            type=outcome.action,
            ref=call.target,
            selector=getattr(wanted, "selector", None),
            target=outcome.target,
        ),
        settled=outcome.settled,
        url_before=outcome.url_before,
        element=probe,
        warnings=warnings,
    )


@tool(Capability.ACTION, gives=ActionResult, destructive=True, presses=True)
async def click(call: Call, args: Click) -> Result:
    """Click an element or a point. Returns what changed; page text is untrusted."""
    actions = call.tab.actions
    how: dict[str, Any] = {
        "button": args.button,
        "count": args.count,
        "modifiers": args.modifiers,
        "timeout": call.left,
    }
    agent = call.tab.agent
    if args.coords is not None:
        point = Point(args.coords.x, args.coords.y)
        outcome = await with_hits(agent, point, lambda: actions.click_at(point, **how))
        return await observe(call, act_of(call, outcome), args)
    ref = required(call)
    if args.force:
        middle = await _middle(call, ref)
        outcome = await with_hits(agent, middle, lambda: actions.click_at(middle, **how))
        act = act_of(call, outcome)
        act.warnings.append("forced: whatever was at that place took the click")
        return await observe(call, act, args)
    outcome = await actions.click(ref, caller=call.caller, **how)
    return await observe(call, act_of(call, outcome), args)


async def _middle(call: Call, ref: str) -> Point:
    found = await inspect(call.tab.agent, ref, caller=call.caller, timeout=call.left)
    if found.box is None:
        raise NotActionable("the element has no place on the page", reason="hidden", ref=ref)
    return Point(found.box.x + found.box.width / 2, found.box.y + found.box.height / 2)


@tool(Capability.ACTION, gives=ActionResult, effect="looks")
async def hover(call: Call, args: Hover) -> Result:
    """Move the pointer over an element."""
    if args.coords is not None:
        point = Point(args.coords.x, args.coords.y)
        outcome = await with_hits(
            call.tab.agent,
            point,
            lambda: call.tab.actions.hover_at(point, timeout=call.left),
        )
    else:
        outcome = await call.tab.actions.hover(
            required(call), caller=call.caller, timeout=call.left
        )
    return await observe(call, act_of(call, outcome), args)


@tool(Capability.ACTION, gives=ActionResult, destructive=True, idempotent=True)
async def fill(call: Call, args: Fill) -> Result:
    """Replace what a text field holds, or move a slider to a number."""
    ref = required(call)
    value = await materialised(call, ref, args.value, literal=args.literal)
    outcome = await call.tab.actions.fill(ref, value, caller=call.caller, timeout=call.left)
    # What a secret field holds is not told, nor what it was to hold.
    requested = {} if outcome.before.get("secret") else {"valueRequested": args.value}
    return await observe(call, act_of(call, outcome, **requested), args)


@tool(Capability.ACTION, gives=ActionResult, destructive=True)
async def type_(call: Call, args: Type) -> Result:
    """Type text key by key, after what a field holds; without an element, at the focus."""
    outcome = await call.tab.actions.type(
        call.target,
        await materialised(call, call.target, args.text, literal=args.literal),
        submit=args.submit,
        follow=secret_name(call, args.text, literal=args.literal) is None,
        caller=call.caller,
        timeout=call.left,
    )
    return await observe(call, act_of(call, outcome), args)


@tool(Capability.ACTION, gives=ActionResult, destructive=True)
async def press(call: Call, args: Press) -> Result:
    """Press a key or chord, in an element or where the focus is."""
    if secret_name(call, args.key) is not None:
        text = await materialised(call, call.target, args.key)
        typed = await call.tab.actions.type(
            required(call), text, follow=False, caller=call.caller, timeout=call.left
        )
        return await observe(call, act_of(call, typed), args)
    outcome = await call.tab.actions.press(
        args.key, ref=call.target, caller=call.caller, timeout=call.left
    )
    return await observe(call, act_of(call, outcome), args)


@tool(Capability.ACTION, gives=ActionResult, destructive=True, idempotent=True)
async def select(call: Call, args: Select) -> Result:
    """Choose options of a select, by value or label."""
    outcome = await call.tab.actions.select(
        required(call), args.values, caller=call.caller, timeout=call.left
    )
    act = act_of(call, outcome, selected=outcome.extra.get("selected"))
    return await observe(call, act, args)
