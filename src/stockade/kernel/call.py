"""A call under way: who asks for what, where, and how much time is left."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from stockade.errors import DeadlineExceeded, InternalError
from stockade.kernel.arguments import Arguments, InSession, InTab
from stockade.kernel.questions import Question
from stockade.kernel.readable import readable
from stockade.kernel.tool import Tool
from stockade.kernel.turns import Turn
from stockade.masking.background import run_if_large
from stockade.masking.masker import Masker
from stockade.media.camera import Camera
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.sessions.admissions import Admissions
from stockade.sessions.secret_places import SecretPlaces
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.sessions.taint import Taint

if TYPE_CHECKING:
    from stockade.kernel.dispatch import Kernel
    from stockade.kernel.holding import Holding

__all__ = ["Call", "Elicitor", "Progress"]

T = TypeVar("T")

Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Tells a waiting client how far a call is: done, of how much, and in words."""


@dataclass(frozen=True)
class Elicitor:
    """Puts a question to the person behind a client, and answers it as they do."""

    ask: Callable[[Question], Awaitable[None]]
    within: bool = True
    """Whether the calls within a call may ask too."""


@dataclass
class Call:
    """What a tool is given beside its arguments."""

    id: str
    kernel: Kernel
    principal: Principal
    tool: Tool
    arguments: Arguments
    deadline: float
    """By the event loop's clock."""
    toolsets: frozenset[str] | None = None
    parent: Call | None = None
    progress: Progress | None = None
    session_or_none: Session | None = None
    tab_or_none: Tab | None = None
    agreed_field: bool = False
    """Whether a person agreed that a secret goes into the field that is meant."""
    target: str | None = None
    """The ref of the element that was asked for."""
    turn: Turn | None = None
    ceiling: frozenset[Capability] | None = None
    """What it may use at most, where a plugin makes it."""
    holding: Holding | None = None
    timer: asyncio.Timeout | None = None
    """Ends it at its deadline."""
    elicit: Elicitor | None = None
    """Asks the person behind the client, where there is a way and the operator allows it."""
    begun: bool = False
    """Whether its tool has begun to run."""
    approval: str = ""
    """The question that the caller says has been answered."""
    off_list: str = ""
    """The address that it goes to although the allow list does not have it."""
    admitted: str = ""
    """The origin off the list that a person has let it go to."""

    def __post_init__(self) -> None:
        self.given = self.arguments
        """What the caller asked for, before names became places."""

    @property
    def session(self) -> Session:
        """The session it works in."""
        if self.session_or_none is None:
            raise InternalError(f"{self.tool.name} has no session")
        return self.session_or_none

    @property
    def tab(self) -> Tab:
        """The tab it works in."""
        if self.tab_or_none is None:
            raise InternalError(f"{self.tool.name} has no tab")
        return self.tab_or_none

    @property
    def policy(self) -> Policy:
        """What is allowed: the session's policy once there is one, within the ceiling."""
        granted = self._granted
        return granted if self.ceiling is None else granted.narrowed(capabilities=self.ceiling)

    @property
    def _granted(self) -> Policy:
        session = self.session_or_none
        if session is None:
            return self.principal.policy
        admissions = session.parts.get(Admissions)
        if admissions is None:
            return session.policy
        let_in = admissions.of(self.tab_or_none) if self.tab_or_none is not None else frozenset()
        return session.policy.admitting(let_in | ({self.admitted} if self.admitted else set()))

    @property
    def masker(self) -> Masker:
        """Takes out what the caller must not be told."""
        session = self.session_or_none
        if session is None or session.owner.tenant != self.principal.tenant:
            return self.kernel.masker_of(self.principal)
        return self.kernel.masker_in(session, self.tab_or_none)

    async def masked(self, value: T) -> T:
        """A text or JSON value as the caller may be told it, without secrets and what is invisible.

        Nobody else waits while a large one is looked at.
        """
        masker = self.masker
        mask: Callable[[Any], Any] = masker.text if isinstance(value, str) else masker.value
        masked: T = await run_if_large(_size(value), lambda: mask(value))
        if masked != value and not self._holds_secret:
            await self.count_guesses(value)
        return masked

    async def masked_exactly(self, text: str) -> str:
        """A text without secrets and with all else that is in it, for a file."""
        masker = self.masker
        if masker.idle:
            return text
        return await run_if_large(len(text), lambda: masker.exact(text))

    @property
    def _holds_secret(self) -> bool:
        """Whether its document has a secret, and may tell parts of it by itself."""
        session = self.session_or_none
        taint = session.parts.get(Taint) if session is not None else None
        tab = self.tab_or_none
        return taint is not None and tab is not None and taint.holds(tab)

    async def count_guesses(self, shown: Any = None) -> None:
        """Have pieces of secrets counted, where some were filled in: in what is to be shown.

        Without that, in what the caller has given.
        """
        session = self.session_or_none
        if session is None or session.parts.get(SecretPlaces) is None:
            return
        value = self.given.model_dump(mode="json", by_alias=True) if shown is None else shown
        masker = self.masker
        pieces = await run_if_large(_size(value), lambda: masker.pieces(value))
        self.kernel.secrets.guesses.note(self, pieces)

    @property
    def camera(self) -> Camera:
        """Pictures the tab, without the secrets that are on it."""
        return Camera(self.tab, self.masker)

    @property
    def told(self) -> dict[str, Any]:
        """What a person who is asked about it is told of it, before that is masked."""
        given = self.given.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        given.pop("session", None)
        facts: dict[str, Any] = {"tool": self.tool.name, "arguments": readable(given)}
        if self.session_or_none is not None:
            facts["session"] = self.session_or_none.name
        if self.tab_or_none is not None:
            facts |= {"tab": self.tab.id, "url": self.tab.url[:2000]}
        return facts

    @property
    def caller(self) -> str:
        """Whose view of pages this is."""
        return f"{self.principal.id}/{self.principal.client}"

    @property
    def left(self) -> float:
        """Seconds until the deadline; a call without any ends here."""
        left = self.deadline - asyncio.get_running_loop().time()
        if left <= 0:
            raise DeadlineExceeded(f"{self.tool.name} ran out of time")
        return left

    def stop_clock(self) -> None:
        """No time runs until it is started again."""
        if self.timer is not None and not self.timer.expired():
            self.timer.reschedule(None)

    def start_clock(self, waited: float) -> None:
        """Go on, with as much time as there was before."""
        self.deadline += waited
        if self.timer is not None and not self.timer.expired():
            self.timer.reschedule(max(self.deadline, 0.0))

    def worded(self, hint: str) -> str:
        """A hint that names tools as the caller knows them."""
        return self.kernel.registry.worded(hint, self.toolsets, self.principal)

    async def report(self, done: float, total: float | None, message: str) -> None:
        """Tell the client how far it is, if it asked to know."""
        if self.progress is not None:
            await self.progress(done, total, message)

    def placed(self, tool: str, place: Mapping[str, Any]) -> dict[str, Any]:
        """What of a session and a tab goes into the arguments of another tool."""
        known = self.kernel.registry
        kind = known.find(tool).arguments if known.knows(tool) else InTab
        room = {"session": issubclass(kind, InSession), "tab": issubclass(kind, InTab)}
        return {name: value for name, value in place.items() if room.get(name, True)}

    async def inner(self, tool: str, arguments: dict[str, Any], *, shown: bool = True) -> Any:
        """Call another tool within this one; it inherits what this one holds.

        Not `shown` is a tool that this one uses whether its client knows it or not.
        """
        toolsets = self.toolsets if shown else None
        return await self.kernel.call(
            self.principal, tool, arguments, toolsets=toolsets, parent=self
        )


def _size(value: Any) -> int:
    """About how many characters a text or JSON value has."""
    if isinstance(value, str):
        return len(value)
    try:
        return len(msgspec.json.encode(value))
    except UnicodeEncodeError:
        # It has halves of characters.
        return len(json.dumps(value))
