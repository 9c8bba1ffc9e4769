"""Actions: input that reaches what the caller was shown or nothing, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from stockade.engines.port import Frame
from stockade.engines.values import MouseButton, Point
from stockade.errors import (
    DeadlineExceeded,
    DialogOpen,
    EngineError,
    InvalidArgument,
    NavigationRace,
    NotActionable,
    Refused,
    StockadeError,
    TabClosed,
    TabCrashed,
)
from stockade.page.agent import PageAgent, ask_all
from stockade.page.code_boxes import boxes_for, fill_boxes
from stockade.page.concealing import Concealing
from stockade.page.pointing import Aim, aim
from stockade.page.secret_text import SecretText, is_copying, is_leaving, is_pasting, plain_text
from stockade.page.settle import Facts, Settled, Window
from stockade.page.sliding import Slider
from stockade.page.upcoming import when_possible
from stockade.page.verdicts import ensure_begun

__all__ = ["Actions", "Outcome"]

_DEADLINE = 30.0
_PATIENCE_WITH_OTHERS = 0.5
"""Seconds that a frame the action is not aimed at may take to answer."""
_MISS_PATIENCE = 2.0
"""Seconds in which input that did not arrive at its target, nor anywhere else, is sent again."""
_UNANSWERED = (EngineError, DeadlineExceeded)
_TAKING_HOLD = frozenset({"mouse_down", "gesture_chain"})
"""What can begin a drag."""


@dataclass(frozen=True)
class Outcome:
    """What an action did, on evidence."""

    action: str
    target: str
    settled: Settled
    url_before: str
    url_after: str
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    via: str | None = None
    """What took the input in the element's place, such as the label of a hidden checkbox."""
    facts: Facts = field(default_factory=Facts)
    extra: dict[str, Any] = field(default_factory=dict)


class Actions:
    """Everything that can be done to a tab; `dragging.py` builds on it."""

    def __init__(self, agent: PageAgent) -> None:
        self.agent = self._agent = agent
        self._page = agent.page
        self.giving_files = False
        """Whether what the page asks for is on its way."""
        self.concealing = Concealing(agent)

    # --- pointer --------------------------------------------------------------------------------

    async def click(
        self,
        ref: str,
        *,
        caller: str,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        timeout: float = _DEADLINE,
    ) -> Outcome:
        """Click an element, `count` times."""

        async def point_and_click(found: Aim) -> None:
            await self._page.mouse.click(
                found.point, button=button, count=count, modifiers=modifiers, timeout=timeout
            )

        return await self.pointed("click", ref, caller, point_and_click, timeout)

    async def hover(self, ref: str, *, caller: str, timeout: float = _DEADLINE) -> Outcome:
        """Move the pointer over an element."""

        async def point_at(found: Aim) -> None:
            await self._page.mouse.move(found.point, timeout=timeout)

        return await self.pointed(
            "hover", ref, caller, point_at, timeout, enabled=False, presses=False
        )

    async def tap(self, ref: str, *, caller: str, timeout: float = _DEADLINE) -> Outcome:
        """Touch an element with a finger."""

        async def touch(found: Aim) -> None:
            await self._page.touch.tap(found.point, timeout=timeout)

        return await self.pointed("tap", ref, caller, touch, timeout)

    async def set_checked(
        self, ref: str, *, checked: bool, caller: str, timeout: float = _DEADLINE
    ) -> Outcome:
        """Check or uncheck; a control that already is what is wanted is left alone."""
        frame, number = self._agent.locate(ref)
        state = await self._agent.call(
            frame, "checkable", caller=caller, ref=number, timeout=timeout
        )
        if bool(state["checked"]) == checked and state["checked"] != "mixed":
            settled = Settled(settled=True, effect="none")
            url = self._page.main_frame.url
            return Outcome("check", state["target"], settled, url, url, state, state)
        if not checked and state["kind"] == "radio":
            raise InvalidArgument(
                f"{state['target']} is a radio button: check another one of its group instead"
            )
        outcome = await self.click(ref, caller=caller, timeout=timeout)
        after = outcome.after.get("checked", False)
        if outcome.after.get("attached") and bool(after) != checked:
            raise NotActionable(
                f"{outcome.target} was clicked but is still {'on' if after else 'off'}",
                reason="unchanged",
                retryable=False,
            )
        return outcome

    async def click_at(
        self,
        point: Point,
        *,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        timeout: float = _DEADLINE,
    ) -> Outcome:
        """Click a point of the tab, whatever is there."""
        return await self.bare(
            "click",
            lambda: self._page.mouse.click(
                point, button=button, count=count, modifiers=modifiers, timeout=timeout
            ),
            timeout,
        )

    async def hover_at(self, point: Point, *, timeout: float = _DEADLINE) -> Outcome:
        """Move the pointer to a point of the tab."""
        return await self.bare(
            "hover", lambda: self._page.mouse.move(point, timeout=timeout), timeout
        )

    # --- keys and fields ------------------------------------------------------------------------

    async def fill(
        self, ref: str, value: str | SecretText, *, caller: str, timeout: float = _DEADLINE
    ) -> Outcome:
        """Replace what a field holds, or move a slider there."""
        boxes = await boxes_for(self._agent, ref, value, caller=caller, timeout=timeout)
        if boxes and isinstance(value, SecretText):
            return await fill_boxes(self, boxes, value, caller=caller, timeout=timeout)
        text = plain_text(value)
        slider = Slider(self._agent, ref, timeout=timeout)

        def put(ready: dict[str, Any]) -> Awaitable[None] | None:
            if ready["mode"] == "set":
                return None
            if ready["mode"] == "slide":
                return slider.move(ready)
            if text:
                return self._page.keyboard.insert(text, timeout=timeout)
            return self._page.keyboard.press("Delete", timeout=timeout)

        await self.concealing.conceal_known(*self._agent.locate(ref), timeout=timeout)
        outcome = await self._visited(
            "fill", ref, "prepare_fill", put, timeout, caller=caller, value=text, **_secret(value)
        )
        if outcome.after.get("attached"):
            await slider.ensure_reached(outcome.target)
        return outcome

    async def type(
        self,
        ref: str | None,
        entered: str | SecretText,
        *,
        pace: float = 0.0,
        submit: bool = False,
        follow: bool = True,
        caller: str,
        timeout: float = _DEADLINE,
    ) -> Outcome:
        """Type key by key, after what an element holds or where the focus is.

        The keys follow the focus, as a person's would, unless they are a secret's; so does the
        Enter that submits. The pace is the caller's: seconds from one key to the next.
        """
        keyboard, text = self._page.keyboard, plain_text(entered)

        async def strike(part: str, *, last: bool = True) -> None:
            for number, character in enumerate(part if pace else ()):
                if number:
                    await asyncio.sleep(pace)
                await keyboard.type(character, timeout=timeout)
            if not pace:
                await keyboard.type(part, timeout=timeout)
            if last and submit:
                await keyboard.press("Enter", timeout=timeout)

        if ref is None:
            return await self.bare("type", lambda: strike(text), timeout, keys="edit")
        frame, number = self._agent.locate(ref)
        await self.concealing.conceal_known(frame, number, timeout=timeout)

        async def strike_in_frames() -> None:
            """The first key in the element; where it leads, also to another frame, the others."""
            await strike(text[:1], last=not text[1:])
            if not text[1:] or not await self._agent.call(frame, "guard_begun", timeout=timeout):
                return
            others = [other for other in self._agent.frames() if other is not frame]
            await self.tell(others, "guard_open")
            await strike(text[1:])

        alone = not follow or len(self._agent.frames()) == 1
        return await self._visited(
            "type",
            ref,
            "prepare_keys",
            lambda _: strike(text) if alone else strike_in_frames(),
            timeout,
            caller=caller,
            follow=follow,
            atEnd=True,
            **_secret(entered),
        )

    async def press(
        self, chord: str, *, ref: str | None = None, caller: str, timeout: float = _DEADLINE
    ) -> Outcome:
        """Press a key or chord, in an element or wherever the focus is."""
        leaving = is_leaving(chord)
        if is_pasting(chord):
            await self.concealing.check_clipboard(timeout)
        if is_copying(chord):
            await self.concealing.conceal_shown(timeout=timeout)
        if ref is None:
            return await self.bare(
                "press",
                lambda: self._page.keyboard.press(chord, timeout=timeout),
                timeout,
                keys="leave" if leaving else "edit",
            )
        about = {"leaving": leaving, "copiedIn": self.concealing.copied.origin}
        await self.concealing.conceal_known(*self._agent.locate(ref), timeout=timeout)

        def strike(_: dict[str, Any]) -> Awaitable[None]:
            return self._page.keyboard.press(chord, timeout=timeout)

        return await self._visited(
            "press", ref, "prepare_keys", strike, timeout, caller=caller, **about
        )

    async def select(
        self, ref: str, values: Sequence[str], *, caller: str, timeout: float = _DEADLINE
    ) -> Outcome:
        """Choose options of a select by value or label."""
        return await self._visited(
            "select", ref, "choose", lambda _: None, timeout, caller=caller, values=list(values)
        )

    @contextmanager
    def taking_choosers(self) -> Iterator[None]:
        """While this lasts, a chooser that opens is ours to answer."""
        before, self.giving_files = self.giving_files, True
        try:
            yield
        finally:
            self.giving_files = before

    # --- parts ----------------------------------------------------------------------------------

    async def pointed(
        self,
        action: str,
        ref: str,
        caller: str,
        act: Callable[[Aim], Awaitable[None]],
        timeout: float,
        *,
        enabled: bool = True,
        presses: bool = True,
    ) -> Outcome:
        """Input that is meant for one element, and what came of it."""
        with Window(self._agent) as window:
            url = self._page.main_frame.url
            frame, _ = self._agent.locate(ref)
            clock = asyncio.get_running_loop().time
            until = clock() + _MISS_PATIENCE
            reasons = {"intercepted", "missed"} if frame.parent is not None else {"intercepted"}
            async with self.looking_on(window, frame):
                while True:
                    found = await aim(
                        self._agent, ref, caller=caller, enabled=enabled, timeout=timeout
                    )
                    try:
                        await self._input(
                            found.frame, act(found), presses=presses, target=found.target
                        )
                    except NotActionable as error:
                        if error.details.get("reason") not in reasons or clock() >= until:
                            raise
                    else:
                        break
                    # Nothing has happened, since no other document or element takes what was not
                    # meant for it. The browser sends input by where frames were when it last drew,
                    # and a page may restyle what the pointer comes to.
                    await self._agent.call(frame, "painted", timeout=timeout)
            return await self.finish(
                action,
                window,
                url,
                found.frame,
                found.number,
                {"target": found.target, "state": found.state, "via": found.via},
                timeout,
            )

    async def _visited(
        self,
        action: str,
        ref: str,
        method: str,
        act: Callable[[dict[str, Any]], Awaitable[None] | None],
        timeout: float,
        **arguments: Any,
    ) -> Outcome:
        """One visit that prepares the element, the input it calls for, and what came of it."""
        frame, number = self._agent.locate(ref)
        with Window(self._agent) as window:
            url = self._page.main_frame.url
            async with self.looking_on(window, frame):
                ready = await when_possible(
                    self._agent,
                    lambda patience: self._agent.call(
                        frame, method, ref=number, timeout=timeout, **patience, **arguments
                    ),
                    timeout=timeout,
                )
                window.search = ready.get("search", False)
                if (sending := act(ready)) is not None:
                    await self._input(frame, sending, target=ready["target"])
            return await self.finish(action, window, url, frame, number, ready, timeout)

    async def bare(
        self,
        action: str,
        act: Callable[[], Awaitable[bool | None]],
        timeout: float,
        *,
        keys: Literal["edit", "leave"] | None = None,
    ) -> Outcome:
        """Input that is meant for a place, not for an element: every frame may take it.

        `act` may tell whether it saw an effect itself. `keys` go to what has the focus.
        """
        if action in _TAKING_HOLD:
            await self.concealing.conceal_shown(timeout=timeout)
        if keys is not None:
            await asyncio.gather(
                *(
                    self.concealing.conceal_known(each, None, timeout=timeout)
                    for each in self._agent.frames()
                )
            )
        with Window(self._agent) as window:
            url = self._page.main_frame.url
            frames = self._agent.frames()
            window.ignored = {frame.id for frame in frames} - await self.tell(frames, "arm")
            about = {"keys": keys, "copiedIn": self.concealing.copied.origin} if keys else {}
            verdicts: dict[str, Any] = {}
            try:
                await self.tell(frames, "guard_open", **about)
                window.seen = bool(await act())
            except (DialogOpen, NavigationRace, TabClosed, TabCrashed):
                pass
            finally:
                verdicts = await self._answers(frames, "guard_end")
            for frame in frames:
                self.concealing.note_copying(frame, verdicts.get(frame.id))
            settled = await window.settle(timeout=timeout)
        return Outcome(action, "page", settled, url, self._page.main_frame.url, facts=window.facts)

    @asynccontextmanager
    async def looking_on(self, window: Window, frame: Frame) -> AsyncIterator[None]:
        """Begin the window in the other frames; the target's own begins with its check.

        Until the input is sent they take no first event of a gesture, but what comes after one.
        """
        others = [other for other in self._agent.frames() if other is not frame]
        window.ignored = {other.id for other in others} - await self.tell(others, "look_on")
        try:
            yield
        finally:
            await self.tell(others, "guard_end")

    async def tell(self, frames: Sequence[Frame], method: str, **arguments: Any) -> set[str]:
        """Call a method in several frames at once; the answer names those that answered."""
        return set(await self._answers(frames, method, **arguments))

    async def _answers(
        self, frames: Sequence[Frame], method: str, **arguments: Any
    ) -> dict[str, Any]:
        """What each frame answers, by its id; one that hangs or goes away says nothing."""
        found = await ask_all(
            list(frames),
            lambda frame: self._agent.call(
                frame, method, timeout=_PATIENCE_WITH_OTHERS, **arguments
            ),
        )
        for each in found:
            if isinstance(each, Refused):
                raise each
        return {
            frame.id: answer
            for frame, answer in zip(frames, found, strict=True)
            if not isinstance(answer, StockadeError)
        }

    async def _input(
        self, frame: Frame, act: Awaitable[None], *, presses: bool = True, target: str = ""
    ) -> None:
        """Send the input, then ask the guard where it went."""
        try:
            await act
        except (DialogOpen, NavigationRace, TabClosed, TabCrashed):
            # All of these are effects of the input; the window has seen them.
            await self._verdict(frame)
            return
        verdict = await self._verdict(frame)
        if presses and verdict is not None:
            ensure_begun(verdict, target or "the element")

    async def _verdict(self, frame: Frame) -> dict[str, Any] | None:
        """Where the guard of `frame` saw the input go; nothing if the document is gone."""
        try:
            verdict: dict[str, Any] | None = await self._agent.call(frame, "guard_end", timeout=5.0)
        except _UNANSWERED:
            return None
        self.concealing.note_copying(frame, verdict)
        return verdict

    async def finish(
        self,
        action: str,
        window: Window,
        url: str,
        frame: Frame,
        number: int,
        ready: dict[str, Any],
        timeout: float,
    ) -> Outcome:
        """Wait for what came of the input, and tell it."""
        settled = await window.settle(timeout=timeout)
        after: dict[str, Any] = {"attached": False}
        try:
            after = await self._agent.call(frame, "finish", ref=number, timeout=5.0)
        except _UNANSWERED:
            # The document, the frame or the tab went with the action.
            after = {"attached": False}
        return Outcome(
            action,
            ready["target"],
            settled,
            url,
            self._page.main_frame.url,
            ready.get("state", {}),
            after,
            ready.get("via"),
            window.facts,
            {"selected": ready["selected"]} if "selected" in ready else {},
        )


def _secret(text: str | SecretText) -> dict[str, Any]:
    """What the agent has to know of a text that is a secret."""
    return {"secret": text.told, "text": text.value} if isinstance(text, SecretText) else {}
