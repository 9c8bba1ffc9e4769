"""What tools take: the base of all argument models, and the groups that many share."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from stockade.page.locator import TargetKind

__all__ = [
    "LONGEST_TIMEOUT",
    "MOST_TOKENS",
    "RARE",
    "ActionOptions",
    "AddressPattern",
    "Arguments",
    "Coordinates",
    "Exact",
    "InSession",
    "InTab",
    "Literally",
    "OnTarget",
    "OptionalTarget",
    "Scope",
    "typed_keys",
]

RARE: Final = Field(json_schema_extra={"rare": True})
"""Marks an argument that is seldom wanted: models are not told of it, the reference is."""
LONGEST_TIMEOUT = 3_600_000
MOST_TOKENS = 20_000
AddressPattern: TypeAlias = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="part of the URL, or a glob with *",
    ),
]
"""Which addresses; `page.patterns` says what matches."""
Exact: TypeAlias = Annotated[bool, Field(description="whole text, same case")]

Scope: TypeAlias = Annotated[str | None, Field(max_length=2000, description="ref or CSS")]
"""The part of the page to look at; `kernel.targets.scope_of` finds it."""


Literally: TypeAlias = Annotated[
    bool, Field(description="<NAME> is typed as it is, though a secret is called so"), RARE
]


class Arguments(BaseModel):
    """Base of every argument model: camelCase outside, unknown names refused."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        defer_build=True,
    )

    @property
    def judged_address(self) -> str | None:
        """The address among them that the policy judges before anything is done."""
        given = getattr(self, "url", None)
        return given if isinstance(given, str) else None

    @property
    def entered(self) -> str | None:
        """The text among them that is typed into the target as it is, or a secret in its place."""
        return None

    @property
    def pressed_keys(self) -> tuple[str, ...] | None:
        """The keys that go to the target, or else to the focus; nothing where it takes none."""
        return None

    @property
    def starts_at(self) -> Coordinates | None:
        """The point at which input begins, where one is named."""
        return None

    @property
    def submitter(self) -> OptionalTarget | None:
        """The element that is pressed last, to send what was filled in."""
        return None

    @property
    def lasts(self) -> float:
        """Seconds that the call takes because it was asked to, on top of its deadline."""
        return 0.0


class InSession(Arguments):
    """A tool that works in a session."""

    session: Annotated[str, Field(max_length=100)] = "default"


class InTab(InSession):
    """A tool that works in a tab; the current one unless another is named."""

    tab: Annotated[str | None, Field(max_length=40)] = None

    @property
    def place(self) -> dict[str, Any]:
        """The session and tab that an inner call works in unless it names others."""
        return {"session": self.session, **({"tab": self.tab} if self.tab is not None else {})}


class Coordinates(Arguments):
    """A point of the viewport in CSS pixels."""

    x: float = Field(ge=-100_000, le=100_000)
    y: float = Field(ge=-100_000, le=100_000)


def typed_keys(text: str, *, enter: bool) -> tuple[str, ...]:
    """The keys among those of a text that may press something."""
    entered = enter or "\n" in text or "\r" in text
    return (*(["Enter"] if entered else []), *(["Space"] if " " in text else []))


class OptionalTarget(InTab):
    """An element, by the ref it was shown with or by a selector that means it alone."""

    found_first: ClassVar[bool] = True
    """Whether it must be there before the tool runs; one that asks about it looks itself."""
    patience: ClassVar[float] = 0.0
    """Seconds that what a selector means may take to appear."""
    kind: ClassVar[TargetKind | None] = None
    """What the tool can work with; of several elements that a selector fits, these are meant."""

    ref: Annotated[str | None, Field(max_length=40, description="as in snapshot")] = None
    selector: Annotated[
        str | None, Field(max_length=2000, description="CSS, role=, text=, label=, …")
    ] = None
    context_ref: Annotated[str | None, Field(max_length=40)] = None
    named: Annotated[
        str | None, Field(max_length=100, description="a name given by name_ref or name_region")
    ] = None
    coords: Annotated[Coordinates | None, Field(description="the element there"), RARE] = None

    @property
    def starts_at(self) -> Coordinates | None:
        """The point that is meant, whatever is there."""
        return self.coords


class OnTarget(OptionalTarget):
    """The same, or a point itself, whatever is there."""

    coords: Coordinates | None = None


class ActionOptions(Arguments):
    """How much of what came of an action to show, and how long it may take."""

    mode: Literal["scoped_snapshot", "tree_diff", "full", "none"] = "scoped_snapshot"
    max_result_tokens: int = Field(600, ge=50, le=MOST_TOKENS)
    timeout_ms: int | None = Field(None, ge=1, le=LONGEST_TIMEOUT)
