"""What the tab API does to a page."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from stockade.engines.events import LifecycleReached
from stockade.errors import (
    DeadlineExceeded,
    DialogOpen,
    InvalidArgument,
    NotActionable,
)
from stockade.kernel.arguments import typed_keys
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.secrets import materialised, secret_name
from stockade.kernel.sightings import sightings
from stockade.kernel.tool import tool
from stockade.page.actions import Outcome
from stockade.page.evaluation import evaluate
from stockade.page.scrolling import scroll_page
from stockade.page.waiting import wait_until
from stockade.page.wheel import turn_wheel
from stockade.policy.capabilities import Capability
from stockade.tools.camofox.arguments import InNamedTab, OnElement
from stockade.tools.camofox.doing import Acted, came_of, carefully
from stockade.tools.camofox.looks import refs_available
from stockade.urls import origin_of

__all__ = [
    "camofox_click",
    "camofox_evaluate",
    "camofox_hover",
    "camofox_press",
    "camofox_scroll",
    "camofox_type",
    "camofox_wait_for",
]

_LONGEST_TEXT = 10_000_000
_LONGEST_SCRIPT = 100_000_000
_LONGEST_WAIT = 300_000
_LONGEST_TYPING = 600.0
_GRACE = 3.0
"""Seconds to end a runaway script in, after its time is up."""
_WHOLE = 10_000_000
"""Tokens that a value may have: the limits of a script's value hold before."""
_STATES = {"load": "load", "domcontentloaded": "DOMContentLoaded", "networkidle": "networkIdle"}
_SELECTS = frozenset({"select-one", "select-multiple", "select"})


# --- arguments ------------------------------------------------------------------------------------


def _needed(given: Any, name: str, message: str) -> Any:
    """Refuse arguments without that text, in words that clients know."""
    if isinstance(given, dict) and not isinstance(given.get(name), str):
        raise InvalidArgument(message)
    return given


class _Pointed(OnElement):
    @model_validator(mode="after")
    def _named(self) -> _Pointed:
        if self.ref is None and self.selector is None and self.named is None:
            raise InvalidArgument(
                "ref or selector required", hint="Take a snapshot: it shows the refs."
            )
        return self


class Click(_Pointed):
    """What to click."""

    double_click: bool = False


class Hover(_Pointed):
    """What to point at."""


class Type(OnElement):
    """What to type, and where."""

    text: Annotated[str, Field(max_length=_LONGEST_TEXT)]
    mode: Annotated[
        Literal["fill", "keyboard"],
        Field(description="fill replaces what a field holds; keyboard types where the focus is"),
    ] = "fill"
    delay: Annotated[float, Field(ge=0, le=10_000, description="ms between keys")] = 30
    submit: Annotated[bool, Field(description="press Enter afterwards")] = False
    press_enter: Annotated[bool, Field(description="the same")] = False

    @property
    def entered(self) -> str | None:
        """What the field is given."""
        return self.text

    @property
    def pressed_keys(self) -> tuple[str, ...]:
        """Those that may press something."""
        return typed_keys(self.text, enter=self.submit or self.press_enter)

    @model_validator(mode="before")
    @classmethod
    def _worded(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("mode", "fill") not in ("fill", "keyboard"):
            raise InvalidArgument("mode must be 'fill' or 'keyboard'")
        return _needed(given, "text", "text is required")

    @model_validator(mode="after")
    def _placed(self) -> Type:
        if self.mode == "fill" and not (self.ref or self.selector or self.named):
            raise InvalidArgument("ref or selector required for mode=fill")
        if self.lasts > _LONGEST_TYPING:
            raise InvalidArgument(
                f"typing that would take more than {_LONGEST_TYPING:g} s",
                hint="Make delay smaller, or use mode=fill.",
            )
        return self

    @property
    def lasts(self) -> float:
        """As long as it was asked to take."""
        return len(self.text) * self.delay / 1000 if self.mode == "keyboard" else 0.0


class Press(InNamedTab):
    """Which key."""

    key: Annotated[
        str, Field(min_length=1, max_length=100, description="Enter, ArrowDown, Control+a, …")
    ]

    @model_validator(mode="before")
    @classmethod
    def _worded(cls, given: Any) -> Any:
        return _needed(given, "key", "key is required")

    @property
    def pressed_keys(self) -> tuple[str, ...]:
        """The one."""
        return (self.key,)


class Scroll(OnElement):
    """Which way and how far, or what to bring into view."""

    direction: Literal["down", "up", "left", "right"] = "down"
    amount: Annotated[float, Field(ge=0, le=100_000, description="pixels")] = 500


class WaitFor(InNamedTab):
    """For how long, or for what."""

    time_ms: Annotated[float | None, Field(ge=0, le=_LONGEST_WAIT)] = None
    text: Annotated[str | None, Field(min_length=1, max_length=1000)] = None
    load_state: Literal["load", "domcontentloaded", "networkidle"] | None = None

    @model_validator(mode="after")
    def _something(self) -> WaitFor:
        if self.time_ms is None and self.text is None and self.load_state is None:
            raise InvalidArgument("timeMs, text or loadState required")
        return self

    @property
    def lasts(self) -> float:
        """As long as it was asked to take."""
        return (self.time_ms or 0) / 1000


class Evaluate(InNamedTab):
    """What to run."""

    expression: Annotated[str, Field(min_length=1, max_length=_LONGEST_SCRIPT)]
    timeout_ms: Annotated[
        float | None, Field(alias="timeout", ge=1, le=_LONGEST_WAIT, description="ms")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _worded(cls, given: Any) -> Any:
        return _needed(given, "expression", "expression is required")

    @property
    def lasts(self) -> float:
        """What it takes to end a script that does not end by itself."""
        return _GRACE


# --- results --------------------------------------------------------------------------------------


class Clicked(Acted, TypedDict):
    """Where the tab is after it."""

    url: str
    refsAvailable: bool


class Waited(TypedDict):
    """Where the tab is by then."""

    ok: bool
    url: str


class Evaluated(TypedDict):
    """What a script gave; nothing, if that is what it gave.

    What JSON cannot hold is described: `[function f]`, `[<div>]`, `10n`, `NaN`, `[circular]`.
    """

    ok: bool
    result: NotRequired[Any]
    cut: NotRequired[bool]


# --- tools ----------------------------------------------------------------------------------------


@tool(Capability.ACTION, gives=Clicked, toolset="camofox", destructive=True, presses=True)
async def camofox_click(call: Call, args: Click) -> Result:
    """Click an element, by its ref in the snapshot or by a selector."""
    ref, before = call.target or "", call.tab.url
    outcome = await carefully(
        call,
        lambda: call.tab.actions.click(
            ref, count=2 if args.double_click else 1, caller=call.caller, timeout=call.left
        ),
    )
    came = await came_of(call, outcome)
    gone = call.tab.page.closed or call.tab.page.crashed
    data = {
        **came,
        "url": before if gone else call.tab.url,
        "refsAvailable": not gone and await refs_available(call),
    }
    return Result(data=data, source=origin_of(call.tab.url))


@tool(Capability.ACTION, gives=Acted, toolset="camofox", destructive=True)
async def camofox_type(call: Call, args: Type) -> Result:
    """Put text into a field, or type it key by key; optionally press Enter."""
    actions, ref = call.tab.actions, call.target
    if args.mode == "fill":
        outcome = await carefully(call, lambda: _filled(call, ref or "", args.text))
    elif secret_name(call, args.text) is not None:
        text = await materialised(call, ref, args.text)
        # The keys of a secret do not follow the focus.
        outcome = await carefully(
            call,
            lambda: actions.type(
                ref or "", text, follow=False, caller=call.caller, timeout=call.left
            ),
        )
    elif args.text:
        outcome = await carefully(
            call,
            lambda: actions.type(
                ref, args.text, pace=args.delay / 1000, caller=call.caller, timeout=call.left
            ),
        )
    else:
        outcome = None
    if args.submit or args.press_enter:
        outcome = await carefully(
            call,
            lambda: actions.press("Enter", ref=ref, caller=call.caller, timeout=call.left),
        )
    return await _told(call, outcome)


async def _filled(call: Call, ref: str, text: str) -> Outcome:
    """Fill a field; of a select, the option of that label or value is chosen."""
    actions, caller = call.tab.actions, call.caller
    try:
        value = await materialised(call, ref, text)
        return await actions.fill(ref, value, caller=caller, timeout=call.left)
    except NotActionable as error:
        if error.details.get("kind") not in _SELECTS or secret_name(call, text) is not None:
            raise
    return await actions.select(ref, [text], caller=caller, timeout=call.left)


@tool(Capability.ACTION, gives=Acted, toolset="camofox", destructive=True)
async def camofox_press(call: Call, args: Press) -> Result:
    """Press a key or chord where the focus is."""
    return await _told(
        call, await call.tab.actions.press(args.key, caller=call.caller, timeout=call.left)
    )


@tool(Capability.ACTION, gives=Acted, toolset="camofox", effect="looks")
async def camofox_scroll(call: Call, args: Scroll) -> Result:
    """Turn the wheel where the pointer is, or bring an element into view."""
    ref, actions = call.target, call.tab.actions
    if ref is not None:
        outcome = await carefully(
            call,
            lambda: scroll_page(
                actions, ref=ref, into_view=True, caller=call.caller, timeout=call.left
            ),
        )
        return await _told(call, outcome)
    by = args.amount if args.direction in ("down", "right") else -args.amount
    way = {"dy": by} if args.direction in ("down", "up") else {"dx": by}
    return await _told(call, await turn_wheel(actions, timeout=call.left, **way))


@tool(Capability.ACTION, gives=Acted, toolset="camofox", effect="looks")
async def camofox_hover(call: Call, args: Hover) -> Result:
    """Point at an element."""
    del args
    ref = call.target or ""
    outcome = await carefully(
        call, lambda: call.tab.actions.hover(ref, caller=call.caller, timeout=call.left)
    )
    return await _told(call, outcome)


async def _told(call: Call, outcome: Outcome | None) -> Result:
    came = await came_of(call, outcome)
    return Result(data=came, source=origin_of(call.tab.url) if len(came) > 1 else "")


@tool(Capability.ACTION, gives=Waited, toolset="camofox", effect="looks")
async def camofox_wait_for(call: Call, args: WaitFor) -> dict[str, Any]:
    """Wait for a time, until a text can be read in any frame, or for a state of loading."""
    tab = call.tab
    if args.time_ms is not None:
        await asyncio.sleep(args.time_ms / 1000)
    elif args.text is not None:
        await _text_there(call, args.text)
    elif args.load_state is not None:
        await _reached(call, _STATES[args.load_state])
    return {"ok": True, "url": tab.url}


async def _text_there(call: Call, text: str) -> None:
    agent = call.tab.agent

    async def there() -> bool | None:
        found = await sightings(call, text, max_matches=1)
        return True if found.count else None

    while True:
        try:
            await wait_until(agent, there, timeout=max(call.left - 0.05, 0.01))
        except DialogOpen:
            await call.tab.clear_dialog(timeout=call.left)
        except DeadlineExceeded:
            raise DeadlineExceeded(
                "the text did not appear in time",
                hint="Take a snapshot to see what is there.",
                waitedFor="text",
            ) from None
        else:
            return


async def _reached(call: Call, state: str) -> None:
    page = call.tab.page
    while not page.main_frame.reached(state):
        try:
            await page.events.wait(
                LifecycleReached,
                where=lambda event: event.frame is page.main_frame,
                timeout=max(call.left - 0.05, 0.01),
            )
        except DeadlineExceeded:
            raise DeadlineExceeded(
                f"the page did not reach {state} in time",
                hint="It may go on loading for ever; take a snapshot.",
                waitedFor="loadState",
            ) from None


@tool(Capability.EVAL, gives=Evaluated, toolset="camofox", destructive=True, alters="origin")
async def camofox_evaluate(call: Call, args: Evaluate) -> Result:
    """Run JavaScript in the page: an expression, statements or a function, which is called."""
    most = call.kernel.settings.evaluate_body
    if len(args.expression.encode("utf-8", "surrogatepass")) > most:
        raise InvalidArgument(f"a script has at most {most} bytes")
    tab = call.tab
    try:
        found = await evaluate(
            tab.agent,
            args.expression,
            caller=call.caller,
            left_behind=lambda frame: call.session.work.start(frame.stop_script),
            timeout=max(call.left - _GRACE, 0.01),
        )
    except DialogOpen as error:
        # It would be in the way of the next call.
        await tab.clear_dialog(timeout=call.left)
        raise DialogOpen(
            "the script opened a dialog, which was dismissed; what it gave is lost",
            hint="Leave alert, confirm and prompt out of scripts.",
            **error.details,
        ) from None
    data: dict[str, Any] = {"ok": True}
    if not found.absent:
        data["result"] = found.value
    if found.cut:
        data["cut"] = True
    return Result(data=data, source=origin_of(tab.url), tokens=_WHOLE)
