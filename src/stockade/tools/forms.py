"""Whole forms at once."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from stockade.errors import EngineError, InvalidArgument, NotActionable, StockadeError
from stockade.kernel.action_result import ActionResult, Done
from stockade.kernel.arguments import (
    RARE,
    ActionOptions,
    Arguments,
    Coordinates,
    Exact,
    InTab,
    Literally,
    OptionalTarget,
)
from stockade.kernel.call import Call
from stockade.kernel.observation import Act, observe
from stockade.kernel.results import Result
from stockade.kernel.secrets import materialised, secret_name
from stockade.kernel.targets import target_of
from stockade.kernel.tool import tool
from stockade.page.actions import Outcome
from stockade.page.choosing import choose
from stockade.page.locator import TargetKind
from stockade.policy.capabilities import Capability
from stockade.tools.actions import act_of, element_state, required

__all__ = ["choose_option", "fill_form"]

_ON = frozenset({"true", "on", "yes", "1", "checked"})
_OFF = frozenset({"false", "off", "no", "0", "unchecked", ""})


class Place(Arguments):
    """An element."""

    ref: Annotated[str | None, Field(max_length=40)] = None
    selector: Annotated[str | None, Field(max_length=2000)] = None
    context_ref: Annotated[str | None, Field(max_length=40), RARE] = None
    named: Annotated[str | None, Field(max_length=100), RARE] = None
    coords: Annotated[Coordinates | None, RARE] = None


class FieldValue(Place):
    """A field and what it is to hold."""

    value: str | bool | int | float | tuple[str, ...]
    literal: Literally = False


class FillForm(ActionOptions, InTab):
    """The fields, and what sends them."""

    fields: Annotated[tuple[FieldValue, ...], Field(min_length=1, max_length=100)]
    submit: Place | None = None

    @property
    def submitter(self) -> OptionalTarget | None:
        """What sends the fields."""
        if self.submit is None:
            return None
        return OptionalTarget(**self.submit.model_dump(exclude_none=True))


class ChooseOption(ActionOptions, OptionalTarget):
    """Which option of which control."""

    kind: ClassVar[TargetKind | None] = "choice"

    option: Annotated[str, Field(min_length=1, max_length=1000, description="its text or value")]
    exact: Exact = True


class ChoiceResult(ActionResult):
    """What came of it, and what was chosen."""

    chosen: str


class _FieldTarget(OptionalTarget):
    """One of the fields of a form."""

    kind: ClassVar[TargetKind | None] = "field"


async def _found(call: Call, place: Place) -> str:
    target = _FieldTarget if isinstance(place, FieldValue) else OptionalTarget
    wanted = target(**place.model_dump(include=set(Place.model_fields), exclude_none=True))
    ref = await target_of(call, wanted)
    if not isinstance(ref, str):
        raise InvalidArgument("a field is named by its ref, a selector or a name")
    return ref


def _wants_check(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).lower()
    if text in _ON | _OFF:
        return text in _ON
    raise InvalidArgument("a checkbox takes true or false")


async def _put(call: Call, ref: str, value: Any, *, literal: bool) -> Outcome:
    """Give a field its value in the way its kind takes it."""
    actions = call.tab.actions
    common: dict[str, Any] = {"caller": call.caller, "timeout": call.left}
    if isinstance(value, tuple):
        return await actions.select(ref, value, **common)
    try:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        entered = await materialised(call, ref, text, literal=literal)
        return await actions.fill(ref, entered, **common)
    except NotActionable as error:
        if secret_name(call, str(value), literal=literal) is not None:
            raise
        kind = error.details.get("kind")
        if kind in {"select-one", "select-multiple", "select"}:
            return await actions.select(ref, [str(value)], **common)
        if kind in {"checkbox", "radio"} or error.details.get("reason") == "not-editable":
            return await actions.set_checked(ref, checked=_wants_check(value), **common)
        raise


@tool(Capability.ACTION, gives=ActionResult, destructive=True)
async def fill_form(call: Call, args: FillForm) -> Result:
    """Fill several fields (text, select, checkbox), then optionally click submit."""
    before = call.tab.url
    refs = [await _found(call, each) for each in args.fields]
    submit = await _found(call, args.submit) if args.submit is not None else None
    elements: list[dict[str, Any]] = []
    outcome: Outcome | None = None
    for index, (ref, each) in enumerate(zip(refs, args.fields, strict=True)):
        await call.report(index, len(refs), f"field {index + 1} of {len(refs)}")
        try:
            outcome = await _put(call, ref, each.value, literal=each.literal)
        except StockadeError as error:
            error.details |= {"field": index, "filled": elements}
            raise
        elements.append({"ref": ref, **element_state(outcome)})
    if submit is not None:
        outcome = await call.tab.actions.click(submit, caller=call.caller, timeout=call.left)
    if outcome is None:
        raise InvalidArgument("there is nothing to fill")
    act = Act(
        done=Done(type="fill_form", ref=submit),
        settled=outcome.settled,
        url_before=before,
        elements=elements,
    )
    return await observe(call, act, args)


@tool(
    Capability.ACTION,
    gives=ChoiceResult,
    toolset="forms",
    destructive=True,
    idempotent=True,
    presses=True,
)
async def choose_option(call: Call, args: ChooseOption) -> Result:
    """Choose an option of a select, combobox, listbox, radio group or menu."""
    ref = required(call)
    choice = await choose(
        call.tab.actions,
        ref,
        args.option,
        exact=args.exact,
        caller=call.caller,
        timeout=call.left,
    )
    act = act_of(call, choice.outcome)
    act.done = act.done.model_copy(update={"type": "choose_option"})
    act.element = await _control(call, ref)
    act.beside = {"chosen": choice.chosen}
    return await observe(call, act, args)


async def _control(call: Call, ref: str) -> dict[str, Any]:
    """The control as it is afterwards."""
    frame, number = call.tab.agent.locate(ref)
    state: dict[str, Any] = {"attached": False}
    if call.tab.page.dialog is None:
        try:
            state = await call.tab.agent.call(frame, "finish", ref=number, timeout=call.left)
        except EngineError:
            # The document went with the choice.
            state = {"attached": False}
    return {"ref": ref, "stillAttached": state.pop("attached", False), "value": None, **state}
